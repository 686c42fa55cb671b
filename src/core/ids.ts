// Branded ids. The text is checked once, where the brand is given, and nowhere after that.
import { Bug } from "./errors.ts";

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A request and all its runs. */
export type TaskId = Branded<"TaskId">;
/** One run. Ids begin with the time, so that they sort by age. */
export type RunId = Branded<"RunId">;
/** A feature of the work queue: `F001`. */
export type FeatureId = Branded<"FeatureId">;
/** One conversation with one agent; unguessable, so that an answer cannot be prepared for it. */
export type SessionId = Branded<"SessionId">;
/** A git tree: the content of a workspace, by hash. */
export type TreeId = Branded<"TreeId">;
/** A git commit, by hash. */
export type CommitId = Branded<"CommitId">;
/** One effect of a run, answered by exactly one result. */
export type EffectKey = Branded<"EffectKey">;
/** A state of the workspace, kept in the vault. */
export type CheckpointId = Branded<"CheckpointId">;

// Ids become file names and parts of refs, so they contain no character that is special in a path or ref.
const plainName = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,63}$/;
const gitHash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Whether a text can be an id: safe as a file name and in a ref. */
export const isPlainName = (text: string): boolean =>
  plainName.test(text) && !text.endsWith(".") && !text.endsWith(".lock");

function named<Id extends string>(kind: string, pattern: (text: string) => boolean): (text: string) => Id {
  return (text) => {
    if (!pattern(text)) throw new Bug(`not a ${kind}: ${JSON.stringify(text.slice(0, 100))}`);
    return text as Id;
  };
}

/** Checks and brands a text. */
export const taskId = named<TaskId>("task id", isPlainName);
/** Checks and brands a text. */
export const runId = named<RunId>("run id", isPlainName);
/** Checks and brands a text. */
export const featureId = named<FeatureId>("feature id", isPlainName);
/** Checks and brands a text. */
export const sessionId = named<SessionId>("session id", isPlainName);
/** Checks and brands a hash. */
export const treeId = named<TreeId>("tree id", (text) => gitHash.test(text));
/** Checks and brands a hash. */
export const commitId = named<CommitId>("commit id", (text) => gitHash.test(text));
/** Checks and brands a text. */
export const effectKey = named<EffectKey>("effect key", isPlainName);
/** Checks and brands a text. */
export const checkpointId = named<CheckpointId>("checkpoint id", isPlainName);
