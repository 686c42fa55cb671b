// The rehearsal script: read and validated once, so that mistakes are found before the play starts.
import { readFileSync } from "node:fs";
import * as z from "zod";
import { UserError } from "../../core/errors.ts";
import type { FailureClass } from "../../core/session.ts";

export const acts = [
  "honest",
  "slow",
  "wrong-first-then-right",
  "lying",
  "hanging",
  "crashing",
  "limited",
  "flooding",
] as const;
export type Act = (typeof acts)[number];

const failureClasses = [
  "transient",
  "limited",
  "authentication",
  "billing",
  "context-full",
  "refused",
  "misconfigured",
  "crashed",
  "no-result",
  "out-of-tokens",
] as const satisfies readonly FailureClass[];

const path = z.string().min(1);
const text = z.string();
const count = z.int().min(0);
const times = z.int().min(1).optional();

const Step = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("write"), path, text }),
  z.strictObject({ do: z.literal("append"), path, text }),
  z.strictObject({ do: z.literal("delete"), path }),
  z.strictObject({ do: z.literal("replace"), path, find: z.string().min(1), with: text }),
  z.strictObject({ do: z.literal("run"), command: text }),
  z.strictObject({ do: z.literal("commit"), message: text }),
  z.strictObject({ do: z.literal("sleep"), ms: count }),
  z.strictObject({ do: z.literal("print"), text }),
  z.strictObject({ do: z.literal("reply"), reply: z.record(z.string(), z.unknown()) }),
  z.strictObject({ do: z.literal("exit"), code: z.int().min(0).max(255) }),
  z.strictObject({ do: z.enum(["crash", "hang", "ignore-term"]) }),
  z.strictObject({ do: z.literal("daemon"), seconds: count }),
  z.strictObject({ do: z.literal("flood"), mb: count, kind: z.enum(["lines", "one-line", "invalid-utf8"]) }),
  z.strictObject({ do: z.literal("context"), used: count, size: count }),
  z.strictObject({ do: z.literal("limited"), retry_after_s: count, times }),
  z.strictObject({ do: z.literal("transient"), times }),
  z.strictObject({ do: z.literal("fail"), class: z.enum(failureClasses), text: text.optional(), times }),
]);

const Scene = z.strictObject({
  role: z.string().optional(),
  feature: z.string().optional(),
  attempt: z.int().min(1).optional(),
  /** Only if this file exists: what an agent would say about it. */
  where: z.string().min(1).optional(),
  act: z.enum(acts).optional(),
  steps: z.array(Step).optional(),
  /** What wrong-first-then-right does first. */
  wrong: z.array(Step).optional(),
  /** Replaces the role's usual reply in acts that have one. */
  reply: z.record(z.string(), z.unknown()).optional(),
  /** Between the steps of a slow act. */
  pace_ms: count.optional(),
  usage: z
    .strictObject({ input_tokens: count.optional(), output_tokens: count.optional(), cost_usd: z.number().optional() })
    .optional(),
});

const Script = z.strictObject({ version: z.literal(1), scenes: z.array(Scene).min(1) });

export type RehearsalStep = z.input<typeof Step>;
export type RehearsalScene = z.input<typeof Scene>;
export type RehearsalScript = z.input<typeof Script>;

export function readScript(file: string): RehearsalScript {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw refused(file, error instanceof Error ? error.message : String(error), error);
  }
  const parsed = Script.safeParse(json);
  if (parsed.success) return parsed.data;
  throw refused(file, z.prettifyError(parsed.error), parsed.error);
}

function refused(file: string, why: string, cause: unknown): UserError {
  const what = `The rehearsal script ${file} cannot be played.`;
  const next =
    'Correct the script: { "version": 1, "scenes": [{ "role": "builder", "steps": [{ "do": "write", … }] }] }';
  return new UserError("rehearsal-script", { what, why, next }, { cause });
}
