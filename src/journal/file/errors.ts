// Errors for a person when a journal on disk fails.
import { Bug, UserError } from "../../core/errors.ts";
import type { Flaw } from "../chain.ts";

/** Disk errors are for a person to fix; our own errors pass through. */
export function orUserError<Result>(
  say: (path: string, cause: unknown) => UserError,
  path: string,
  body: () => Result,
): Result {
  try {
    return body();
  } catch (error) {
    throw error instanceof UserError || error instanceof Bug ? error : say(path, error);
  }
}

export function notRead(path: string, cause: unknown): UserError {
  return new UserError(
    "journal-not-read",
    {
      what: "The journal could not be read.",
      why: `${path}: ${reason(cause)}.`,
      next: "Make the file readable for you, or repair the disk, then run the same command again.",
    },
    { cause },
  );
}

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

export function notWritten(path: string, cause: unknown): UserError {
  return new UserError(
    "journal-not-written",
    {
      what: "The journal could not be written, so the run cannot go on.",
      why: `${path}: ${reason(cause)}.`,
      next: "Make room or repair the disk, then run: loop continue",
    },
    { cause },
  );
}

export function damaged(path: string, flaw: Flaw, next: string): UserError {
  return new UserError("journal-damaged", {
    what: `The journal is damaged at line ${flaw.line}, byte ${flaw.byte} of ${path}`,
    why: `${capitalized(flaw.why)}. Nothing was changed.`,
    next,
  });
}

export function tooNew(path: string, flaw: Flaw): UserError {
  return new UserError("journal-too-new", {
    what: `The journal was written by a newer release: line ${flaw.line} of ${path}`,
    why: `${capitalized(flaw.why)}, and this release reads version 1.`,
    next: "Update Loopwright, then run the same command again.",
  });
}

const capitalized = (why: string): string => why.charAt(0).toUpperCase() + why.slice(1);
