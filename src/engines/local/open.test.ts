// What opening a run refuses, and that a run that could not be begun or opened is closed again.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Contract } from "../../core/contract.ts";
import type { Run } from "../../core/run.ts";
import { unfinished } from "../../core/select.ts";
import { openProject } from "../../open-project.ts";
import { lockWorkspace } from "../../project/place/lock.ts";
import { listPlaces } from "../../project/place/places.ts";
import { workspaceDisk } from "../../project/place/workspace-disk.ts";
import { planRun } from "../../project/plan/plan-run.ts";
import { runDir, runFiles } from "../../project/runs/home.ts";
import { readFeatures } from "../../runtime/inputs.ts";
import { makeRepository, person, removeTemporaryFolders, temporaryFolder } from "../../testing/workspace-rig.ts";
import { built } from "../../testing/world/by-hand.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { followUpOf } from "../begin.ts";
import type { Changes } from "../engine.ts";
import { overviewsOf } from "../overview.ts";
import { resumableRun } from "../resumable.ts";
import { type Recorder, resume } from "../resume.ts";
import { everythingWaiting } from "../waiting.ts";
import { findRestingRun } from "../watch.ts";
import { aboutRun } from "./driver.ts";
import { LocalEngine } from "./engine.ts";
import { beginRun, openRun } from "./open.ts";

const before = process.env["XDG_STATE_HOME"];
beforeEach(() => {
  process.env["XDG_STATE_HOME"] = temporaryFolder();
});
afterEach(() => {
  if (before === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = before;
});
afterAll(removeTemporaryFolders);

const run = "20260101-000000-aaaaaa";
const agent = "{ kind: rehearsal, script: rehearsal.json }";
const feature = {
  ...{ id: "F001", name: "Add sum()", priority: 1, status: "not-started", description: "sum() adds numbers." },
  ...{ acceptance_criteria: ["sum(1, 2) is 3"], dependencies: [] },
};

function ground(place: "here" | "worktree" = "here") {
  const root = fs.realpathSync(
    makeRepository({
      "docs/FEATURES.json": JSON.stringify({ version: 1, features: [feature] }),
      "rehearsal.json": JSON.stringify({ version: 1, scenes: [{ role: "builder", steps: [] }] }),
      "loop.yaml": `version: 1\nagents: { maker: ${agent}, checker: ${agent} }\nchecks: [{ name: test, run: "true" }]\nplace: ${place}\n`,
    }),
  );
  const dir = runDir(vaultDirFor(root), run);
  const start = { planned: planRun({ root, request: null, flags: {} }), kind: "git", run } as const;
  return { root, dir, start, file: (name: string) => join(dir, name) };
}

/** A run that was paused before its first session. */
async function paused(place?: "here" | "worktree") {
  const here = ground(place);
  const held = await beginRun(here.root, here.start);
  await held.run.record({ type: "pause-requested", by: "person" });
  await held.run.drive({ wait: false });
  await held.close();
  return here;
}

/** The files in this folder that this process has open. */
function openIn(dir: string): string[] {
  const open = fs.readdirSync("/proc/self/fd").map((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ""; // The one that the list was read with.
    }
  });
  return open.filter((path) => path.startsWith(dir));
}

test.each(["its snapshot", "its first event"])(
  "a run whose plan was altered is refused, as known by %s",
  async (by) => {
    const { root, file } = await paused();
    expect(fs.existsSync(file("snapshot.json"))).toBe(true);
    if (by === "its first event") fs.rmSync(file("snapshot.json"));
    const plan = fs.readFileSync(file("plan.json"), "utf8");
    fs.writeFileSync(file("plan.json"), plan.replace("sum(1, 2) is 3", "sum(1, 2) is 4"));
    await expect(openRun(root, run)).rejects.toMatchObject({ code: "plan-altered" });
    fs.writeFileSync(file("plan.json"), plan);
    const held = await openRun(root, run);
    expect(held.run.story.run.now.is).toBe("resting");
    await held.close();
  },
);

const isProc = fs.existsSync("/proc/self/fd");

test.skipIf(!isProc)("a run that cannot be opened is closed again", async () => {
  const { root, dir, file } = await paused();
  fs.writeFileSync(file("agents.json"), "garbage");
  await expect(openRun(root, run)).rejects.toThrow("agents.json");
  expect(openIn(dir)).toEqual([]);
  fs.rmSync(file("agents.json"));
  const held = await openRun(root, run);
  expect(openIn(dir)).not.toEqual([]);
  await held.close();
  expect(openIn(dir)).toEqual([]);
});

/** Read between opening the journal and its first event. */
const beforeFirstEvent = ({ file }: Pick<ReturnType<typeof ground>, "file">, act: () => void) => ({
  get agents() {
    if (fs.existsSync(file("events.jsonl"))) act();
    return {};
  },
});

describe.each(["here", "worktree"] as const)("a run whose first event cannot be written (%s)", (place) => {
  const left = (root: string) => ({
    runs: fs.readdirSync(join(vaultDirFor(root), "runs")),
    places: listPlaces(root),
    branches: person(root, "branch", "--list", "loop/*").trim(),
    copies: fs.existsSync(join(root, ".loop", "tasks")) ? fs.readdirSync(join(root, ".loop", "tasks")) : [],
  });
  const nothing = { runs: [], places: [], branches: "", copies: [] };

  test("leaves nothing behind, and its id can be used again", async () => {
    const here = ground(place);
    const { root, dir, start, file } = here;
    const spoilt = beforeFirstEvent(here, () => fs.writeFileSync(file("events.jsonl"), "not ours\n"));
    await expect(beginRun(root, start, spoilt)).rejects.toMatchObject({
      what: "The run did not start.",
      why: expect.stringContaining("someone else has written to it"),
      next: "Make room or repair the disk, then run the same command again.",
    });
    expect(left(root)).toEqual(nothing);
    if (isProc) expect(openIn(dir)).toEqual([]);
    const held = await beginRun(root, start);
    expect(held.run.seq).toBeGreaterThan(0);
    await held.close();
  });
});

describe("a process that was killed before the first event of its run", () => {
  /** What is in the vault and in the folder then. `torn`: half of the first line was written. */
  async function killed(torn = "") {
    const here = ground();
    const kept = temporaryFolder();
    const copy = join(here.root, ".loop", "tasks");
    const at = beforeFirstEvent(here, () => {
      fs.cpSync(here.dir, join(kept, "run"), { recursive: true });
      fs.cpSync(copy, join(kept, "tasks"), { recursive: true });
      throw new Error("killed");
    });
    await expect(beginRun(here.root, here.start, at)).rejects.toThrow("killed");
    fs.cpSync(join(kept, "run"), here.dir, { recursive: true });
    fs.cpSync(join(kept, "tasks"), copy, { recursive: true });
    expect(fs.readdirSync(here.dir)).toContain("plan.json");
    fs.writeFileSync(here.file("events.jsonl"), torn);
    return { ...here, engine: new LocalEngine(here.root) };
  }
  const terms = { wait: false, attended: false };
  const unknown = { code: "no-such-run" };

  test.each(["", '{"v":1,"seq":1,"pr'])("has begun no run: nothing lists, reads or resumes it (%j)", async (torn) => {
    const { engine } = await killed(torn);
    expect(await engine.runs()).toEqual([]);
    expect(await resumableRun(engine, false)).toBeNull();
    expect(await everythingWaiting(engine, undefined)).toEqual([]);
    await expect(findRestingRun(engine)).rejects.toMatchObject(unknown);
    await expect(engine.read(run)).rejects.toMatchObject(unknown);
    await expect(engine.send(run, { type: "resume", terms })).rejects.toMatchObject(unknown);
    await expect(engine.send(run, { type: "cancel-requested" })).rejects.toMatchObject(unknown);
  });

  test.each(["", '{"v":1,"seq":1,"pr'])("leaves its id free (%j)", async (torn) => {
    const { root, start } = await killed(torn);
    const held = await beginRun(root, start);
    expect(held.run.story.chronicle.run).toBe(run);
    await held.close();
  });

  test("leaves files that are removed after a day", async () => {
    const { root, start, dir } = await killed();
    const other = (seconds: string) => ({ ...start, run: `20260101-0000${seconds}-aaaaaa` });
    await (await beginRun(root, other("01"))).close();
    expect(fs.existsSync(dir)).toBe(true);
    const old = new Date(Date.now() - 25 * 3_600_000);
    fs.utimesSync(dir, old, old);
    await (await beginRun(root, other("02"))).close();
    expect([fs.existsSync(dir), await new LocalEngine(root).runs()]).toEqual([
      false,
      [other("02").run, other("01").run],
    ]);
  });
});

test("a run whose journal is gone from the vault has still begun: its copy restores it", async () => {
  const { root, file } = await paused();
  for (const name of ["events.jsonl", "snapshot.json"]) fs.rmSync(file(name));
  vi.resetModules();
  const { LocalEngine: Later } = await import("./engine.ts");
  expect(await new Later(root).runs()).toEqual([run]);
  expect((await new Later(root).read(run)).story.chronicle.run).toBe(run);
});

test.each([
  ["before it is driven", false],
  ["after it has come to rest", true],
])("a note about a run is on record once the run is closed, also %s", async (_, isDriven) => {
  const { root, start } = ground();
  const held = await beginRun(root, start);
  await held.run.record({ type: "pause-requested", by: "person" });
  if (isDriven) await held.run.drive({ wait: false });
  held.run.note("notify", "A channel failed.");
  await held.close();
  const { story } = await new LocalEngine(root).read(run);
  expect(story.chronicle.notes.at(-1)).toMatchObject({ text: "A channel failed." });
  expect(await held.run.deliver({ type: "cancel-requested" }), "a closed run takes nothing").toBe(false);
});

describe("a limit that a person has raised in loop.yaml while the run rests", () => {
  async function raised() {
    const here = await paused();
    const path = join(here.root, "loop.yaml");
    fs.appendFileSync(path, "limits: { iterations: 7 }\n");
    return { ...here, engine: new LocalEngine(here.root) };
  }
  const flags = { flags: {} };
  const most = async (engine: LocalEngine) => (await engine.read(run)).story.run.contract.limits.iterationsMax;

  test("is not forgotten when the command that saw it is refused, which writes nothing", async () => {
    const { root, engine, file } = await raised();
    const files = () =>
      ["events.jsonl", "configured.json", "features.json"].map((name) => fs.readFileSync(file(name), "utf8"));
    const before = files();
    const intent = { mode: "append", text: "and a third thing" } as const;
    const refused = { type: "resume", terms: { wait: false, attended: false }, changes: { ...flags, intent } } as const;
    await expect(engine.send(run, refused)).rejects.toMatchObject({ code: "queue-decides" });
    expect(files()).toEqual(before);
    const held = await openRun(root, run);
    expect((await resume(held.run, flags)).map(({ what }) => what)).toEqual(["limits.iterations"]);
    await held.close();
    expect(await most(engine)).toBe(7);
  });

  test("is not forgotten when the process dies before it is on record", async () => {
    const { root, engine } = await raised();
    const dying = await openRun(root, run);
    const record: Recorder = async (fact) => {
      if (fact.type === "continued") throw new Error("killed");
      await dying.run.record(fact);
      return true;
    };
    await expect(resume(dying.run, flags, record)).rejects.toThrow("killed");
    await dying.close();
    expect(await most(engine)).not.toBe(7);
    const held = await openRun(root, run);
    await resume(held.run, flags);
    await held.close();
    expect(await most(engine)).toBe(7);
    const again = await openRun(root, run);
    await again.run.record({ type: "pause-requested", by: "person" });
    await again.run.drive({ wait: false });
    expect(await resume(again.run, flags), "what was taken up is no change any more").toEqual([]);
    await again.close();
  });
});

describe("a run in a worktree whose note is missing from the vault", () => {
  async function lost() {
    const here = await paused("worktree");
    fs.renameSync(join(vaultDirFor(here.root), "places"), join(vaultDirFor(here.root), "moved"));
    return here;
  }
  const gone = { code: "worktree-gone", why: expect.stringContaining("place.json") };

  test("is not continued, read or ended in the person's folder", async () => {
    const { root } = await lost();
    const engine = new LocalEngine(root);
    const terms = { wait: false, attended: false };
    await expect(engine.send(run, { type: "resume", terms })).rejects.toMatchObject(gone);
    await expect(engine.send(run, { type: "cancel-requested" })).rejects.toMatchObject(gone);
    await expect(engine.read(run)).rejects.toMatchObject(gone);
    await expect(engine.begin({ follows: run }, terms)).rejects.toMatchObject(gone);
    expect(await overviewsOf(engine)).toEqual([{ run, unreadable: expect.stringContaining("place.json") }]);
  });

  test("is not followed up there", async () => {
    const { root, start } = await lost();
    const next = { ...start, run: `${run}b`, worktree: "f001-add-sum" };
    await expect(beginRun(root, next)).rejects.toMatchObject(gone);
  });

  test("does not keep other runs from working", async () => {
    const { root, start } = await lost();
    const planned = { ...start.planned, place: "here" as const };
    const held = await beginRun(root, { ...start, planned, run: "20260101-000001-aaaaaa" });
    expect(await new LocalEngine(root).read("20260101-000001-aaaaaa")).toMatchObject({ isDriven: true });
    await held.close();
  });
});

test("a message is refused, and not left behind, while another run works in the same folder", async () => {
  const { root, file } = await paused();
  const lock = await lockWorkspace(root, aboutRun("20260101-000001-bbbbbb"));
  const engine = new LocalEngine(root);
  const cancel = { type: "cancel-requested" } as const;
  await expect(engine.send(run, cancel)).rejects.toMatchObject({ code: "workspace-locked" });
  expect(fs.readdirSync(file("signals"))).toEqual([]);
  await lock.release();
  expect(await engine.send(run, cancel)).toMatchObject({ driver: "none", taken: true });
}, 60_000);

test("a program continues the run that the command line does: the latest that is not over", async () => {
  const { root, start } = await paused();
  const newer = await beginRun(root, { ...start, run: "20260101-000001-bbbbbb" });
  await newer.run.record({ type: "cancel-requested" });
  await newer.run.drive({ wait: false });
  await newer.close();
  const project = await openProject(root, { trust: true });
  expect(await findRestingRun(new LocalEngine(root))).toBe(run);
  const gone = await project.continue();
  expect(gone.id).toBe(run);
  await gone.cancel();
  expect(await gone.settled).toMatchObject({ run });
});

/** A run of this plan whose audit found a gap. */
function withGap(contract: Contract): Run {
  const gap = { id: "G1", blocking: true, text: "gamma is missing", evidence: [] };
  const now = { is: "stopped", outcome: { kind: "followup", gaps: 1 } } as const;
  return { ...built(), contract, audit: { revised: "", gaps: [gap] }, now };
}

test("a follow-up has the agents that worked last, and not those that they replaced", async () => {
  const here = ground();
  const first = await beginRun(here.root, here.start);
  const { plan, home } = first.run;
  const { agents } = plan;
  const maker = agents.maker === null ? null : { ...agents.maker, model: "another" };
  first.run.useAgents({ agents: { ...agents, maker }, env: ["FOO"] });
  await first.close();
  const followed = { id: run, plan, files: runFiles(home.dir), run: withGap(plan.contract) };
  const { planned } = followUpOf(here.root, followed);
  expect([planned.agents, planned.env]).toEqual([{ ...agents, maker }, ["FOO"]]);
});

test.each([
  { include: ["F001"], exclude: [] },
  { include: null, exclude: ["F002-F099"] },
])("a follow-up works on its gaps alone, whatever the scope named: %o", async (named) => {
  const here = ground();
  const other = { ...feature, id: "F002", name: "Drop the old table" };
  const queue = { version: 1, features: [{ ...feature, status: "complete" }, other] };
  fs.writeFileSync(join(here.root, "docs/FEATURES.json"), JSON.stringify(queue));
  const first = await beginRun(here.root, here.start);
  const { plan, home } = first.run;
  await first.close();
  const contract = { ...plan.contract, scope: { ...plan.contract.scope, ...named } };
  const followed = { id: run, plan, files: runFiles(home.dir), run: withGap(contract) };
  const held = await beginRun(here.root, { ...followUpOf(here.root, followed), run: `${run}b` });
  const { story } = held.run;
  expect(unfinished(story.run)).toEqual(["F003"]);
  const now = { disk: workspaceDisk(here.root), files: runFiles(held.run.home.dir) };
  expect(readFeatures(story.run, now), "what the first look at the queue changes").toBeNull();
  await held.close();
});

describe("a run that is continued where it ended in a follow-up", () => {
  async function ended() {
    const here = ground();
    const first = await beginRun(here.root, here.start);
    const { plan, home } = first.run;
    await first.close();
    const gap = withGap(plan.contract);
    const spent = { ...gap.spent, costUsd: 4, sessions: 3 };
    return { root: here.root, followed: { id: run, plan, files: runFiles(home.dir), run: { ...gap, spent } } };
  }

  test("has the caps, the agents and the lock that the person names", async () => {
    const { root, followed } = await ended();
    const flags = { limits: { cost_usd: 10 }, agents: { checker: "codex" as const } };
    const start = followUpOf(root, followed, { changes: { flags, stealLock: true } });
    const { contract, agents } = start.planned;
    expect(contract.limits, "less what the run before has used").toMatchObject({ costUsdMax: 6 });
    expect([agents.maker?.kind, agents.checker?.kind, agents.auditor?.kind]).toEqual(["rehearsal", "codex", "codex"]);
    expect(start.stealLock).toBe(true);
  });

  test.each<[string, Changes, string]>([
    ["a cap that is used up", { flags: { limits: { sessions: 2 } } }, "limit-too-low"],
    ["a cap above the ceiling", { flags: { limits: { cost_usd: 1e6 } } }, "limit-too-high"],
    ["another request", { flags: {}, intent: { mode: "append", text: "And gamma." } }, "queue-decides"],
    ["a model that no maker of its kind takes", { flags: {}, model: "opus" }, "bad-flag"],
  ])("refuses %s", async (_, changes, code) => {
    const { root, followed } = await ended();
    expect(() => followUpOf(root, followed, { changes })).toThrow(expect.objectContaining({ code }));
  });

  test("keeps its request if the person says so", async () => {
    const { root, followed } = await ended();
    const changes: Changes = { flags: {}, intent: { mode: "preserve", text: "" } };
    expect(followUpOf(root, followed, { changes })).toEqual(followUpOf(root, followed));
  });
});

test("a follow-up leaves another loop's state as it is", async () => {
  const here = ground();
  const [path, theirs] = [join(here.root, ".loop/state.json"), '{ "iteration": 4 }\n'];
  const first = await beginRun(here.root, here.start);
  const { plan, home } = first.run;
  await first.close();
  fs.writeFileSync(path, theirs);
  const followed = { id: run, plan, files: runFiles(home.dir), run: withGap(plan.contract) };
  const held = await beginRun(here.root, { ...followUpOf(here.root, followed), run: `${run}b` });
  await held.run.record({ type: "cancel-requested" });
  await held.run.drive({ wait: false });
  await held.close();
  expect(fs.readFileSync(path, "utf8")).toBe(theirs);
});
