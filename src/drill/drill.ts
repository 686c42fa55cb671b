// The drill: a cast of bad agents and an honest one against a project's own configuration, in disposable copies.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { UserError } from "../core/errors.ts";
import { openDoor } from "../host/confine/none.ts";
import { ensureDir } from "../host/disk.ts";
import { localChecks } from "../project/checks/checks.ts";
import { loadSettings } from "../project/config/settings.ts";
import { planRun } from "../project/plan/plan-run.ts";
import { featuresPath, recordPath, shapePath } from "../runtime/records/paths.ts";
import { type Act, cast } from "./cast.ts";
import { borrow, copyWorkspace, startRepository } from "./copy.ts";
import { type Ground, lookAround } from "./ground.ts";
import { judge } from "./judge.ts";
import { actFlags, play, type Stage } from "./play.ts";

export type DrillOrder = {
  readonly root: string;
  /** Names of acts; empty: all of them. */
  readonly only: readonly string[];
  readonly stop: AbortSignal;
  onReady?(ready: Ready): void;
  onAct?(result: ActResult): void;
};
export type Ready = {
  readonly language: string;
  readonly checkMs: number;
  readonly estimateMs: number;
  readonly acts: number;
};
export type ActResult = {
  readonly act: string;
  readonly does: string;
  readonly result: "caught" | "missed" | "accepted" | "refused" | "not-tried";
  /** How the loop reported it, or why it was not tried. */
  readonly named: string;
  readonly problems: readonly string[];
  readonly advice: string | null;
  readonly ms: number;
};

/** The approximate cost of a run apart from its checks. */
const overheadMs = 2500;

export async function drill(order: DrillOrder): Promise<readonly ActResult[]> {
  const acts = chosen(order.only);
  const tmp = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-drill-")));
  const state = process.env["XDG_STATE_HOME"];
  // All data of the drill's runs is stored here, and removed with it.
  process.env["XDG_STATE_HOME"] = join(tmp, "state");
  try {
    const stage = await prepare(order, tmp);
    const { ground, checkMs } = stage;
    const lanes = [acts.filter(({ runs }) => runs > 0), acts.filter(({ runs }) => runs === 0)];
    const needs = lanes.map((lane) => lane.reduce((sum, act) => sum + overheadMs + act.runs * checkMs, 0));
    const language = ground.props?.language ?? "unknown";
    order.onReady?.({ language, checkMs, estimateMs: Math.max(...needs), acts: acts.length });
    const results = new Map<string, ActResult>();
    // The user's checks may not support concurrent runs. Acts that never get to them run in parallel with the others.
    await Promise.all(
      lanes.map(async (lane) => {
        for (const act of lane) {
          if (order.stop.aborted) return;
          const result = await perform(act, stage, order.stop);
          results.set(act.name, result);
          order.onAct?.(result);
        }
      }),
    );
    return acts.flatMap(({ name }) => results.get(name) ?? []);
  } finally {
    if (state === undefined) delete process.env["XDG_STATE_HOME"];
    else process.env["XDG_STATE_HOME"] = state;
    fs.rmSync(tmp, { recursive: true, force: true });
  }
}

function chosen(only: readonly string[]): readonly Act[] {
  const unknown = only.filter((name) => !cast.some((act) => act.name === name));
  if (unknown.length === 0) return only.length === 0 ? cast : cast.filter(({ name }) => only.includes(name));
  throw new UserError("no-such-act", {
    what: "The drill did not start.",
    why: `There is no act called ${unknown.join(", ")}.`,
    next: `Choose from: ${cast.map(({ name }) => name).join(", ")}`,
  });
}

async function prepare({ root, stop }: DrillOrder, tmp: string): Promise<Stage> {
  const home = join(tmp, "home");
  const settings = loadSettings(root, {}, true);
  const copied = await copyWorkspace(root, tmp);
  const queue = featuresPath(settings.recordsDir);
  writeQueue(copied.dir, queue);
  // People's notes about their own features do not apply to the drill's.
  for (const path of [recordPath(settings.recordsDir, "LOOP.md"), shapePath])
    fs.rmSync(join(copied.dir, path), { force: true });
  const flags = actFlags({ tmp }, { name: "none", runs: 1 });
  const { contract } = planRun({ root: copied.dir, request: null, flags, yesReally: true });
  const ground = lookAround(copied.dir, contract, copied.files);
  writeQueue(copied.dir, queue, ground);
  await startRepository(copied, home);
  const template = borrow(root, copied, settings.proof.room.files);
  fs.writeFileSync(join(tmp, "wanted.json"), JSON.stringify(ground.feature));
  const stage = { tmp, home, template, ground, folder: basename(root) };
  return { ...stage, checkMs: await measure(stage, stop) };
}

/** The one feature of every act: small, and the same for all. */
function writeQueue(dir: string, path: string, ground?: Ground): void {
  const criterion = `${ground?.feature.path ?? "A file"} is there and says "drill"`;
  const feature = {
    id: "F001",
    name: "Loop drill",
    priority: 1,
    status: "not-started",
    description: "Made up by loop drill.",
    acceptance_criteria: [criterion],
    dependencies: [],
  };
  ensureDir(dirname(join(dir, path)), 0o755);
  fs.writeFileSync(join(dir, path), `${JSON.stringify({ version: 1, features: [feature] }, null, 2)}\n`);
}

/** A check that fails from the start would refuse every act, and prove nothing. */
async function measure({ tmp, template, ground }: Omit<Stage, "checkMs">, stop: AbortSignal): Promise<number> {
  const cwd = join(tmp, "measured");
  fs.cpSync(template.dir, cwd, { recursive: true, verbatimSymlinks: true });
  let ms = 0;
  for (const { name, run, must, timeoutMs, browser } of ground.contract.checks) {
    for (const command of [run]) {
      const outputFile = join(tmp, `measured-${name}.log`);
      const steps = browser === undefined || command !== run ? {} : { browser };
      const order = { name, command, cwd, timeoutMs, outputFile, env: {}, door: openDoor, ...steps };
      const result = await localChecks.run(order, stop);
      ms += result.ms;
      if (result.how === "passed" || result.how === "interrupted" || must === "turn-green") continue;
      throw new UserError("red-baseline", {
        what: "The drill did not start.",
        why: `${name} (${command}) is red before anything was done:\n${result.tail.slice(-1500)}`,
        next: "Make it green, then: loop drill",
      });
    }
  }
  fs.rmSync(cwd, { recursive: true, force: true });
  return ms;
}

async function perform(act: Act, stage: Stage, stop: AbortSignal): Promise<ActResult> {
  const { name, does, must } = act;
  const steps = act.play(stage.ground);
  if ("cannot" in steps)
    return { act: name, does, result: "not-tried", named: steps.cannot, problems: [], advice: null, ms: 0 };
  const seen = await play(act, steps, stage, stop);
  const { caught, named, problems } = judge(must, seen);
  const honest = must.be === "accepted";
  const result = honest ? (caught ? "accepted" : "refused") : caught ? "caught" : "missed";
  const advice = caught ? null : act.advice(stage.ground);
  return { act: name, does, result, named, problems, advice, ms: Math.round(seen.ms) };
}
