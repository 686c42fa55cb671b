// What the vault of a workspace keeps: the states that the loop can return to, and what it has set aside.
import { z } from "zod";
import { keptFile } from "./kept-file.ts";
import { hash, list, object, texts } from "./parts.ts";

/** For what was noted before an agent worked: noted again now, it could be the agent's doing. */
export const restoreOrRemove =
  "Restore the file from a backup. If no agent has worked here since your last commit, remove it: it is written again";

/** The folder that the vault belongs to; for a worktree, also the one that it was made from. */
export const workspaceFile = keptFile(
  "workspace.json",
  1,
  object({
    release: z.string().optional(),
    root: z.string(),
    project: z.string().optional(),
    copy: z.string().optional(),
  }),
);

/** The same file as a later release may have written it: only who wrote it is read. */
export const vaultReleaseFile = keptFile(
  "workspace.json",
  null,
  z.looseObject({
    version: z.number(),
    release: z
      .string()
      .regex(/^[\w.+-]{1,40}$/)
      .optional(),
  }),
);

/** What the repository's own loop.yaml names and the person has agreed to, by hash. */
export const trustFile = keptFile("trust.json", 1, object({ version: z.literal(1), agreed: list(z.string()) }));

/** What a session of a command agent costs, as the person said. */
export const agentPricesFile = keptFile(
  "agent-prices.json",
  1,
  object({ version: z.literal(1), prices: list(object({ command: texts, costUsd: z.number().min(0).nullable() })) }),
);

/** The person's git settings, as they were before the first session. */
export const settingsFile = keptFile(
  "settings.json",
  null,
  object({
    identity: object({ name: z.string(), email: z.string() }).nullable(),
    excludes: z.string(),
    attributes: z.string(),
    conversions: texts,
    fileSystem: texts,
    filters: texts,
    objectFormat: z.string(),
    refFormat: z.string(),
    bare: z.boolean(),
    partial: z.boolean(),
  }),
);

const nested = list(
  object({ path: z.string(), tree: hash.nullable(), git: z.string().nullable(), gitFile: z.string().nullable() }),
);

export const checkpointFile = keptFile(
  "checkpoints/*.json",
  1,
  object({
    version: z.literal(1),
    checkpoint: object({ id: z.string(), tree: hash, head: z.string().nullable(), branch: z.string().nullable() }),
    at: z.number(),
    raw: hash,
    nested,
    repo: object({ gitDir: z.string(), commonDir: z.string() }).nullable(),
    own: z.string(),
    git: z.string().nullable(),
  }),
);

export const quarantineFile = keptFile(
  "quarantine/*.json",
  1,
  object({
    version: z.literal(1),
    id: z.string(),
    at: z.number(),
    why: z.string(),
    paths: texts,
    trees: list(object({ prefix: z.string(), tree: hash })),
    nested,
    git: z.string().nullable(),
    commits: texts,
    except: texts.optional(),
    moved: list(object({ path: z.string(), at: z.string() })).optional(),
  }),
);

/** The files of a `.git`, by content. */
export const gitFilesFile = keptFile(
  "git-files/*",
  null,
  object({ files: z.record(z.string(), object({})), locks: texts, bulk: texts }),
);

/** What the person's repository stores for files that a filter program converts. */
export const filteredFile = keptFile(
  "filtered.json",
  null,
  z.record(z.string(), object({ raw: hash, committed: hash })),
);

/** Paths of nested repositories that count as links. */
export const linksFile = keptFile("links.json", null, texts);

/** Links that were made in a scratch checkout. */
export const broughtFile = keptFile("scratch/*.brought.json", null, texts);

/** The worktree that a run works in. Hashes of inputs are null where there was no such file. */
export const placeFile = keptFile(
  "places/*/place.json",
  1,
  object({
    version: z.literal(1),
    run: z.string(),
    branch: z.string(),
    onto: z.string().nullable(),
    base: hash,
    taken: z.record(z.string(), z.string().nullable()),
    landed: object({ commit: hash, at: z.number(), kept: texts.optional() }).nullable(),
    left: z.string().nullable(),
    landsBy: z.enum(["merge", "pull-request"]).optional(),
    inTheWay: texts.optional(),
    records: object({ written: texts, left: texts }).optional(),
  }),
);
