// Writes the records that are derived from the journal. They can be deleted and written again at any time.
import type { Contract } from "../../core/contract.ts";
import type { Run } from "../../core/run.ts";
import { draftLoopMd, setInbox } from "../../formats/loop-md.ts";
import { queueText } from "../inputs.ts";
import type { Ports, RunFiles } from "../ports.ts";
import type { Story } from "../story.ts";
import { budgetText } from "./budget.ts";
import { holds, known, remember } from "./guard.ts";
import { inboxLines } from "./inbox-words.ts";
import { rememberQueue } from "./known-queue.ts";
import { type RecordName, recordPath } from "./paths.ts";
import { progressHeader, progressText } from "./progress.ts";
import { runLogHeader } from "./run-log.ts";
import { writeRunLog } from "./run-log-file.ts";

/**
 * Between sessions only: while an agent works, these files are as the checkpoint has them. Once they are filed they are in a
 * commit, and what filing itself took is told the next time: an ending leaves nothing uncommitted behind.
 */
export function recordsDue(before: Run, after: Run): boolean {
  if (after.origin === null || before.now.is === after.now.is || isFiled(before, after)) return false;
  return ["between", "marking", "closing", "resting", "filing"].includes(after.now.is);
}

const isFiled = ({ now: was }: Run, { now: is }: Run): boolean =>
  was.is === "filing" && is.is === "resting" && is.outcome === was.outcome;

export function writeRecords({ run, chronicle }: Story, ports: Pick<Ports, "disk" | "files">): void {
  const { recordsDir } = run.contract;
  const write = (name: RecordName, text: string | null) => {
    const path = recordPath(recordsDir, name);
    if (text === null || (text === known(ports.files, path) && text === ports.disk.read(path))) return;
    ports.disk.write(path, text);
    remember(ports.files, path, text);
  };
  if (!isSoonWritten(run, ports)) writeQueue(run, ports);
  // What follows is over at once, and is followed by records in any case.
  if (run.now.is === "between") return;
  write("LOOP.md", loopMd(run, ports));
  writeRunLog({ run, chronicle }, ports, (title, entries) =>
    write("loop-run-log.md", after("loop-run-log.md", runLogHeader, `${title}${entries}`, run, ports)),
  );
  write("PROGRESS.md", after("PROGRESS.md", progressHeader, progressText(run, chronicle), run, ports));
  write("loop-budget.md", budgetText(run, chronicle));
}

function writeQueue(run: Run, { disk, files }: Pick<Ports, "disk" | "files">): void {
  const queue = queueText(run, files);
  const path = recordPath(run.contract.recordsDir, "FEATURES.json");
  if (queue === null || (queue.text === known(files, path) && holds(disk, path, queue.text))) return;
  disk.write(path, queue.text);
  rememberQueue(files, queue);
  queueStamps.set(files, disk.stamp?.(path) ?? null);
}

/**
 * Between two features nobody looks: with the next one marked, both changes are one write of what may be a large file. But
 * after a roll-back it is put right at once, or the old one would be taken for a person's edit.
 */
function isSoonWritten({ now, contract }: Run, { disk, files }: Pick<Ports, "disk" | "files">): boolean {
  if (now.is !== "between") return false;
  const path = recordPath(contract.recordsDir, "FEATURES.json");
  const stamp = disk.stamp?.(path) ?? null;
  if (stamp !== null && queueStamps.get(files) === stamp) return true;
  const was = known(files, path);
  return was !== null && holds(disk, path, was);
}

/** How the queue was when it was last written here: if it still is, it need not be read to know that. */
const queueStamps = new WeakMap<RunFiles, string | null>();

/** What earlier runs wrote stays above; it is kept once, when this run first writes. */
function after(
  name: RecordName,
  header: string,
  text: string,
  run: Run,
  { disk, files }: Pick<Ports, "disk" | "files">,
): string {
  const kept = `before/${name}`;
  let before = files.read(kept);
  if (before === null) {
    before = disk.read(recordPath(run.contract.recordsDir, name)) ?? header;
    files.write(kept, before);
  }
  return `${before.replace(/\n*$/, "\n")}\n${text}`;
}

/** The contract as it is written down where nobody has written one. */
export const draftOf = (contract: Contract): string =>
  draftLoopMd({
    goal: contract.request,
    // Not the ids of today: the draft is read by the next run, whose features have other ones.
    include: contract.scope.include ?? [],
    exclude: contract.scope.exclude,
    autonomy: contract.autonomy,
    checks: contract.checks.map(({ name, run: command, must }) => ({ name, run: command, must })),
    limits: contract.limits,
  });

function loopMd(run: Run, { disk, files }: Pick<Ports, "disk" | "files">): string | null {
  const { contract } = run;
  const path = recordPath(contract.recordsDir, "LOOP.md");
  const text = disk.read(path) ?? draftOf(contract);
  // Saved as something else than UTF-8 since the run began: writing it again would lose characters.
  if (text.includes("\ufffd")) {
    remember(files, path, text);
    return null;
  }
  return withInbox(text, inboxLines(run));
}

let lastInbox: { text: string; items: string; made: string } | null = null;

/** The contract and the inbox rarely change, and reading the contract as Markdown takes its time. */
function withInbox(text: string, items: readonly string[]): string {
  const key = items.join("\n");
  if (lastInbox?.text !== text || lastInbox.items !== key)
    lastInbox = { text, items: key, made: setInbox(text, items) };
  return lastInbox.made;
}
