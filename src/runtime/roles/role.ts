// What a session is told, what it must answer, and what the answer means for the run.

import type { Feature } from "../../core/contract.ts";
import { Bug } from "../../core/errors.ts";
import type { Reply } from "../../core/event.ts";
import type { Candidate, Pair, Role, Run, Work } from "../../core/run.ts";
import type { Ports } from "../ports.ts";

export type RoleSpec<Task = RoleTask> = {
  /** May it change files? Then it works in the workspace; otherwise in a checkout of what there is. */
  readonly mayWrite: boolean;
  readonly replySchema: unknown;
  prompt(task: Task): Promise<string>;
  /** What a session is told that goes on with the conversation of the try before; left out: it always begins anew. */
  again?(task: Task): string;
  /** The reply as the core knows it, or what is wrong with it. */
  read(reply: unknown, task: Task): ReadReply | Promise<ReadReply>;
};

export type ReadReply = Reply | { readonly problem: string };

export type RoleTask = {
  readonly role: Role;
  readonly run: Run;
  readonly work: Work | null;
  readonly feature: Feature | null;
  readonly candidate: Candidate | null;
  readonly pair: Pair | null;
  readonly ports: Ports;
};
export type FeatureTask = RoleTask & { readonly work: Work; readonly feature: Feature };

/** Most roles are about one feature; some are about the whole, and have none. */
export function forFeature(spec: RoleSpec<FeatureTask>): RoleSpec {
  const ofFeature = (task: RoleTask): FeatureTask => {
    const { work, feature } = task;
    if (work === null || feature === null) throw new Bug(`a ${task.role} works on a feature`);
    return { ...task, work, feature };
  };
  return {
    mayWrite: spec.mayWrite,
    replySchema: spec.replySchema,
    prompt: (task) => spec.prompt(ofFeature(task)),
    ...(spec.again === undefined ? {} : { again: (task: RoleTask) => spec.again?.(ofFeature(task)) ?? "" }),
    read: (reply, task) => spec.read(reply, ofFeature(task)),
  };
}
