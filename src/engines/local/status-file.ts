// A small file next to the journal, so that `loop status` answers immediately. A cache: it names the state of the
// journal that it reflects.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import type { Outcome } from "../../core/outcome.ts";
import { progressIn } from "../../core/progresses.ts";
import { readIfExists, statIfExists, writeAtomic } from "../../host/disk.ts";
import { rewriteTail, stampOf } from "../../host/tail.ts";
import type { RunHome } from "../../project/home.ts";
import { itemNext, itemText } from "../../runtime/records/inbox-words.ts";
import { featureCount, outcomeOf } from "../../runtime/records/words.ts";
import type { Story } from "../../runtime/story.ts";

type StatusFile = {
  readonly version: 3;
  /** The journal's length when this was written. */
  readonly journalBytes: number;
  readonly status: RunStatus;
  /** The file is overwritten in place, so a partial write must be detectable. */
  readonly sum: string;
};
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

export const statusPath = (runDir: string): string => join(runDir, "status.json");
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

export function writeStatus(home: RunHome, story: Story): void {
  const journalBytes = fs.statSync(join(home.dir, "events.jsonl")).size;
  const status = statusOf(story);
  const file: StatusFile = { version: 3, journalBytes, status, sum: sumOf(journalBytes, status) };
  const [path, text] = [statusPath(home.dir), JSON.stringify(file)];
  // Replacing the file after every event would keep the disk busy, and a truncated one loses nothing.
  const stamp = stamps.get(home);
  const written = stamp == null ? null : rewriteTail(path, { stamp, keep: 0, text });
  if (written === null) writeAtomic(path, text, { durable: false });
  stamps.set(home, written ?? stampOf(path));
}

const stamps = new WeakMap<RunHome, string | null>();
const sumOf = (journalBytes: number, status: RunStatus): string =>
  createHash("sha256")
    .update(JSON.stringify([journalBytes, status]))
    .digest("hex");

/** Null if there is none, or if the journal has grown since. */
export function readStatus(runDir: string): RunStatus | null {
  const text = readIfExists(statusPath(runDir));
  if (text === null) return null;
  try {
    const file = JSON.parse(text) as StatusFile;
    const size = statIfExists(join(runDir, "events.jsonl"))?.size;
    if (file.journalBytes !== size) return null;
    // Files of earlier releases have a different shape: the journal is read instead.
    const isWhole = file.version === 3 && file.sum === sumOf(size, file.status);
    return isWhole ? file.status : null;
  } catch {
    return null;
  }
}
