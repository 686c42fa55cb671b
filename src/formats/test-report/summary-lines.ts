// Runners with a summary line: Vitest, Jest, Mocha, AVA, Bun, Deno, .NET, Maven, RSpec, Minitest, PHPUnit, Bats.
import { countOf, type LineReader, Tally, type TestEnd } from "./counts.ts";

/** Reads one runner's totals from its line; null: a different line. */
type Summary = { readonly runner: string; read(text: string): readonly (readonly [TestEnd, number])[] | null };

const endOfWord: Readonly<Record<string, TestEnd>> = {
  passed: "passed",
  pass: "passed",
  passing: "passed",
  failed: "failed",
  fail: "failed",
  failing: "failed",
  skipped: "skipped",
  skip: "skipped",
  pending: "skipped",
  todo: "skipped",
};

/** "3 passed | 1 skipped (4)", "1 skipped, 3 passed, 4 total". */
function words(text: string): readonly (readonly [TestEnd, number])[] {
  return Array.from(text.matchAll(/(\d{1,7}) ([a-z]+)/g)).flatMap(([, number, word = ""]) => {
    const how = endOfWord[word];
    return how === undefined ? [] : [[how, countOf(number)] as const];
  });
}

/** Totals in which the passed tests are the remainder. */
function rest(total: string | undefined, failed: number, skipped: number): readonly (readonly [TestEnd, number])[] {
  return [
    ["failed", failed],
    ["skipped", skipped],
    ["passed", Math.max(0, countOf(total) - failed - skipped)],
  ];
}

const summaries: readonly Summary[] = [
  { runner: "vitest", read: (text) => some(/^ +Tests {2,}(\d.{0,120}\(\d+\))$/.exec(text)?.[1], words) },
  { runner: "vitest", read: (text) => (/^No test files found, exiting with code \d$/.test(text) ? [] : null) },
  { runner: "jest", read: (text) => some(/^Tests: +(\d.{0,120}\d total)$/.exec(text)?.[1], words) },
  { runner: "jest", read: (text) => (/^No tests found, exiting with code \d$/.test(text) ? [] : null) },
  {
    runner: "mocha",
    read: (text) => some(/^ {1,4}(\d{1,7} (?:passing|failing|pending))(?: \([^)]{1,20}\))?$/.exec(text)?.[1], words),
  },
  {
    runner: "ava",
    read: (text) =>
      some(/^ {2}(\d{1,7}) (?:tests? (passed|failed|skipped|todo))$/.exec(text)?.slice(1).join(" "), words),
  },
  { runner: "bun", read: (text) => some(/^ {1,2}(\d{1,7} (?:pass|fail|skip|todo))$/.exec(text)?.[1], words) },
  { runner: "deno", read: (text) => some(/^(?:ok|FAILED) \| (\d.{0,120}) \(\d[^)]{0,20}\)$/.exec(text)?.[1], words) },
  {
    runner: "dotnet",
    read(text) {
      const sums = /\bFailed: +(\d{1,7}), Passed: +(\d{1,7}), Skipped: +(\d{1,7}), Total: +\d{1,7}\b/.exec(text);
      if (sums === null) return null;
      return [
        ["failed", countOf(sums[1])],
        ["passed", countOf(sums[2])],
        ["skipped", countOf(sums[3])],
      ];
    },
  },
  {
    // One such line per class ends with "Time elapsed"; the one with the totals does not.
    runner: "maven",
    read(text) {
      const sums =
        /^(?:\[(?:INFO|WARNING|ERROR)\] )?Tests run: (\d{1,7}), Failures: (\d{1,7}), Errors: (\d{1,7}), Skipped: (\d{1,7})$/.exec(
          text,
        );
      return sums === null ? null : rest(sums[1], countOf(sums[2]) + countOf(sums[3]), countOf(sums[4]));
    },
  },
  {
    runner: "rspec",
    read(text) {
      const sums = /^(\d{1,7}) examples?, (\d{1,7}) failures?(?:, (\d{1,7}) pending)?(?:, .{0,80})?$/.exec(text);
      return sums === null ? null : rest(sums[1], countOf(sums[2]), countOf(sums[3]));
    },
  },
  {
    runner: "minitest",
    read(text) {
      const sums =
        /^(\d{1,7}) (?:runs|tests), \d+ assertions, (\d{1,7}) failures, (\d{1,7}) errors, (\d{1,7}) skips/.exec(text);
      return sums === null ? null : rest(sums[1], countOf(sums[2]) + countOf(sums[3]), countOf(sums[4]));
    },
  },
  {
    runner: "bats",
    read(text) {
      const sums = /^(\d{1,7}) tests?, (\d{1,7}) failures?(?:, (\d{1,7}) (?:skipped|excluded))?$/.exec(text);
      return sums === null ? null : rest(sums[1], countOf(sums[2]), countOf(sums[3]));
    },
  },
  {
    runner: "phpunit",
    read(text) {
      const good = /^OK \((\d{1,7}) tests?, \d+ assertions?\)$/.exec(text);
      if (good !== null) return rest(good[1], 0, 0);
      const sums = /^Tests: (\d{1,7}), Assertions: \d+(?:, (.{1,200}?))?\.$/.exec(text);
      if (sums === null) return null;
      const of = (...names: string[]) =>
        names.reduce((all, name) => all + countOf(new RegExp(`\\b${name}: (\\d+)`).exec(sums[2] ?? "")?.[1]), 0);
      return rest(sums[1], of("Errors", "Failures"), of("Skipped", "Incomplete"));
    },
  },
  { runner: "phpunit", read: (text) => (text === "No tests executed!" ? [] : null) },
];

const some = <T>(text: string | undefined, read: (text: string) => T): T | null =>
  text === undefined || text === "" ? null : read(text);

export function summaryReader(): LineReader {
  const byRunner = new Map<string, Tally>();
  return {
    line(text) {
      if (text.length > 400) return;
      for (const { runner, read } of summaries) {
        const sums = read(text);
        if (sums === null) continue;
        const tally = byRunner.get(runner) ?? new Tally();
        for (const [how, number] of sums) tally.add(how, number);
        byRunner.set(runner, tally);
        return;
      }
    },
    end() {
      const [largest] = [...byRunner.values()].map((tally) => tally.counts()).sort((a, b) => b.total - a.total);
      return largest ?? null;
    },
  };
}
