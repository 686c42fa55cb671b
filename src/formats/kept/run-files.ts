// What a run keeps in addition to its journal.
import { z } from "zod";
import { keptFile } from "./kept-file.ts";
import { contract, crew, object } from "./parts.ts";

/** What it was begun with. Version 1 is of the first release, whose runs can be viewed and not driven. */
export const planFile = keptFile(
  "plan.json",
  2,
  object({
    version: z.union([z.literal(1), z.literal(2)]),
    task: z.string(),
    contract,
    ...crew,
    kind: z.enum(["git", "plain"]),
    stopAtLimit: z.boolean(),
    worktree: z.string().optional(),
  }),
);

/** Which room the prover opened last: `F003-i4-A`. Only for people who watch. */
export const stepFile = keptFile("step.json", 1, object({ version: z.literal(1), room: z.string() }));

/** The agents that replaced those of the plan. */
export const agentsFile = keptFile(
  "agents.json",
  1,
  object({ ...crew, unfinished: object({ ...crew, session: z.string() }).nullable() }),
);

/** What a person's files said when it began. Version 1 had another shape. */
export const configuredFile = keptFile(
  "configured.json",
  2,
  object({
    version: z.literal(2),
    limits: z.record(z.string(), z.number().nullable()),
    ...crew,
    frozen: z.record(z.string(), z.unknown()),
  }),
);

/** The statuses of the work queue as it was last written, for a text that is kept by its checksum. */
export const queueFile = keptFile(
  "known/queue.json",
  1,
  object({ version: z.literal(1), base: z.string().nullable(), statuses: z.string() }),
);

/** A line of what agents are seen to do. */
export const liveLine = keptFile(
  "live.jsonl",
  null,
  object({ session: z.string(), role: z.string(), sign: object({ sign: z.string() }) }),
);

/** What a person was told about the run, and the answers that they can still give by a button. */
export const notifiedFile = keptFile(
  "notified.json",
  1,
  object({
    version: z.literal(1),
    told: z.array(z.string()),
    topic: z.string(),
    since: z.string(),
    programs: z.record(z.string(), z.string()).optional(),
    nonces: z.array(
      object({
        nonce: z.string(),
        gate: z.enum(["G1", "G2", "G3"]),
        number: z.number(),
        tree: z.string(),
        decision: z.enum(["approve", "reject"]),
      }),
    ),
  }),
);
