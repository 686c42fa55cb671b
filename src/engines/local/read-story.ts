// A run as its journal tells it, without disturbing the process that drives it.
import type { RunEvent } from "../../core/event.ts";
import { runId } from "../../core/ids.ts";
import { readFileJournal } from "../../journal/file/read.ts";
import { type RunHome, runDir, runFiles, runHome } from "../../project/home.ts";
import { follow, newStory, type Story, storyVersion } from "../../report/story.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { type Plan, readPlan } from "../plan.ts";
import { unpacked } from "./payloads.ts";

export function homeOf(root: string, run: string): { home: RunHome; plan: Plan } {
  const vault = vaultDirFor(root);
  const { plan } = readPlan(runFiles(runDir(vault, run)));
  return { home: runHome(root, vault, plan.task, runId(run)), plan };
}

export function readStory(root: string, run: string): { story: Story; seq: number } {
  const { plan, snapshot, events, seq } = pastOf(root, run, storyVersion);
  return { story: events.reduce(follow, snapshot ?? newStory(plan.contract)), seq };
}

/** Every event since the beginning. */
export function readEvents(root: string, run: string): { plan: Plan; events: readonly RunEvent[] } {
  return pastOf(root, run, everyEvent);
}

/** No snapshot has this version, so that none is used. */
const everyEvent = -1;

function pastOf(root: string, run: string, stateVersion: number) {
  const { home, plan } = homeOf(root, run);
  const files = runFiles(home.dir);
  const past = readFileJournal<RunEvent, Story>({
    vaultDir: home.dir,
    mirrorDir: home.mirror,
    run,
    parse: (json) => unpacked(json, files),
    stateVersion,
  });
  return { ...past, plan };
}
