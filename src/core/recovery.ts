// What kind of error stopped an attempt, and what that kind asks for. The class is a guess from what was seen; the advice
// that follows from it is only ever advice.
import type { Cause } from "./run.ts";

export type ErrorClass = "transient" | "resource" | "syntax" | "logic" | "environment" | "unproved" | "unrecoverable";

/** Looked for in this order: a missing module often shows as a failed parse, and both as a failed test. */
const signs: readonly (readonly [ErrorClass, RegExp])[] = [
  ["resource", /ENOSPC|ENOMEM|EMFILE|no space left|out of memory|heap limit|timed out|\bOOM\b/i],
  [
    "environment",
    /command not found|cannot find (?:module|package)|ModuleNotFoundError|no module named|ECONNREFUSED|EADDRINUSE|EACCES|permission denied|not installed/i,
  ],
  [
    "syntax",
    /SyntaxError|IndentationError|unexpected (?:token|end of|indent)|parse error|error TS1\d{3}\b|unterminated|expected `?[;)}\]]/i,
  ],
];

export function errorClassOf({ kind, key, text }: Cause): ErrorClass {
  switch (kind) {
    case "must-not":
    case "misdeed":
    case "tampering":
    case "secret":
    case "scope":
      return "unrecoverable";
    case "session":
      return key.endsWith("timed-out") || key.endsWith("silent") ? "resource" : "transient";
    case "check-red":
      return signs.find(([, sign]) => sign.test(text))?.[0] ?? "logic";
    case "unproved":
    case "permission":
      return "unproved";
    default:
      return "logic";
  }
}

export const adviceFor: Readonly<Record<ErrorClass, string>> = {
  transient: "The session broke off. Look at what is there, and go on from it.",
  resource: "It took too much time, memory or space. Work in smaller steps, and run only what is needed.",
  syntax: "Something does not parse. Correct that first, before anything else is judged.",
  logic: "It runs, and does the wrong thing. Find the root cause before you change anything.",
  environment: "Something that it needs is not there. Use what the project has; do not install or fake it.",
  unproved: "What counts is what the checks can show.",
  unrecoverable:
    "That attempt was thrown away. Do not repeat it; if the feature needs a protected test to change, ask for permission.",
};
