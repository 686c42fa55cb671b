import { expect, test } from "vitest";
import { argumentOf, plainCommand, shownPath } from "./tool-call.ts";

test.each([
  [{ command: "npm test", description: "Run the tests" }, "npm test"],
  [{ file_path: "/repo/src/a.ts", content: "x" }, "src/a.ts"],
  [{ file_path: "/elsewhere/a.ts" }, "/elsewhere/a.ts"],
  [{ pattern: "TODO", path: "/repo/src" }, "src"],
  [{ anything: "else" }, "else"],
  [{ number: 3 }, ""],
  [{}, ""],
])("%j is shown as %j", (input, shown) => {
  expect(argumentOf(input, "/repo")).toBe(shown);
});

test.each([
  ["/bin/bash -lc 'echo hi > hi.txt'", "echo hi > hi.txt"],
  [`/bin/bash -lc 'echo '"'"'hi'"'"''`, "echo 'hi'"],
  [`bash -lc "echo \\"hi\\""`, 'echo "hi"'],
  ["sh -c ls", "ls"],
  ["npm test", "npm test"],
  ["bash script.sh", "bash script.sh"],
])("the command %j is shown as %j", (command, shown) => {
  expect(plainCommand(command)).toBe(shown);
});

test.each([
  ["/repo", "."],
  ["/repo/a", "a"],
  ["/repo-2/a", "/repo-2/a"],
  ["a/b", "a/b"],
])("the path %j is shown as %j", (path, shown) => {
  expect(shownPath(path, "/repo")).toBe(shown);
});
