// Record-keeping must not cost more as a run gets longer, and a long queue is rarely written whole.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { RunEvent } from "../../core/event.ts";
import { commitId, featureId, runId, taskId } from "../../core/ids.ts";
import { next } from "../../core/next.ts";
import { draftFeaturesJson } from "../../formats/queue/features-render.ts";
import { workspaceDisk } from "../../project/place/workspace-disk.ts";
import { runFiles, runHome } from "../../project/runs/home.ts";
import { follow, newStory, type Story } from "../../report/story.ts";
import { featuresOnSuccess, featuresSource, readFeatures } from "../../runtime/inputs.ts";
import type { Ports, RunFiles, WorkspaceDisk } from "../../runtime/ports.ts";
import { repairGuarded } from "../../runtime/records/guard.ts";
import { recordsDue, writeRecords } from "../../runtime/records/write.ts";
import {
  checkpointed,
  collected,
  done,
  prepared,
  proved,
  replied,
  reserved,
  verdict,
} from "../../testing/world/by-hand.ts";
import { contractOf, feature } from "../../testing/world/contracts.ts";
import { mirrorRun } from "./mirror.ts";

let dir = "";
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

type Counts = { bytes: number; reads: number };

/** The real disk and files, with counters for what goes into them. */
function counted(home: { root: string; dir: string }, counts: Counts): Pick<Ports, "disk" | "files"> {
  const tally = <T extends WorkspaceDisk | RunFiles>(place: T): T => ({
    ...place,
    read: (path: string) => {
      counts.reads += 1;
      return place.read(path);
    },
    write: (path: string, text: string, durability?: "derived") => {
      counts.bytes += Buffer.byteLength(text ?? "");
      (place as RunFiles).write(path, text, durability);
    },
    rewriteTail: (path: string, tail: { stamp: string; keep: number; text: string }) => {
      const stamp = place.rewriteTail?.(path, tail) ?? null;
      if (stamp !== null) counts.bytes += Buffer.byteLength(tail.text);
      return stamp;
    },
  });
  const disk = tally(workspaceDisk(home.root));
  const holds = (path: string, text: string): boolean => {
    const isHeld = disk.holds?.(path, text) === true;
    // Otherwise it is read after all, and counted there.
    if (isHeld) counts.reads += 1;
    return isHeld;
  };
  return { disk: { ...disk, holds }, files: tally(runFiles(home.dir)) };
}

/** Plays iterations that all succeed, and returns the cost of each. */
function play(featureCount: number, iterations: number): { costs: Counts[]; queueBytes: number; log: string } {
  dir = fs.mkdtempSync(join(tmpdir(), "growth-"));
  const home = runHome(join(dir, "project"), join(dir, "vault"), taskId("t"), runId("r"));
  fs.mkdirSync(home.root);
  fs.mkdirSync(home.dir, { recursive: true });
  const name = (at: number): string => `F${String(at + 1).padStart(5, "0")}`;
  const features = Array.from({ length: featureCount }, (_, at) => feature(name(at), { criteria: [`c ${at}`] }));
  const contract = contractOf(features, {});
  const counts: Counts = { bytes: 0, reads: 0 };
  const ports = counted(home, counts);
  const entries = features.map((each) => ({ ...each, id: featureId(each.id), checks: null, mayTouch: null }));
  ports.files.write(featuresSource, draftFeaturesJson(entries));
  ports.files.write("request.md", "all\n");
  const limits = { ...contract.limits, iterationsMax: null, commitsMax: null, costUsdMax: null, sessionsMax: null };
  let story: Story = newStory({ ...contract, limits: { ...limits, activeMsMax: null, tokensMax: null } });
  const send = (fact: object): void => {
    const before = story.run;
    story = follow(story, { at: 1000, sinceMs: 0, tookMs: 0, ...fact } as RunEvent);
    const due = recordsDue(before, story.run);
    if (due) writeRecords(story, ports);
    const light = "type" in fact && fact.type === "collected";
    if (light || (due && story.run.now.is !== "between")) mirrorRun(home, ports.files, ports.disk, story, { light });
  };
  send(prepared);
  const costs: Counts[] = [];
  let head = commitId("c".repeat(40));
  for (let at = 0; at < iterations; at++) {
    const from = { ...counts };
    send({ type: "observed", features: readFeatures(story.run, ports as Ports) });
    send(checkpointed(`i${at}`, head));
    send(reserved(`b${at}`));
    send(replied(`b${at}`, done, 0));
    expect(repairGuarded(ports, "docs")).toEqual([]);
    featuresOnSuccess(story.run, featureId(name(at)), ports as Ports);
    send(collected());
    send(proved());
    send(reserved(`e${at}`));
    send(replied(`e${at}`, verdict(true), 0));
    head = commitId((at + 1).toString(16).padStart(40, "0"));
    expect(next(story.run)).toMatchObject({ do: "commit" });
    send({ type: "committed", commit: head });
    costs.push({ bytes: counts.bytes - from.bytes, reads: counts.reads - from.reads });
  }
  const queueBytes = Buffer.byteLength(ports.files.read(featuresSource) ?? "");
  return { costs, queueBytes, log: ports.disk.read("docs/loop-run-log.md") ?? "" };
}

test("an iteration writes and reads as much after 200 iterations as after 20", () => {
  const { costs, log } = play(600, 200);
  const around = (at: number, key: keyof Counts): number =>
    costs.slice(at - 5, at + 5).reduce((sum, cost) => sum + cost[key], 0) / 10;
  // Numbers get longer as they grow, and so does the text around them; nothing else may.
  expect(around(190, "bytes")).toBeLessThan(around(20, "bytes") * 1.05);
  expect(around(190, "reads")).toBe(around(20, "reads"));
  expect(log.match(/^### Iteration \d+/gm)).toHaveLength(200);
  expect(log).toContain("commits 1/off");
});

test("a queue of 5,000 features is written once an iteration, and not a second time in the vault", () => {
  const { costs, queueBytes } = play(5000, 6);
  const [, , , last] = costs;
  expect(last?.bytes).toBeLessThan(queueBytes * 1.2);
});
