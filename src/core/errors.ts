// The two kinds of error. Whatever a run may expect to happen is neither: it is a value with a name (see outcome.ts).

/** Something only we can fix. It stops the loop with a stack; the journal stays whole. */
export class Bug extends Error {
  override readonly name = "Bug";
}

/** What a person can fix: what happened, why, and what to do next. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly code: string;
  readonly what: string;
  readonly why: string;
  readonly next: string;
  readonly exitCode: number;

  constructor(code: string, says: UserErrorText, options: { cause?: unknown; exitCode?: number } = {}) {
    super(`${says.what} ${says.why}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.what = says.what;
    this.why = says.why;
    this.next = says.next;
    this.exitCode = options.exitCode ?? 1;
  }
}

export type UserErrorText = { what: string; why: string; next: string };

/** Closes a switch over a union: a new case lights up every place that must decide. */
export function unreachable(value: never): never {
  throw new Bug(`a case was forgotten: ${JSON.stringify(value)}`);
}
