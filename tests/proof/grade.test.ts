// What weakens a proof, and what is only said beside it.
import { describe, expect, test } from "vitest";
import { type Graded, remarks, weaknesses } from "../../src/runtime/proof/grade.ts";
import { sealRule } from "../../src/runtime/proof/seal.ts";
import { noWitness } from "../../src/runtime/proof/witness.ts";
import { judged, untouched } from "./scripted.ts";
import { check, scope } from "./trees.ts";

const counts = { passed: 1, failed: 0, skipped: 0, total: 1, names: null };
const strong: Graded = {
  green: [judged(check(), "green", { counts })],
  seal: untouched,
  witness: { ...noWitness("test was red"), seen: true },
  added: { lines: [], cut: false },
  rule: sealRule({ checks: [check()], scope: scope() }),
};
const uncounted = [judged(check(), "green"), judged(check({ name: "lint" }), "red")];
const line = (text: string, path = "src/a.js") => ({ lines: [{ path, line: 7, text }], cut: false });

describe("a proof", () => {
  test("with everything that it should have is strong", () => {
    expect(weaknesses(strong)).toEqual([]);
  });

  test.each<{ what: string; change: Partial<Graded>; says: string }>([
    { what: "without a check", change: { green: [] }, says: "No check was run." },
    { what: "without a witness", change: { witness: noWitness("no test") }, says: "Nothing was red first: no test." },
    {
      what: "with sealed files rewritten",
      change: { seal: { ...untouched, rewritten: ["test/a.js", "test/b.js"] } },
      says: "Sealed files were rewritten: test/a.js, test/b.js.",
    },
    {
      what: "with tests that moved",
      change: { seal: { ...untouched, renamed: [{ from: "test/a.js", to: "test/b.js" }] } },
      says: "Tests moved with their module: test/a.js → test/b.js.",
    },
    {
      what: "with a lockfile alone",
      change: { seal: { ...untouched, locks: ["yarn.lock"] } },
      says: "Lockfiles changed, and no manifest did: yarn.lock.",
    },
    {
      what: "of a change too large to be read",
      change: { added: { lines: [], cut: true } },
      says: "The change is too large to be searched whole for secrets.",
    },
    {
      what: "with an exit where nothing is counted",
      change: { green: uncounted, added: line("process.exit(0);") },
      says: "A line ends the process with success, and test cannot be counted: src/a.js:7.",
    },
  ])("$what is weak, and says so", ({ change, says }) => {
    expect(weaknesses({ ...strong, ...change })).toEqual([says]);
  });

  test.each<{ what: string; change: Partial<Graded> }>([
    { what: "an exit where tests are counted", change: { added: line("process.exit(0);") } },
    { what: "an exit with a failure", change: { green: uncounted, added: line("process.exit(1);") } },
    { what: "an exit in a test", change: { green: uncounted, added: line("process.exit(0);", "test/a.test.js") } },
    {
      what: "a check that cannot be counted and is red",
      change: { green: [judged(check(), "red")], added: line("sys.exit(0)") },
    },
  ])("is not weakened by $what", ({ change }) => {
    expect(weaknesses({ ...strong, ...change })).toEqual([]);
  });

  test("names no more than five lines that end the process, and twenty files", () => {
    const exits = Array.from({ length: 6 }, (_, at) => ({ path: "a.js", line: at, text: "process.exit()" }));
    expect(weaknesses({ ...strong, green: uncounted, added: { lines: exits, cut: false } })[0]).toMatch(/a\.js:4\.$/);
    const rewritten = Array.from({ length: 21 }, (_, at) => `test/${at}.js`);
    expect(weaknesses({ ...strong, seal: { ...untouched, rewritten } })[0]).toMatch(/test\/19\.js\.$/);
  });
});

test.each<{ what: string; of: Parameters<typeof remarks>; says: string[] }>([
  {
    what: "nothing where all is known",
    of: [strong.green, { test: { green: true, counts } }, [], untouched],
    says: [],
  },
  {
    what: "that a runner cannot be counted",
    of: [uncounted, { test: { green: true, counts } }, [], untouched],
    says: ["How many tests ran is not known, since no report was recognised, of: test."],
  },
  {
    what: "that nobody saw the code before",
    of: [strong.green, {}, [], untouched],
    says: ["The number of tests before is not known: somebody else committed in between."],
  },
  {
    what: "what came in",
    of: [
      strong.green,
      { test: { green: true, counts } },
      [{ path: "package.json", name: "left-pad" }],
      { ...untouched, steering: ["conftest.py"], released: ["test/free.js"] },
    ],
    says: [
      "New dependencies: left-pad (package.json).",
      "Added files that could decide over the old tests, which were run without them: conftest.py.",
      "Sealed files that the contract lets change: test/free.js.",
    ],
  },
])("remarks say $what", ({ of, says }) => {
  expect(remarks(...of)).toEqual(says);
});
