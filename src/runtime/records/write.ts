// Writes the records derived from the journal. They can be deleted and rewritten at any time.
import type { Contract } from "../../core/contract.ts";
import type { Run } from "../../core/run.ts";
import { itemsInInbox, setInbox } from "../../formats/contract/inbox.ts";
import { draftLoopMd } from "../../formats/contract/loop-md.ts";
import { markDraft } from "../../formats/contract/loop-md-mark.ts";
import { capsInBudget } from "../../formats/contract/written-caps.ts";
import { budgetText } from "../../report/markdown/budget.ts";
import { inboxList } from "../../report/markdown/inbox-list.ts";
import { progressHeader, progressText } from "../../report/markdown/progress.ts";
import { runLogHeader, runLogText } from "../../report/markdown/run-log.ts";
import { overview } from "../../report/overview.ts";
import type { Story } from "../../report/story.ts";
import { queueText } from "../inputs.ts";
import type { Ports, RunFiles } from "../ports.ts";
import { known, remember } from "./guard.ts";
import { type RecordName, recordPath } from "./paths.ts";

/**
 * Between sessions, and once the run is cancelled: while an agent works, these files match the checkpoint. Filing commits
 * them, and the time that filing itself took is added the next time: an ended run leaves nothing uncommitted.
 */
export function recordsDue(before: Run, after: Run): boolean {
  if (after.origin === null || before.now.is === after.now.is || isFiled(before, after)) return false;
  // Any other ending was filed.
  if (after.now.is === "stopped") return after.now.outcome.kind === "cancelled";
  return ["between", "marking", "closing", "resting", "filing"].includes(after.now.is);
}

const isFiled = ({ now: was }: Run, { now: is }: Run): boolean =>
  was.is === "filing" && is.is === "resting" && is.outcome === was.outcome;

export function writeRecords(story: Story, ports: Pick<Ports, "disk" | "files">): void {
  const { run } = story;
  const { recordsDir } = run.contract;
  const write = (name: RecordName, text: string | null) => {
    const path = recordPath(recordsDir, name);
    if (text === null || (text === known(ports.files, path) && text === ports.disk.read(path))) return;
    ports.disk.write(path, text);
    remember(ports.files, path, text);
  };
  write("FEATURES.json", queueText(run, ports.files));
  // The next phase ends immediately, and records are written after it anyway.
  if (run.now.is === "between") return;
  // Who writes them drives the run.
  const shown = overview(story, { isDriven: true });
  // A run that is given up adds nothing to the person's contract: they may have changed it since the run rested.
  if (run.now.is !== "stopped") write("LOOP.md", loopMd(run, inboxList(shown), ports));
  write("loop-run-log.md", after("loop-run-log.md", runLogHeader, runLogText(shown), run, ports));
  write("PROGRESS.md", after("PROGRESS.md", progressHeader, progressText(shown), run, ports));
  const budgetPath = recordPath(recordsDir, "loop-budget.md");
  const budget = known(ports.files, budgetPath) ?? ports.disk.read(budgetPath);
  write("loop-budget.md", budgetText(shown, budget === null ? {} : capsInBudget(budget).caps));
}

const beforePlace = (name: string): string => `before/${name}`;

/** A record of a person's, or one that grows, as it was when the run first wrote it; null: it did not exist. */
export const beforeRun = (files: RunFiles, path: string): string | null =>
  files.read(beforePlace(path.slice(path.lastIndexOf("/") + 1)));

/** Text from earlier runs stays above; it is stored once, when this run first writes. */
function after(
  name: RecordName,
  header: string,
  text: string,
  run: Run,
  { disk, files }: Pick<Ports, "disk" | "files">,
): string {
  const kept = beforePlace(name);
  let before = files.read(kept);
  if (before === null) {
    before = disk.read(recordPath(run.contract.recordsDir, name)) ?? header;
    files.write(kept, before);
  }
  return `${before.replace(/\n*$/, "\n")}\n${text}`;
}

/** The contract as a draft, for a project that has none. */
export const draftOf = (contract: Contract): string =>
  markDraft(
    draftLoopMd({
      goal: contract.request,
      // Not today's ids: the next run reads the draft, and its features have different ids.
      include: contract.scope.include ?? [],
      exclude: contract.scope.exclude,
      autonomy: contract.autonomy,
      checks: contract.checks.map(({ name, run: command, must }) => ({ name, run: command, must })),
      limits: contract.limits,
      recordsDir: contract.recordsDir,
    }),
  );

function loopMd(run: Run, inbox: readonly string[], { disk, files }: Pick<Ports, "disk" | "files">): string | null {
  const path = recordPath(run.contract.recordsDir, "LOOP.md");
  const was = disk.read(path);
  if (was !== null && beforeRun(files, path) === null) files.write(beforePlace("LOOP.md"), was);
  const text = was ?? draftOf(run.contract);
  // Saved in an encoding other than UTF-8 since the run began: rewriting it would lose characters.
  if (text.includes("\ufffd")) {
    remember(files, path, text);
    return null;
  }
  return mergedInbox(text, inbox, run);
}

/**
 * The run's items replace those about itself and its features. A person's stay, those of features that it does not work
 * on, and the reason of an earlier run why a feature is blocked, which this run does not know.
 */
function mergedInbox(text: string, items: readonly string[], { contract, inbox }: Run): string {
  const before = new Set(
    inbox.flatMap((item) => (item.kind === "blocked" && item.by.is === "blocked-before" ? [String(item.feature)] : [])),
  );
  const ours = new Set<string>(["run", ...contract.features.map(({ id }) => id)]);
  const kept = itemsInInbox(text).filter(({ about }) => about === null || before.has(about) || !ours.has(about));
  const told = new Set(kept.map(({ about }) => about));
  const isTold = (item: string): boolean => [...before].some((id) => told.has(id) && item.startsWith(`${id}: `));
  return setInbox(
    text,
    items.filter((item) => !isTold(item)),
    kept,
  );
}
