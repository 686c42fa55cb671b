// What follows when an audit finds gaps: a follow-up run, up to the depth that the contract allows, then a person.
import type { Gap } from "./event.ts";
import type { InboxItem } from "./inbox.ts";
import type { Audit, Run } from "./run.ts";
import { file } from "./stop.ts";

export const blockingGaps = (audit: Audit | null): readonly Gap[] =>
  audit === null ? [] : audit.gaps.filter(({ blocking }) => blocking);

/** The audit found gaps. Finished work stays finished; the gaps are left to a follow-up run. */
export function settleAudit(run: Run, audit: Audit): Run {
  const gaps = blockingGaps(audit);
  const { depth, depthMax } = run.contract.followUp;
  const found = { ...run, audit };
  if (depth < depthMax) return file(found, { kind: "followup", gaps: gaps.length });
  const others = run.inbox.filter(({ kind }) => kind !== "gap");
  return file({ ...found, inbox: [...others, ...gaps.map(itemOf)] }, { kind: "inbox", features: [] });
}

const itemOf = (gap: Gap): InboxItem => ({ kind: "gap", feature: null, gap });
