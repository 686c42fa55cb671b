// Files that belong to no single run: locks, sessions of a person that are held, and what is known of the machine.
import { z } from "zod";
import { keptFile } from "./kept-file.ts";
import { object } from "./parts.ts";

/** The process that has locked a workspace. */
export const lockFile = keptFile(
  "locks/*.json",
  1,
  object({
    pid: z.int(),
    start: z.string().nullable(),
    boot: z.string().nullable(),
    host: z.string(),
    pidNamespace: z.string().nullable(),
    netNamespace: z.string().nullable(),
    since: z.string(),
    about: z.string(),
    nonce: z.string(),
  }),
);

/** A hold that has ended; the hold itself has its own schema. */
export const endedHoldFile = keptFile(
  "holds/ended/*.json",
  1,
  object({
    ending: z.enum(["met", "breaker", "released"]),
    why: z.string(),
    session: z.string().nullable(),
    hold: z.unknown(),
  }),
);

/** A trial of walls that held: for which machine and version of bubblewrap. */
export const wallsFile = keptFile("walls.json", null, object({ key: z.string(), version: z.string() }));

/** When the person last looked where things stand, and when before that. */
export const lookFile = keptFile("look.json", 1, object({ version: z.literal(1), at: z.number(), before: z.number() }));
