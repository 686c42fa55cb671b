// Checks of a simulated world: green or red by what the files of a checkout say, and by nothing else.
import type { CheckResult, CheckRunner } from "../../checks/check.ts";
import type { Faults } from "./faults.ts";
import type { Tree } from "./trees.ts";
import type { Scratches } from "./workspace.ts";

/** A line of a test names a file and what must stand in it: `src/F001.js: good`. */
export const testLine = (path: string, word: string): string => `${path}: ${word}\n`;

/** What is wrong with a tree, by its own tests; nothing: it is green. */
export function redLines(tree: Tree): string[] {
  const tests = [...tree].filter(([path]) => path.startsWith("test/"));
  return tests.flatMap(([, text]) =>
    text.split("\n").filter((line) => {
      const [path = "", word = ""] = line.split(": ");
      return line !== "" && !(tree.get(path) ?? "").split(/\s+/).includes(word);
    }),
  );
}

export function worldChecks(scratches: Scratches, faults: Faults, pass: (ms: number) => void): CheckRunner {
  /** A flaky file makes every other run red. */
  let runs = 0;
  return {
    run: async ({ name, cwd }, signal) => {
      faults.step(`before the check ${name}`);
      pass(200);
      await Promise.resolve();
      faults.step(`after the check ${name}`);
      if (signal.aborted) return result(name, "interrupted", []);
      const tree = scratches.get(cwd) ?? new Map<string, string>();
      const unsteady = [...tree].some(([path, text]) => path.startsWith("src/") && text.includes("flaky"));
      const isFlaky = unsteady && runs++ % 2 === 0;
      const red = isFlaky ? ["it depends"] : redLines(tree);
      return result(name, red.length === 0 ? "passed" : "failed", red);
    },
  };
}

const result = (name: string, how: CheckResult["how"], red: readonly string[]): CheckResult => ({
  name,
  how,
  exitCode: how === "passed" ? 0 : how === "failed" ? 1 : null,
  ms: 200,
  tail: red.join("\n"),
  signature: red.join(" "),
  leftBehind: 0,
});
