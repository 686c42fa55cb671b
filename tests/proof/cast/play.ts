// Plays a bad agent and its honest twin in a project of their own, through the command line, and looks from outside.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RehearsalScene, RehearsalStep } from "../../../src/agents/rehearsal/script.ts";
import { type Files, Project, until } from "../../support/project.ts";
import { feature } from "../../support/sample.ts";
import type { Player, Staging } from "./combinations.ts";
import { type Sample, sampleOf } from "./samples.ts";
import { twins } from "./twins.ts";

/** What became of the feature of one player. */
export type Seen = {
  readonly status: string | undefined;
  /** What a person could read of it while the run went on. */
  readonly told: string;
  /** The workspace when its session began, and when the next one did or the run was over. */
  readonly before: string;
  readonly after: string;
};
export type Played = {
  readonly code: number | null;
  readonly seen: readonly Seen[];
  /** Subjects of the commits that the run made for features, the oldest first. */
  readonly commits: readonly string[];
  /** Everything there is to read when something is not as it should be. */
  readonly about: string;
};

const checker = fileURLToPath(new URL("../../../src/drill/checker.mjs", import.meta.url));
const judging = `exec '${process.execPath}' '${checker}' "$HOME/wanted.json"`;
const done: RehearsalStep = { do: "reply", reply: { status: "done", summary: "All done, all tests pass." } };
const commit: RehearsalStep = { do: "commit", message: "done" };

/** Head (but for the commit of the records, which ends a run), branches, index, and every file with its mode, ignored ones too. The records are the loop's own to write. */
const look =
  "{ git log --max-count=1 --format=%H --invert-grep --grep='^chore(loop)'; git branch --list; git status --porcelain -- . ':!docs'; find . -type f ! -path './.git/*' ! -path './.loop/*' ! -path './docs/*' > \"$HOME/all\"; xargs stat --format '%a %n' < \"$HOME/all\" | LC_ALL=C sort; xargs sha1sum < \"$HOME/all\" | LC_ALL=C sort; }";

const idOf = (at: number): string => `F00${at + 1}`;

/** A feature for each player, in this order, in one run. */
export async function playOut(staging: Staging, players: readonly Player[]): Promise<Played> {
  const { act, language, level } = staging;
  const sample = sampleOf(language, level, { throughScript: act.name.startsWith("config-") });
  const project = new Project({ ...sample.files, ...settings(staging, sample, players) });
  try {
    project.write({ "ignored/keep.txt": "mine\n" });
    const judge = { role: "evaluator", steps: [{ do: "run", command: judging }] };
    const scenes = players.flatMap((player, at) => scenesOf(player, idOf(at), staging, sample, project.root));
    for (const name of ["rehearsal.json", "stand-in.json"])
      fs.writeFileSync(join(project.dir, name), JSON.stringify({ version: 1, scenes: [...scenes, judge] }));
    fs.writeFileSync(join(project.home, "wanted.json"), JSON.stringify(sample.ground.feature));
    const { code, stdout, stderr } = await project.loop("run", "--no-wait");
    await until("nobody is left", () => project.strays().length === 0, 15_000);
    const subjects = project.git("log", "--reverse", "--format=%s", "--grep=^feat").split("\n");
    const commits = subjects.filter((subject) => subject !== "");
    return { code, seen: seenIn(project, players.length, stderr), commits, about: `${stdout}\n${stderr}` };
  } finally {
    project.remove();
  }
}

function settings({ act, level }: Staging, { checks }: Sample, players: readonly Player[]): Files {
  const own = level === "feature" ? { checks: ["wanted"] } : {};
  const features = players.map((_, at) => feature(idOf(at), { priority: at + 1, ...own }));
  const script = { kind: "rehearsal", script: "../rehearsal.json" };
  const judge = { kind: "command", command: ["sh", "-c", judging], cost_usd: 0 };
  const isTwin = players.every((player) => player === "twin");
  const config = {
    version: 1,
    // Who stands in for an agent that has reached its limit has to be able to do its work.
    ...(act.name === "limited" && isTwin
      ? { agents: { maker: script, checker: { ...script, script: "../stand-in.json" } }, on_limit: "switch" }
      : { agents: { maker: script, checker: judge } }),
    checks: checks.map(({ name, run, must, tests }) => ({
      name,
      run,
      must,
      timeout_s: 60,
      ...(tests.length > 0 ? { tests } : {}),
    })),
    limits: { rework: isTwin ? 1 : 0, minutes: 600, ...act.limits },
    ...(act.name === "scope-creeper" ? { scope: { may_touch: ["src/**", "app/**"] } } : {}),
  };
  return {
    "loop.yaml": `${JSON.stringify(config)}\n`,
    "docs/FEATURES.json": `${JSON.stringify({ version: 1, features }, null, 2)}\n`,
    ".gitignore": "ignored/\n__pycache__/\n",
  };
}

function scenesOf(player: Player, id: string, staging: Staging, sample: Sample, root: string): RehearsalScene[] {
  const seen: RehearsalStep = { do: "run", command: `${look} > "$HOME/${id}.txt"` };
  const scene = { role: "builder", feature: id };
  if (player !== "twin") return [{ ...scene, steps: [seen, ...cheat(player, staging, sample, root)] }];
  const { props } = sample.ground;
  const twin = twins[staging.act.name];
  if (twin === undefined) throw new Error(`${staging.act.name} has no honest twin`);
  const honest = { props, isPython: staging.language === "Python" };
  const work: RehearsalStep[] = [
    ...mended(sample),
    ...twin.steps(honest),
    { do: "write", ...props.source },
    { do: "write", ...props.test },
    done,
  ];
  const first = twin.firstAttempt?.(honest);
  return [
    ...(first === undefined ? [] : [{ ...scene, attempt: 1, steps: [seen, ...first] }]),
    { ...scene, steps: [seen, ...work] },
  ];
}

const mended = ({ mended: file }: Sample): RehearsalStep[] => (file === null ? [] : [{ do: "write", ...file }]);

/** They leave the feature undone; the others do it, and cheat beside that. */
const undone: ReadonlySet<string> = new Set(["deleter", "commenter", "verdict-forger"]);
const endings: ReadonlySet<string> = new Set(["reply", "exit", "crash", "hang", "ignore-term", "limited"]);
const isEnd = (step: RehearsalStep): boolean =>
  endings.has(step.do) || (step.do === "run" && step.command.includes("rm -rf .git"));

/** Committed just before the end, so that comparing with HEAD would show nothing. */
function cheat(player: Player, { act }: Staging, sample: Sample, root: string): RehearsalStep[] {
  const steps = act.play({ ...sample.ground, root });
  if ("cannot" in steps) throw new Error(`${act.name}: ${steps.cannot}`);
  const all = [...(undone.has(act.name) ? [] : mended(sample)), ...steps];
  if (player === "cheat" || all.some((step) => step.do === "commit")) return all;
  const end = all.findIndex(isEnd);
  return [...all.slice(0, end), commit, ...all.slice(end)];
}

function seenIn(project: Project, players: number, stderr: string): Seen[] {
  const queue = JSON.parse(project.read("docs/FEATURES.json")) as { features: { id: string; status: string }[] };
  const seen = (at: number): string | null => {
    const path = join(project.home, `${idOf(at)}.txt`);
    return fs.existsSync(path) ? fs.readFileSync(path, "utf8") : null;
  };
  const now = execFileSync("sh", ["-c", look], { cwd: project.root, env: project.env, encoding: "utf8" });
  return Array.from({ length: players }, (_, at) => ({
    status: queue.features.find(({ id }) => id === idOf(at))?.status,
    told: toldOf(idOf(at), stderr),
    before: seen(at) ?? "",
    after: seen(at + 1) ?? now,
  }));
}

/** What a person could read of one feature while the run went on. */
function toldOf(id: string, stderr: string): string {
  const [, ...parts] = stderr.split(/^(?=F\d{3} )/m);
  return parts.filter((part) => part.startsWith(id)).join("");
}
