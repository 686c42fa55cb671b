// How an error is answered: its status, and what failed, why, and what to do.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { machineTrouble } from "../core/errors.ts";
import type { Refused } from "./guard.ts";

/** A request that is not to be answered. */
export class Refusal extends Error {
  readonly refused: Refused;

  constructor(refused: Refused) {
    super(refused.why);
    this.refused = refused;
  }
}

export function orThrow(refused: Refused | null): void {
  if (refused !== null) throw new Refusal(refused);
}

export type FailureAnswer = Refused & { readonly code: string; readonly what: string; readonly next: string };

export function failureOf(error: unknown): FailureAnswer {
  if (error instanceof Refusal)
    return { ...error.refused, code: "refused", what: "The request was refused.", next: "See /api/v1/openapi.json" };
  if (error instanceof z.ZodError) {
    const why = z.prettifyError(error);
    return { status: 400, code: "invalid", what: "The body is not valid.", why, next: "See /api/v1/openapi.json" };
  }
  const trouble = machineTrouble(error);
  if (trouble !== null) {
    const { code, what, why, next } = trouble;
    return { status: code.startsWith("no-such-") ? 404 : 409, code, what, why, next };
  }
  // The reader may be at another machine than the output of the server: the number is in both.
  const number = randomBytes(4).toString("hex");
  process.stderr.write(`Error ${number}: ${error instanceof Error ? error.stack : String(error)}\n`);
  const why = `The output of loop serve has the details, after: Error ${number}`;
  return { status: 500, code: "bug", what: "Something went wrong.", why, next: "Report it with these details." };
}
