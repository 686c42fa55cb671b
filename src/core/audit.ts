// What follows from what is missing: a follow-up run, as deep as the contract lets it go, and then a person.
import type { Gap } from "./event.ts";
import type { InboxItem } from "./inbox.ts";
import type { Audit, Run } from "./run.ts";
import { file } from "./stop.ts";

export const blockingGaps = (audit: Audit | null): readonly Gap[] =>
  audit === null ? [] : audit.gaps.filter(({ blocking }) => blocking);

/** Something that was asked for is not there. What is done stays done; the rest is a run of its own. */
export function settleAudit(run: Run, audit: Audit): Run {
  const gaps = blockingGaps(audit);
  const { depth, depthMax } = run.contract.followUp;
  const found = { ...run, audit };
  if (depth < depthMax) return file(found, { kind: "followup", gaps: gaps.length });
  const others = run.inbox.filter(({ kind }) => kind !== "gap");
  return file({ ...found, inbox: [...others, ...gaps.map(itemOf)] }, { kind: "inbox", features: [] });
}

const itemOf = (gap: Gap): InboxItem => ({ kind: "gap", feature: null, gap });
