// The server is killed at random moments of firing, starting and finishing: every accepted firing has exactly one run.
import * as fs from "node:fs";
import { afterEach, expect, test } from "vitest";
import { Project, until } from "../support/project.ts";
import { builder, evaluator, right, sampleFiles } from "../support/sample.ts";
import { isThorough as thorough } from "../support/thorough.ts";
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
const wanted = thorough ? 60 : 12;

test.each(cases)(
  "$place, seed $seed: no firing is lost, and none has two runs",
  { timeout: 900_000 },
  async ({ seed, place }) => {
    const draw = draws(seed);
    const { "docs/FEATURES.json": _, ...files } = sampleFiles([evaluator], [], { "loop.yaml": yaml });
    const of = new Project(files, { place });
    project = of;
    expect((await of.loop("serve", "--add", of.root)).code).toBe(0);
    const accepted = new Set<string>();
    let kills = 0;
    for (let key = 1; accepted.size < wanted; ) {
      const now = await Served.start(of);
      served = now;
      const { workspaces } = await now.get<{ workspaces: { id: string }[] }>("/workspaces");
      const path = `/workspaces/${workspaces[0]?.id}/triggers/asked/fire`;
      const end = setTimeout(() => now.process.kill("SIGKILL"), draw() * 4000);
      try {
        // The same key is sent until it is answered, as a sender does that hears nothing.
        for (;;) {
          const { is } = JSON.parse((await now.post(path, { key: `k${key}` })).text) as { is: string };
          if (is === "refused") break;
          accepted.add(`k${key}`);
          key += 1;
        }
        await until("the kill", () => now.process.signalCode !== null);
      } catch (error) {
        if (!(error instanceof Error) || !/ECONN|hang up|aborted/.test(error.message)) throw error;
      }
      clearTimeout(end);
      await now.stop("SIGKILL");
      kills += 1;
    }
    const last = await Served.start(of);
    served = last;
    for (let isDone = false; !isDone; ) {
      const { firings } = await last.get<Firings>("/firings");
      isDone = firings.every(({ status }) => status !== "queued" && status !== "begun");
    }
    const { firings } = await last.get<Firings>("/firings");
    const tasks = of.runs().map((run) => of.events(run)[0]?.["task"]);
    expect(kills).toBeGreaterThan(1);
    expect(firings.map(({ status, note }) => `${status} ${note}`)).toEqual(firings.map(() => "ended needs-person"));
    expect(firings.length).toBeGreaterThanOrEqual(accepted.size);
    // One more than was heard of may have been accepted just before each kill.
    expect(firings.length).toBeLessThanOrEqual(accepted.size + 1);
    expect([...tasks].sort()).toEqual(firings.map(({ id }) => id).sort());
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
