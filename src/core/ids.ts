// Branded ids. The text is checked once, where the brand is given, and nowhere after that.
import { Bug } from "./errors.ts";

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type TaskId = Branded<"TaskId">;
export type RunId = Branded<"RunId">;
export type FeatureId = Branded<"FeatureId">;
/** One conversation with one agent; unguessable, so that an answer cannot be prepared for it. */
export type SessionId = Branded<"SessionId">;
/** A git tree: the content of a workspace, by hash. */
export type TreeId = Branded<"TreeId">;
export type CommitId = Branded<"CommitId">;
/** One effect of a run, answered by exactly one result. */
export type EffectKey = Branded<"EffectKey">;
/** A state of the workspace, kept in the vault. */
export type CheckpointId = Branded<"CheckpointId">;

// Ids become file names and parts of refs, so they contain no character that is special in a path or ref.
const plainName = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,63}$/;
const gitHash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export const isPlainName = (text: string): boolean =>
  plainName.test(text) && !text.endsWith(".") && !text.endsWith(".lock");

function named<Id extends string>(kind: string, pattern: (text: string) => boolean): (text: string) => Id {
  return (text) => {
    if (!pattern(text)) throw new Bug(`not a ${kind}: ${JSON.stringify(text.slice(0, 100))}`);
    return text as Id;
  };
}

export const taskId = named<TaskId>("task id", isPlainName);
export const runId = named<RunId>("run id", isPlainName);
export const featureId = named<FeatureId>("feature id", isPlainName);
export const sessionId = named<SessionId>("session id", isPlainName);
export const treeId = named<TreeId>("tree id", (text) => gitHash.test(text));
export const commitId = named<CommitId>("commit id", (text) => gitHash.test(text));
export const effectKey = named<EffectKey>("effect key", isPlainName);
export const checkpointId = named<CheckpointId>("checkpoint id", isPlainName);
