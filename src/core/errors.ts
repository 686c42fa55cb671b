// The two kinds of error. Anything a run can expect to happen is neither: it is a named value (see outcome.ts).

import { type ErrorCode, exitCodes } from "./error-codes.ts";

/** Something only we can fix. It stops the loop with a stack trace; the journal stays intact. */
export class Bug extends Error {
  override readonly name = "Bug";
}

/** Something a person can fix: what happened, why, and what to do next. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly code: ErrorCode;
  readonly what: string;
  readonly why: string;
  readonly next: string;
  readonly exitCode: number;

  constructor(code: ErrorCode, says: UserErrorText, options: { cause?: unknown } = {}) {
    super(`${says.what} ${says.why}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.what = says.what;
    this.why = says.why;
    this.next = says.next;
    this.exitCode = exitCodes[code] ?? 1;
  }
}

export type UserErrorText = { what: string; why: string; next: string };

const troubles: readonly (readonly [code: ErrorCode, text: RegExp, why: string, next: string])[] = [
  [
    "disk-full",
    /\bENOSPC\b|\bEDQUOT\b|no space left on device|out of diskspace|disk quota exceeded/i,
    "The disk is full.",
    "Free some space, then: loop continue",
  ],
  [
    "disk-read-only",
    /\bEROFS\b|read-only file system/i,
    "The disk is read-only.",
    "Make it writable, or point XDG_STATE_HOME to one that is, then: loop continue",
  ],
  [
    "no-folder",
    // Node reports a read-only disk like this: with `recursive`, it would have created a missing parent folder.
    /\bENOENT\b.*\bmkdir\b/,
    "A folder cannot be made; the disk may be read-only.",
    "Make it writable, then: loop continue",
  ],
  [
    "no-permission",
    /\bEACCES\b|\bEPERM\b|permission denied/i,
    "Permission denied.",
    "Fix the permissions, then: loop continue",
  ],
  [
    "disk-failing",
    /\bEIO\b|input\/output error/i,
    "The disk does not answer as it should.",
    "Look at the disk before going on with: loop continue",
  ],
  [
    "too-many-files",
    /\bEMFILE\b|\bENFILE\b|too many open files/i,
    "Too many files are open.",
    "Raise the limit (ulimit -n), then: loop continue",
  ],
  [
    "no-processes",
    /\bEAGAIN\b|resource temporarily unavailable/i,
    "No more processes can be started.",
    "Close some programs, or raise the limit (ulimit -u), then: loop continue",
  ],
  [
    "no-memory",
    /\bENOMEM\b|cannot allocate memory/i,
    "There is not enough memory.",
    "Free some memory, then: loop continue",
  ],
  ["not-a-file", /\bEISDIR\b/, "A folder is where a file belongs.", "Move the folder away"],
  // Git does not always give the reason.
  [
    "not-written",
    /unable to (?:write|create|append)|(?:could not|cannot|failed to) write/i,
    "A file could not be written; most often the disk is full.",
    "Look whether there is space, and whether the disk can be written to, then: loop continue",
  ],
];

/** The machine failed, not the code, and a person can fix it. Null for anything else. */
export function machineTrouble(error: unknown): UserError | null {
  if (error instanceof UserError) return error;
  if (!(error instanceof Error)) return null;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const text = `${code} ${error.message}`;
  const found = troubles.find(([, pattern]) => pattern.test(text));
  if (found === undefined) return null;
  const [kind, , why, next] = found;
  const detail = error.message.split("\n", 1)[0]?.slice(0, 300) ?? "";
  return new UserError(
    kind,
    { what: "The loop could not go on. Nothing is lost.", why: `${why} (${detail})`, next },
    { cause: error },
  );
}

/** Closes a switch over a union: adding a case makes every place that must handle it fail to compile. */
export function unreachable(value: never): never {
  throw new Bug(`a case was forgotten: ${JSON.stringify(value)}`);
}
