// A session's prompt, its expected reply, and what the reply means for the run.

import type { Feature } from "../../core/contract.ts";
import { Bug } from "../../core/errors.ts";
import type { Reply } from "../../core/event.ts";
import type { Candidate, Pair, Role, Run, Work } from "../../core/run.ts";
import type { Ports } from "../ports.ts";

export type RoleSpec<Task = RoleTask> = {
  /** Whether it may change files. If so, it works in the workspace; otherwise in a checkout. */
  readonly mayWrite: boolean;
  readonly replySchema: unknown;
  prompt(task: Task): Promise<string>;
  /**
   * The prompt for a session that resumes the conversation of the previous attempt; without it, every session starts
   * fresh.
   */
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
  /** The folder in which its session works. */
  readonly cwd: string;
};
export type FeatureTask = RoleTask & { readonly work: Work; readonly feature: Feature };

/** Most roles work on one feature; some work on the whole run and have none. */
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
