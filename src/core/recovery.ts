// What kind of error stopped an attempt: a guess from the output.
import type { Cause } from "./cause.ts";

export type ErrorClass = "transient" | "resource" | "syntax" | "logic" | "environment" | "unproved" | "unrecoverable";

/** Checked in this order: a missing module often shows up as a failed parse, and both as a failed test. */
const signs: readonly (readonly [ErrorClass, RegExp])[] = [
  ["resource", /ENOSPC|ENOMEM|EMFILE|no space left|out of memory|heap limit|timed[- ]out|\bOOM\b/i],
  [
    "environment",
    /command not found|cannot find (?:module|package)|ModuleNotFoundError|no module named|ECONNREFUSED|EADDRINUSE|EACCES|permission denied|not installed/i,
  ],
  [
    "syntax",
    /SyntaxError|IndentationError|unexpected (?:token|end of|indent)|parse error|error TS1\d{3}\b|unterminated|expected `?[;)}\]]/i,
  ],
];

const classBySign = (text: string): ErrorClass | null => signs.find(([, sign]) => sign.test(text))?.[0] ?? null;

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
      return classBySign(text) ?? "logic";
    // Nothing was run that could have found the code wrong: its builder lacks something.
    case "blocked":
      return classBySign(text) ?? "environment";
    case "unproved":
    case "permission":
      return "unproved";
    default:
      return "logic";
  }
}
