// How errors are classified by their output.
import { expect, test } from "vitest";
import type { Cause } from "./cause.ts";
import { errorClassOf } from "./recovery.ts";

const red = (text: string): Cause => ({ kind: "check-red", key: "k", text });

test.each<[string, Cause, string]>([
  ["a builder that is blocked", { kind: "blocked", key: "b", text: "No database here." }, "environment"],
  ["a builder that is blocked by a full disk", { kind: "blocked", key: "b", text: "ENOSPC" }, "resource"],
  ["a failed assertion", red("AssertionError: expected 1 to be 2"), "logic"],
  ["text that does not parse", red("SyntaxError: Unexpected token '}'"), "syntax"],
  ["Python that does not parse", red("IndentationError: unexpected indent"), "syntax"],
  ["a module that is not there", red("Error: Cannot find module 'left-pad'"), "environment"],
  ["a Python module that is not there", red("ModuleNotFoundError: No module named 'x'"), "environment"],
  ["a command that is not there", red("sh: 1: pytest: command not found"), "environment"],
  ["a full disk", red("ENOSPC: no space left on device"), "resource"],
  ["a test that ran out of time", red("test timed out after 600 s"), "resource"],
  ["a check that the loop ended", red("test (npm test) fails, timed-out."), "resource"],
  ["a session that made no progress", { kind: "session", key: "session:silent", text: "" }, "resource"],
  ["a session that crashed", { kind: "session", key: "session:crashed", text: "" }, "transient"],
  ["a rewritten test", { kind: "tampering", key: "k", text: "SyntaxError" }, "unrecoverable"],
  ["a verdict", { kind: "verdict", key: "k", text: "Not met: C1" }, "logic"],
  ["a person's no", { kind: "rejected", key: "k", text: "Too slow." }, "logic"],
])("%s", (_, cause, expected) => {
  expect(errorClassOf(cause)).toBe(expected);
});
