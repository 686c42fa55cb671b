// What a session is told, what it must answer, and what the answer means for the run.

import type { Feature } from "../../core/contract.ts";
import type { Reply } from "../../core/event.ts";
import type { Candidate, Role, Run, Work } from "../../core/run.ts";
import type { Ports } from "../ports.ts";

export type RoleSpec = {
  /** May it change files? Then it works in the workspace; otherwise in a checkout of the candidate. */
  readonly mayWrite: boolean;
  readonly replySchema: unknown;
  prompt(task: RoleTask): Promise<string>;
  /** What a session is told that goes on with the conversation of the try before; left out: it always begins anew. */
  again?(task: RoleTask): string;
  /** The reply as the core knows it, or what is wrong with it. */
  read(reply: unknown, task: RoleTask): ReadReply | Promise<ReadReply>;
};

export type ReadReply = Reply | { readonly problem: string };

export type RoleTask = {
  readonly role: Role;
  readonly run: Run;
  readonly work: Work;
  readonly feature: Feature;
  readonly candidate: Candidate | null;
  readonly ports: Ports;
};
