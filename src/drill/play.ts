// Plays one act: a whole run with one feature, in its own copy, and what can be observed afterwards.
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RehearsalStep } from "../agents/rehearsal/script.ts";
import { Bug } from "../core/errors.ts";
import type { Outcome } from "../core/outcome.ts";
import { LocalEngine } from "../engines/local/engine.ts";
import { watch } from "../engines/watch.ts";
import type { LoopYaml } from "../formats/config/loop-yaml.ts";
import { ensureDir } from "../host/disk.ts";
import { sweep } from "../host/process/tree.ts";
import { sleep } from "../host/process/wait.ts";
import { planRun } from "../project/plan/plan-run.ts";
import { forgetRun, outputOf } from "../project/runs/forget-run.ts";
import type { Story } from "../report/story.ts";
import { causeText } from "../report/words/cause-words.ts";
import { endSentence, outcomeOf } from "../report/words/words.ts";
import { recordPaths } from "../runtime/records/paths.ts";
import type { Act } from "./cast.ts";
import { type Copy, commitsSince, contents, differences, headOf } from "./copy.ts";
import type { Ground } from "./ground.ts";
import type { Seen } from "./judge.ts";

const checker = fileURLToPath(new URL("./checker.mjs", import.meta.url));

export type Stage = {
  readonly tmp: string;
  readonly home: string;
  readonly template: Copy;
  readonly ground: Ground;
  /** The name of the user's folder, so that paths look as usual. */
  readonly folder: string;
  /** One run of all the user's checks. */
  readonly checkMs: number;
};

/** Acts are short, regardless of the user's own limits; the checks, the scope and the seal are theirs. */
export function actFlags(stage: Pick<Stage, "tmp">, act: Pick<Act, "name" | "runs" | "limits">): LoopYaml {
  const judge = { kind: "command", command: [process.execPath, checker, join(stage.tmp, "wanted.json")], cost_usd: 0 };
  const agents = { maker: { kind: "rehearsal", script: scriptOf(stage, act.name) }, checker: judge };
  const all = { ...agents, planner: judge, tester: judge, auditor: judge } as NonNullable<LoopYaml["agents"]>;
  const tight = { rework: 0, iterations: 3, commits: 3, sessions: null, tokens: null, minutes: 60, session_minutes: 3 };
  return {
    agents: all,
    // What holds without walls is what is drilled.
    sandbox: "off",
    limits: { ...tight, silence_minutes: 1, ...act.limits },
    autonomy: "L2",
    stages: ["implement"],
    on_limit: "wait",
    scope: { features: { include: ["F001"], exclude: [] } },
    ...(act.runs === 0 ? { checks: [{ name: "drill", run: "true" }] } : {}),
  };
}

const scriptOf = ({ tmp }: Pick<Stage, "tmp">, name: string): string => join(tmp, "scripts", `${name}.json`);

export async function play(act: Act, steps: readonly RehearsalStep[], stage: Stage, stop: AbortSignal): Promise<Seen> {
  const { tmp, template, ground, home } = stage;
  const root = join(tmp, "stage", act.name, stage.folder);
  ensureDir(join(root, ".."));
  // An act that never gets to a check needs no packages.
  const unneeded = new Set(act.runs === 0 ? template.borrowed.map((name) => join(template.dir, name)) : []);
  fs.cpSync(template.dir, root, {
    recursive: true,
    verbatimSymlinks: true,
    mode: fs.constants.COPYFILE_FICLONE,
    filter: (from) => !unneeded.has(from),
  });
  ensureDir(join(tmp, "scripts"));
  fs.writeFileSync(scriptOf(stage, act.name), JSON.stringify({ version: 1, scenes: [{ role: "builder", steps }] }));
  const skip = [...template.borrowed, ...recordPaths(ground.contract.recordsDir)];
  const before = contents(root, skip);
  const start = await headOf(root, home);
  const memory = process.memoryUsage.rss();
  const begun = performance.now();
  const msMax = 120_000 + act.runs * 3 * stage.checkMs;
  const { story, failures, run } = await drive(root, actFlags(stage, act), msMax, stop);
  const outcome = outcomeOf(story.run);
  const seen: Seen = {
    outcome: outcome?.kind ?? story.run.now.is,
    commits: (await commitsSince(root, start, home)).length,
    grade: story.chronicle.iterations.find(({ commit }) => commit !== null)?.grade ?? null,
    names: namesOf(story, failures),
    why: whyOf(story, outcome),
    waiting: story.run.now.is === "waiting",
    changed: differences(before, contents(root, skip)),
    processes: await stillRunning(run),
    outputBytes: outputOf(root, run),
    memoryBytes: Math.max(0, process.memoryUsage.rss() - memory),
    ms: performance.now() - begun,
    msMax,
  };
  forgetRun(root, run);
  fs.rmSync(join(tmp, "stage", act.name), { recursive: true, force: true });
  return seen;
}

async function drive(root: string, flags: LoopYaml, msMax: number, stop: AbortSignal) {
  const engine = new LocalEngine(root);
  // The copy is disposable, and is looked at afterwards.
  const plan = planRun({ root, request: null, flags: { ...flags, place: "here" } });
  const { run, from } = await engine.begin({ plan, kind: "git" }, { wait: false, attended: false });
  const failures: string[] = [];
  const end = () => void engine.send(run, { type: "cancel-requested" });
  const timer = setTimeout(end, msMax);
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  let last: Story | null = null;
  try {
    for await (const { item, story } of watch(engine.subscribe(run, from))) {
      last = story;
      if (item.type === "event" && item.event.type === "session-ended" && item.event.ending.how === "failed")
        failures.push(item.event.ending.failure.class);
    }
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  }
  if (last === null) throw new Bug("a subscription began without the story");
  return { story: last, failures, run };
}

function namesOf({ chronicle }: Story, failures: readonly string[]): string[] {
  const { iterations, notes } = chronicle;
  return [
    ...new Set([
      ...iterations.flatMap(({ violations }) => violations.map(({ kind }) => kind)),
      ...failures,
      ...notes.map(({ about }) => about).filter((about) => about === "strays"),
      ...iterations.flatMap(({ cause }) => (cause === null ? [] : [cause.kind])),
    ]),
  ];
}

/** Exiting processes may take a moment. */
async function stillRunning(run: string): Promise<number> {
  for (let tries = 0; tries < 10 && sweep(`LOOP_RUN=${run}`).length > 0; tries += 1) await sleep(100);
  return sweep(`LOOP_RUN=${run}`).length;
}

function whyOf({ run, chronicle }: Story, outcome: Outcome | null): string {
  const cause = chronicle.iterations.at(-1)?.cause ?? null;
  if (cause !== null) return causeText(cause);
  return outcome === null ? "" : endSentence(run, outcome);
}
