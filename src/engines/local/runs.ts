// The runs of a workspace, the newest first, and opening one of them again.
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";
import { runId } from "../../core/ids.ts";
import { readFileJournal } from "../../journal/file/read.ts";
import { follow, newStory, type Story, storyVersion } from "../../runtime/story.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { type Held, held, lockWorkspace } from "./begin.ts";
import { parseEvent } from "./events.ts";
import { type RunHome, runDir, runFiles, runHome, runsDir } from "./home.ts";
import { LocalRun } from "./local-run.ts";
import { type Plan, readPlan } from "./plan.ts";

/** Run ids begin with their time, so that names sort by age. */
export function listRuns(root: string): string[] {
  const dir = runsDir(vaultDirFor(root));
  if (!fs.existsSync(dir)) return [];
  const names = fs.readdirSync(dir).filter((name) => fs.existsSync(join(dir, name, "events.jsonl")));
  return names.sort().reverse();
}

export function latestRun(root: string, named?: string): string {
  const runs = listRuns(root);
  const found =
    named === undefined ? runs[0] : runs.find((run) => run === named || run.startsWith(named) || run.endsWith(named));
  if (found !== undefined) return found;
  throw new UserError(
    "no-such-run",
    {
      what: "There is no such run.",
      why: named === undefined ? `No run was ever begun in ${root}.` : `No run here is called ${named}.`,
      next: named === undefined ? 'loop "what should be done"' : "loop list",
    },
    { exitCode: 64 },
  );
}

function homeOf(root: string, run: string): { home: RunHome; plan: Plan } {
  const vault = vaultDirFor(root);
  const { plan } = readPlan(runFiles(runDir(vault, run)));
  return { home: runHome(root, vault, plan.task, runId(run)), plan };
}

/** The story of a run, read without disturbing whoever drives it. */
export function readStory(root: string, run: string): Story {
  const { home, plan } = homeOf(root, run);
  const { snapshot, events } = readFileJournal<RunEvent, Story>({
    vaultDir: home.dir,
    mirrorDir: home.mirror,
    run,
    parse: parseEvent,
    stateVersion: storyVersion,
  });
  return events.reduce(follow, snapshot ?? newStory(plan.contract));
}

/** Opens a run for going on. */
export async function openRun(root: string, run: string, options: { stealLock?: boolean } = {}): Promise<Held> {
  const lock = await lockWorkspace(root, `run ${run}`, options.stealLock);
  try {
    const { home, plan } = homeOf(root, run);
    const workspace = await openWorkspace({ root, vaultDir: home.vault, kind: plan.kind });
    const opened = new LocalRun(home, workspace, { fresh: false });
    for (const notice of lock.notices) opened.send({ type: "noted", about: notice.kind, text: notice.text });
    return held(opened, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}
