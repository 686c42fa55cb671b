// pytest: its last line with the totals, and with -v one line per test. Also unittest, which prints less.
import { countOf, type LineReader, Tally, type TestEnd } from "./counts.ts";

// "3 passed, 1 skipped in 0.12s", bare with -q and between equals signs without.
const summary = /^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in \d[\d.]*s(?: \([\d:]+\))?(?: =+)?$/;
const nothing = /^(?:=+ )?no tests ran in \d[\d.]*s(?: =+)?$/;
const verbose = /^(\S+::.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b/;
const unittest = /^Ran (\d{1,7}) tests? in \d[\d.]*s$/;
const unittestEnd = /^(?:OK|FAILED)(?: \(([^)]{1,200})\))?$/;

/** An expected failure proves nothing, like a skipped test. Deselected ones and warnings are not tests. */
const ends: Readonly<Record<string, TestEnd>> = {
  passed: "passed",
  failed: "failed",
  error: "failed",
  errors: "failed",
  skipped: "skipped",
  xfailed: "skipped",
  xpassed: "passed",
  PASSED: "passed",
  FAILED: "failed",
  ERROR: "failed",
  SKIPPED: "skipped",
  XFAIL: "skipped",
  XPASS: "passed",
};

export function pytestReader(): LineReader {
  const tally = new Tally();
  let reports = 0;
  return {
    line(text) {
      if (text.length > 500) return;
      const shown = verbose.exec(text);
      if (shown !== null) return tally.name(shown[1] ?? "", ends[shown[2] ?? ""] ?? "failed");
      if (nothing.test(text)) reports += 1;
      const sums = summary.exec(text)?.[1];
      if (sums === undefined) return;
      const parts = sums.split(", ").map((part) => part.split(" "));
      if (!parts.some(([, what = ""]) => ends[what] !== undefined || what === "deselected")) return;
      reports += 1;
      for (const [number, what = ""] of parts) if (ends[what] !== undefined) tally.add(ends[what], countOf(number));
    },
    end() {
      if (reports === 0) return null;
      const counts = { ...tally.counts(), reports };
      // Without -v only some tests are named, which does not cover the rest.
      return tally.named === counts.total ? counts : { ...counts, names: null };
    },
  };
}

export function unittestReader(): LineReader {
  const tally = new Tally();
  let running: number | null = null;
  let seen = false;
  const settle = (failed: number, skipped: number): void => {
    if (running === null) return;
    tally.add("failed", failed);
    tally.add("skipped", skipped);
    tally.add("passed", Math.max(0, running - failed - skipped));
    running = null;
  };
  return {
    line(text) {
      const ran = unittest.exec(text);
      if (ran !== null) {
        settle(0, 0);
        seen = true;
        running = countOf(ran[1]);
        return;
      }
      const ended = running === null ? null : unittestEnd.exec(text);
      if (ended === null) return;
      const of = (...names: string[]): number =>
        names.reduce((all, name) => all + countOf(new RegExp(`\\b${name}=(\\d+)`).exec(ended[1] ?? "")?.[1]), 0);
      settle(of("failures", "errors"), of("skipped", "expected failures"));
    },
    end() {
      settle(0, 0);
      return seen ? tally.counts() : null;
    },
  };
}
