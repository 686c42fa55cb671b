// A run at a glance, as plain data.
import type { Outcome } from "../core/outcome.ts";
import { progressIn } from "../core/progresses.ts";
import type { Story } from "./story.ts";
import { itemNext, itemText } from "./words/inbox-words.ts";
import { featureCount, outcomeOf } from "./words/words.ts";

export type RunStatus = {
  readonly task: string;
  readonly run: string;
  readonly request: string;
  readonly begunAt: number;
  readonly lastAt: number;
  readonly phase: string;
  readonly outcome: Outcome | null;
  readonly waitingUntil: number | null;
  readonly current: { readonly feature: string; readonly attempt: number; readonly role: string | null } | null;
  readonly features: readonly {
    readonly id: string;
    readonly name: string;
    readonly status: string;
    readonly grade: string | null;
    readonly commit: string | null;
  }[];
  readonly done: number;
  readonly total: number;
  readonly spent: Story["run"]["spent"];
  readonly limits: Story["run"]["contract"]["limits"];
  readonly inbox: readonly { readonly feature: string | null; readonly text: string; readonly next: string }[];
};

/** Long lists are truncated: a status is for a glance. */
const featuresShown = 200;

export function statusOf({ run, chronicle }: Story): RunStatus {
  const { now } = run;
  const { done, total } = featureCount(run);
  const work = "work" in now ? now.work : null;
  return {
    task: chronicle.task,
    run: chronicle.run,
    request: run.contract.request.slice(0, 500),
    begunAt: chronicle.begunAt,
    lastAt: chronicle.lastAt,
    phase: now.is,
    outcome: outcomeOf(run),
    waitingUntil: now.is === "waiting" ? now.until : null,
    current:
      work === null
        ? null
        : { feature: work.feature, attempt: work.attempt, role: now.is === "in-session" ? now.role : null },
    features: run.contract.features.slice(0, featuresShown).map(({ id, name }) => {
      const progress = progressIn(run.progress, id);
      return {
        id,
        name,
        status: progress?.status ?? "not-started",
        grade: progress?.grade ?? null,
        commit: progress?.commit ?? null,
      };
    }),
    done,
    total,
    spent: run.spent,
    limits: run.contract.limits,
    inbox: run.inbox.slice(0, 50).map((item) => ({
      feature: item.feature,
      text: itemText(item),
      next: itemNext(item, run.contract.recordsDir),
    })),
  };
}
