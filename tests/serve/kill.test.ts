// The server is killed at random moments of firing, starting and finishing: every accepted firing has exactly one run.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, right, sampleFiles } from "../support/sample.ts";
import { Served } from "./served.ts";

let project: Project | null = null;
let served: Served | null = null;
afterEach(async () => {
  await served?.stop("SIGKILL");
  const of = project;
  if (of !== null) await until("no process left", () => of.strays().length === 0, 30_000);
  of?.remove();
  project = null;
});

type Firing = { id: string; status: string; run: string; note: string | null };
type Firings = { firings: Firing[] };

/** It rests before anything is built, so that a run takes little more than its beginning. */
const yaml = `${sampleFiles([], [])["loop.yaml"]}gates: [G1]
triggers:
  - name: asked
    webhook: { from: json, secret_env: HOOK_SECRET }
    request: "Add a function f001() to src/F001.js that returns 'F001', with a test in test/F001.test.js"
`;
const draws = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
};

/** In the folder itself, and in worktrees, which have separate locks. */
const cases = [
  { seed: 1, place: "here" },
  { seed: 2, place: "default" },
] as const;
/** For both cases together. npm run faults -- --only serve has 200. */
const moments = Math.ceil(Number(process.env["SERVE_KILLS"] ?? 12) / cases.length);

/** Sends the same key until it is answered, as a sender does that hears nothing; then the next one. */
async function fireUntilKilled(at: Served, keys: Set<string>): Promise<void> {
  const { workspaces } = await at.get<{ workspaces: { id: string }[] }>("/workspaces");
  const path = `/workspaces/${workspaces[0]?.id}/triggers/asked/fire`;
  for (;;) {
    const key = `k${keys.size}`;
    const { is } = JSON.parse((await at.post(path, { key })).text) as { is: string };
    if (is !== "refused") keys.add(key);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const isCutOff = (error: unknown): boolean =>
  error instanceof Error && /ECONN|hang up|aborted|Parse Error/.test(error.message);

/** A life of the server that ends at a drawn moment; one in six ends before it listens. */
async function life(of: Project, draw: () => number, keys: Set<string>): Promise<void> {
  if (draw() < 1 / 6) {
    const child = of.start(["serve", "--port", "0", "--json"]);
    const end = ended(child);
    setTimeout(() => child.kill("SIGKILL"), draw() * 600);
    await end;
    return;
  }
  const now = await Served.start(of);
  served = now;
  setTimeout(() => now.process.kill("SIGKILL"), draw() * 4000);
  await fireUntilKilled(now, keys).catch((error: unknown) => {
    if (!isCutOff(error)) throw error;
  });
  await now.stop("SIGKILL");
}

/** So long nothing may change before a firing counts as lost. */
const stalledMs = 300_000;

async function allSettled(at: Served): Promise<readonly Firing[]> {
  let [seen, since] = ["", Date.now()];
  for (;;) {
    const { firings } = await at.get<Firings>("/firings");
    if (firings.every(({ status }) => !["queued", "beginning", "begun"].includes(status))) return firings;
    const now = JSON.stringify(firings.map(({ id, status, note }) => `${id} ${status} ${note}`));
    if (now !== seen) [seen, since] = [now, Date.now()];
    if (Date.now() - since > stalledMs) throw new Error(`no firing has changed for ${stalledMs} ms: ${now}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

type Line = { type: string; id?: string; keys?: readonly string[] };
const recorded = (of: Project): Line[] =>
  fs
    .readFileSync(join(of.home, "state/loopwright/serve/firings.jsonl"), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

test.each(cases)(
  `$place, seed $seed: killed at ${moments} moments, no firing is lost, and none has two runs`,
  { timeout: 2_700_000 },
  async ({ seed, place }) => {
    const draw = draws(seed);
    const { "docs/FEATURES.json": _, ...files } = sampleFiles([evaluator], [], { "loop.yaml": yaml });
    const of = new Project(files, { place });
    project = of;
    expect((await of.loop("serve", "--add", of.root)).code).toBe(0);
    const keys = new Set<string>();
    for (let killed = 0; killed < moments; killed += 1) await life(of, draw, keys);
    const last = await Served.start(of);
    served = last;
    const firings = await allSettled(last);
    expect(firings.map(({ status, note }) => `${status} ${note}`)).toEqual(firings.map(() => "ended needs-person"));
    const fired = recorded(of).filter(({ type }) => type === "fired");
    // What was answered was recorded, once; of what was not answered, the last may have been.
    const taken = fired.flatMap((line) => line.keys ?? []);
    expect(taken).toEqual([...new Set(taken)]);
    // "by hand", the folder, the trigger and the key.
    expect(taken.slice(0, keys.size).map((key) => key.split(" ").at(-1))).toEqual([...keys]);
    expect(taken.length).toBeLessThanOrEqual(keys.size + 1);
    const tasks = of.runs().map((run) => of.events(run)[0]?.["task"]);
    expect([...tasks].sort()).toEqual(fired.map(({ id }) => id).sort());
    await last.stop();
    process.stderr.write(`${place}: ${moments} kills, ${fired.length} firings, ${tasks.length} runs\n`);
  },
);

const driverOf = (of: Project): number | undefined =>
  of.strays().find((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("serve/driver.js"));

test("a run whose driver is killed is found and resumed", { timeout: 240_000 }, async () => {
  const half = [{ do: "write", path: "src/half.js", text: "// half\n" }, { do: "sleep", ms: 3000 }, ...right("F001")];
  const { "docs/FEATURES.json": _, ...files } = sampleFiles([builder("F001", 1, half), evaluator], [], {
    "loop.yaml": yaml.replace("gates: [G1]", "autonomy: L3"),
  });
  const of = new Project(files);
  project = of;
  expect((await of.loop("serve", "--add", of.root)).code).toBe(0);
  const now = await Served.start(of);
  served = now;
  const { workspaces } = await now.get<{ workspaces: { id: string }[] }>("/workspaces");
  await now.post(`/workspaces/${workspaces[0]?.id}/triggers/asked/fire`, {});
  await until("the session at work", () => of.exists("src/half.js"), 60_000);
  process.kill(driverOf(of) ?? 0, "SIGKILL");
  for (let status = ""; status !== "ended"; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { firings } = await now.get<Firings>("/firings");
    status = firings[0]?.status ?? "";
  }
  expect((await now.get<Firings>("/firings")).firings.map(({ note }) => note)).toEqual(["success"]);
  expect(of.runs()).toHaveLength(1);
});
