// Which must-nots a rule understands, and when each becomes true.
import { describe, expect, test } from "vitest";
import type { Change } from "../../workspace/workspace.ts";
import { type ChangeFacts, mustNotCauses, untestable } from "./must-not.ts";

const changed = (path: string, kind: Change["kind"] = "modified"): Change =>
  ({ path, kind, binary: false }) as unknown as Change;
const facts = (of: Partial<ChangeFacts>): ChangeFacts => ({ changes: [], lines: [], dependencies: [], ...of });
const line = (path: string, text: string) => facts({ lines: [{ path, line: 3, text }] as ChangeFacts["lines"] });
const dependency = (path: string) =>
  facts({ dependencies: [{ path, name: "left-pad" }] as unknown as ChangeFacts["dependencies"] });

describe("a must-not, as an order and as a condition,", () => {
  test.each([
    ["touch src/one.js", facts({ changes: [changed("src/one.js")] }), facts({ changes: [changed("src/two.js")] })],
    ["src/one.js is changed", facts({ changes: [changed("src/one.js")] }), facts({ changes: [changed("src/two.js")] })],
    ["src/one.js changes", facts({ changes: [changed("src/one.js", "deleted")] }), facts({})],
    ["package.json is modified", facts({ changes: [changed("package.json")] }), dependency("package.json")],
    ["files in src/legacy are edited", facts({ changes: [changed("src/legacy/a.js")] }), facts({})],
    ["package.json gets a new dependency", dependency("package.json"), dependency("app/package.json")],
    [
      "src/one.js is deleted",
      facts({ changes: [changed("src/one.js", "deleted")] }),
      facts({ changes: [changed("src/one.js")] }),
    ],
    [
      "delete src/one.js",
      facts({ changes: [changed("src/one.js", "deleted")] }),
      facts({ changes: [changed("src/one.js")] }),
    ],
    [
      "src/secret.js exists",
      facts({ changes: [changed("src/secret.js", "added")] }),
      facts({ changes: [changed("src/a.js", "added")] }),
    ],
    ["edits outside src/", facts({ changes: [changed("lib/a.js")] }), facts({ changes: [changed("src/a.js")] })],
    [
      "files outside src are changed",
      facts({ changes: [changed("lib/a.js")] }),
      facts({ changes: [changed("src/a.js")] }),
    ],
    ["TODO left in code", line("src/a.js", "// TODO later"), line("src/a.js", "// later")],
    ["console.log in src", line("src/a.js", "console.log(1)"), line("bin/a.js", "console.log(1)")],
    ["no TODOs", line("src/a.js", "// TODO later"), line("src/a.js", "// later")],
  ] as const)("%s: a rule sees it, and nothing else", (mustNot, broken, kept) => {
    expect(untestable([mustNot])).toEqual([]);
    expect(mustNotCauses([mustNot], broken)).toHaveLength(1);
    expect(mustNotCauses([mustNot], kept)).toEqual([]);
  });

  test.each([
    "break the API",
    "tests are deleted",
    "the behaviour changes",
    "console.log in production",
    "the tone is rude",
  ])("%s: no rule understands it, and the evaluator judges it", (mustNot) => {
    expect(untestable([mustNot])).toEqual([mustNot]);
  });
});
