// What a person types, and what we ignore.
import { expect, test } from "vitest";
import { readCommand } from "./commands.ts";

test.each([
  ["/loopwright:loop Fix the login", { is: "start", request: "Fix the login", iterations: null, criteria: [] }],
  ["/loopwright:loop --iterations 3 Fix it", { is: "start", request: "Fix it", iterations: 3 }],
  ["/loopwright:loop Fix it --iterations=3", { is: "start", request: "Fix it", iterations: 3 }],
  [
    "/loopwright:loop Do it:\n- tests pass\n- [ ] no lint errors\n- tests pass",
    { is: "start", criteria: ["tests pass", "no lint errors"] },
  ],
  ["/loopwright:loop", { is: "start", request: "" }],
  ["/loopwright:loop continue", { is: "continue", iterations: null }],
  ["/loopwright:loop-continue --iterations 20", { is: "continue", iterations: 20 }],
  ["/loopwright:loop continue --budget=25", { is: "budget" }],
  ["/loopwright:loop Fix it --iterations 3 --budget 25", { is: "budget" }],
  [
    "/loopwright:loop Fix the --budget=25 flag of the parser",
    { is: "start", request: "Fix the --budget=25 flag of the parser" },
  ],
  ["/loopwright:loop cancel", { is: "release" }],
  ["/loop-release", { is: "release" }],
  ["  /loopwright:loop-status ", { is: "status" }],
  [
    "/loopwright:loop status of the parser should be shown",
    { is: "start", request: "status of the parser should be shown" },
  ],
])("%j is read", (prompt, command) => {
  expect(readCommand(prompt)).toMatchObject(command);
});

test.each([
  "/loop 5m check the deploy",
  "/loop-statuses",
  "/loopwright:looping",
  "/other:loop x",
  "please /loopwright:loop-release",
  "loop-release",
  "",
])("%j is not ours", (prompt) => {
  expect(readCommand(prompt)).toBeNull();
});
