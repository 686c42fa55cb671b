// Every outcome has its exit code.
import { expect, test } from "vitest";
import { exitCode, exitWaiting, type Outcome } from "./outcome.ts";

const cap = (name: Extract<Outcome, { kind: "cap" }>["cap"]): Outcome => ({
  kind: "cap",
  cap: name,
  used: 1,
  allowed: 1,
});

test.each<[string, Outcome, number]>([
  ["success", { kind: "success" }, 0],
  ["a refusal", { kind: "refused", code: "x", why: "", next: "" }, 1],
  ["a commit that the loop did not make", { kind: "head-moved", why: null }, 1],
  ["the cost cap", cap("cost"), 2],
  ["the token cap", cap("tokens"), 2],
  ["the time cap", cap("minutes"), 2],
  ["the session cap", cap("sessions"), 2],
  ["the commit cap", cap("commits"), 2],
  ["the iteration cap", cap("iterations"), 3],
  ["a breaker", { kind: "breaker", breaker: "nothing-changed", times: 2 }, 4],
  ["a vague request", { kind: "too-vague", missing: [] }, 5],
  ["a wait for a person", { kind: "needs-person", need: { about: "request-changed" } }, 6],
  ["a full inbox", { kind: "inbox", features: [] }, 7],
  ["a cancel", { kind: "cancelled" }, 9],
  ["Ctrl-C", { kind: "paused", by: "interrupt" }, 130],
  ["loop pause", { kind: "paused", by: "person" }, 130],
  ["a termination", { kind: "paused", by: "terminate" }, 143],
])("%s exits with its own code", (_, outcome, code) => {
  expect(exitCode(outcome)).toBe(code);
});

test("waiting for a usage limit has its own code", () => {
  expect(exitWaiting).toBe(8);
});
