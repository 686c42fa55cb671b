// The story of a run, read from its journal without disturbing the process that drives it.
import type { RunEvent } from "../../core/event.ts";
import { runId } from "../../core/ids.ts";
import { readFileJournal } from "../../journal/file/read.ts";
import { type RunHome, runDir, runFiles, runHome } from "../../project/home.ts";
import { follow, newStory, type Story, storyVersion } from "../../runtime/story.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { unpacked } from "./payloads.ts";
import { type Plan, readPlan } from "./plan.ts";

export function homeOf(root: string, run: string): { home: RunHome; plan: Plan } {
  const vault = vaultDirFor(root);
  const { plan } = readPlan(runFiles(runDir(vault, run)));
  return { home: runHome(root, vault, plan.task, runId(run)), plan };
}

export function readStory(root: string, run: string): Story {
  const { home, plan } = homeOf(root, run);
  const files = runFiles(home.dir);
  const { snapshot, events } = readFileJournal<RunEvent, Story>({
    vaultDir: home.dir,
    mirrorDir: home.mirror,
    run,
    parse: (json) => unpacked(json, files),
    stateVersion: storyVersion,
  });
  return events.reduce(follow, snapshot ?? newStory(plan.contract));
}
