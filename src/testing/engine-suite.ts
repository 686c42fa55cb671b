// What every engine must do, run for each one: real git, real processes, and the rehearsal agent.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RehearsalScene, RehearsalStep } from "../agents/rehearsal/script.ts";
import { UserError } from "../core/errors.ts";
import type { RunEvent } from "../core/event.ts";
import { gateOf } from "../core/gates.ts";
import type { Engine, Item, Terms } from "../engines/engine.ts";
import { newRunId } from "../engines/new-run-id.ts";
import { comesToRest, findRun, watch } from "../engines/watch.ts";
import { planRun } from "../project/plan/plan-run.ts";
import type { Story } from "../report/story.ts";
import { gitAs, removeTemporaryFolders, temporaryFolder } from "./workspace-rig.ts";

/** One store of runs. Each client is a separate engine over it. */
export type EngineRig = { connect(): Promise<Engine>; remove(): Promise<void> };

const patienceMs = 60_000;
const alone: Terms = { wait: false, attended: false };
const attended: Terms = { wait: false, attended: true };

/** The tests that every engine passes. */
export function describeEngine(name: string, make: (root: string) => Promise<EngineRig>): void {
  describe(`${name} engine`, { timeout: 120_000 }, () => {
    const rigs: EngineRig[] = [];
    const before = process.env["XDG_STATE_HOME"];
    beforeEach(() => {
      process.env["XDG_STATE_HOME"] = temporaryFolder();
    });
    afterEach(async () => {
      for (const rig of rigs.splice(0)) await rig.remove();
      if (before === undefined) delete process.env["XDG_STATE_HOME"];
      else process.env["XDG_STATE_HOME"] = before;
    });
    afterAll(removeTemporaryFolders);
    const over = async (root: string): Promise<EngineRig> => {
      const rig = await make(root);
      rigs.push(rig);
      return rig;
    };
    describeDriving(over);
    describePeople(over);
    describeEndings(over);
  });
}

type Over = (root: string) => Promise<EngineRig>;

function describeDriving(over: Over): void {
  test("a run is driven to its end, and every client sees the same", async () => {
    const root = project([builds()]);
    const rig = await over(root);
    const [engine, other] = [await rig.connect(), await rig.connect()];
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, alone);
    const [seen, alsoSeen] = await Promise.all([until(engine, run, from, isOver), until(other, run, 0, isOver)]);
    expect(outcome(seen)).toBe("success");
    await engine.close();
    const { story, seq, file, isDriven } = await other.read(run);
    expect(isDriven).toBe(false);
    // Through JSON, since one of them may have been in another process.
    expect(plain(story)).toEqual(plain(seen.story));
    expect(alsoSeen.events.map((each) => each.seq)).toEqual(upTo(seq));
    expect(seen.events.map((each) => each.seq)).toEqual(upTo(seq).slice(from));
    expect(await other.runs()).toEqual([run]);
    expect(await findRun(other, run.slice(-6))).toBe(run);
    const [iteration] = story.chronicle.iterations;
    expect(JSON.parse((await file(`proofs/F001-i${iteration?.number}.json`)) ?? "null")).toMatchObject({
      feature: "F001",
    });
    expect(await file("proofs/F009-i1.json")).toBeNull();
    expect(gitAs("person", root, ["log", "--format=%s"])).toContain("F001");
  });

  test("a subscription begins with the story as of an event, and has everything since", async () => {
    const root = project([builds()]);
    const engine = await (await over(root)).connect();
    const { run } = await engine.begin({ plan: planOf(root), kind: "git" }, alone);
    const whole = await until(engine, run, 0, isOver);
    for (const from of [0, 1, 5, whole.events.length]) {
      const part = await until(engine, run, from, isRest);
      expect(part.first).toBe(from);
      expect(part.events).toEqual(whole.events.slice(from));
      expect(plain(part.story)).toEqual(plain(whole.story));
    }
  });

  test("subscribers see an agent's progress while it works", async () => {
    const root = project([
      builds([
        { do: "print", text: "reading the sources" },
        { do: "sleep", ms: 1500 },
      ]),
    ]);
    const rig = await over(root);
    const [engine, other] = [await rig.connect(), await rig.connect()];
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, alone);
    const notes = async (client: Engine): Promise<string[]> => {
      const { signs } = await until(client, run, from, isOver);
      return signs.map(({ sign }) => (sign.sign === "progress" ? (sign.note ?? "") : sign.sign));
    };
    for (const seen of await Promise.all([notes(engine), notes(other)]))
      expect(seen).toContainEqual(expect.stringContaining("reading the sources"));
  });

  test("what an agent printed can be read by any client, in pieces, with what it means", async () => {
    const root = project([builds([{ do: "print", text: "reading the sources" }])]);
    const rig = await over(root);
    const [engine, other] = [await rig.connect(), await rig.connect()];
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, alone);
    await until(engine, run, from, isOver);
    const { sessions, output } = await other.read(run);
    const known = await sessions();
    expect(known.map(({ role, feature, isOver: over }) => [role, feature, over])).toEqual([
      ["builder", "F001", true],
      ["evaluator", "F001", true],
    ]);
    const session = known[0]?.session ?? "";
    const first = await output(session, null);
    expect(first.lines.map(({ text }) => text)).toContain("reading the sources");
    expect(first.lines.flatMap(({ signs }) => signs)).toContainEqual({ sign: "edit", path: "src/sum.js" });
    expect(await output(session, first.next)).toEqual({ lines: [], next: first.next, isOver: true });
    await expect(output("nothing", null)).rejects.toMatchObject({ code: "no-such-session" });
  });

  test("closing a subscription does not stop the run", async () => {
    const root = project([builds()]);
    const engine = await (await over(root)).connect();
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, alone);
    const leaving = engine.subscribe(run, from);
    await leaving.next();
    await leaving.return();
    expect(await leaving.next()).toEqual({ done: true, value: undefined });
    expect(outcome(await until(engine, run, from, isOver))).toBe("success");
  });
}

function describePeople(over: Over): void {
  test("a run that waits for an answer takes it from any client, once", async () => {
    const root = project([builds()], "gates: [G2]\n");
    const rig = await over(root);
    const [engine, other] = [await rig.connect(), await rig.connect()];
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, attended);
    const shown = await until(engine, run, from, isRest);
    const gate = gateOf(shown.story.run);
    if (gate === null) throw new Error("it does not wait at a gate");
    const approved = { type: "approved", gate: gate.name, number: gate.number, tree: gate.tree } as const;
    const elsewhere = { ...approved, tree: "0".repeat(40) as typeof gate.tree };
    expect((await other.send(run, elsewhere)).taken).toBe(true);
    expect(gateOf((await other.read(run)).story.run)).not.toBeNull();
    expect((await other.send(run, approved)).taken).toBe(true);
    const ended = await until(engine, run, from, isOver);
    expect(outcome(ended)).toBe("success");
    await engine.close();
    // Late, and for the second time: on record, and without effect.
    await other.send(run, approved);
    const { story } = await other.read(run);
    expect(plain(story.run)).toEqual(plain(ended.story.run));
  });

  test.each([
    ["attended", attended],
    ["unattended", alone],
  ])("an answer that follows at once on the event that opens a gate is taken (%s)", async (_, terms) => {
    const root = project([builds()], "gates: [G2]\n");
    const engine = await (await over(root)).connect();
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, terms);
    const opened = await until(engine, run, from, ({ story }) => gateOf(story.run) !== null);
    const gate = gateOf(opened.story.run);
    if (gate === null) throw new Error("it does not wait at a gate");
    const approved = { type: "approved", gate: gate.name, number: gate.number, tree: gate.tree } as const;
    expect((await engine.send(run, approved)).taken).toBe(true);
    expect(gateOf((await engine.read(run)).story.run)).toBeNull();
    if (!terms.attended) await engine.send(run, { type: "resume", terms });
    expect(outcome(await until(engine, run, from, isOver))).toBe("success");
  });

  test("an unattended run rests at a gate and continues after resume", async () => {
    const root = project([builds()], "gates: [G2]\n");
    const rig = await over(root);
    const [engine, other] = [await rig.connect(), await rig.connect()];
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, alone);
    const gate = gateOf((await until(engine, run, from, isRest)).story.run);
    if (gate === null) throw new Error("it does not wait at a gate");
    await engine.close();
    await other.send(run, { type: "approved", gate: gate.name, number: gate.number, tree: gate.tree });
    const { from: since } = await other.send(run, { type: "resume", terms: alone });
    expect(outcome(await until(other, run, since, isOver))).toBe("success");
  });

  test("a run that rests at a cap takes a higher one from the client that keeps it open", async () => {
    const root = project([builds()]);
    const engine = await (await over(root)).connect();
    const plan = planRun({ root, request: null, flags: { limits: { sessions: 1 } } });
    const { run, from } = await engine.begin({ plan, kind: "git" }, attended);
    expect(outcome(await until(engine, run, from, isRest))).toBe("cap");
    const changes = { flags: { limits: { sessions: 8 } } };
    const { from: since, taken } = await engine.send(run, { type: "resume", terms: attended, changes });
    expect(taken).toBe(true);
    // The rest before is not told again.
    expect(outcome(await until(engine, run, since, isRest))).toBe("success");
  });

  test("a pause cuts the session, a resumed run has it once, and its time and money are counted once", async () => {
    const root = project([
      builds([
        { do: "print", text: "thinking" },
        { do: "sleep", ms: 2500 },
      ]),
    ]);
    const rig = await over(root);
    const [engine, other] = [await rig.connect(), await rig.connect()];
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, alone);
    await until(engine, run, from, ({ item }) => item.type === "sign");
    expect((await other.read(run)).isDriven).toBe(true);
    await other.send(run, { type: "pause-requested", by: "person" });
    const paused = await comesToRest(other, run, patienceMs);
    expect(paused?.run.now).toMatchObject({ is: "resting", outcome: { kind: "paused" } });
    await engine.close();
    const { from: since } = await other.send(run, { type: "resume", terms: alone, changes: { flags: {} } });
    const ended = await until(other, run, since, isOver);
    expect(outcome(ended)).toBe("success");
    const sessions = ended.story.chronicle.iterations.flatMap((iteration) => iteration.sessions);
    expect(sessions.filter(({ role }) => role === "builder")).toHaveLength(1);
  });

  test("a change that a pause undoes is on record", async () => {
    const edits = [
      { do: "write", path: "loop.yaml", text: "version: 1\n" },
      { do: "print", text: "thinking" },
      { do: "sleep", ms: 30_000 },
    ] as const;
    const root = project([builds(edits)]);
    const before = fs.readFileSync(join(root, "loop.yaml"), "utf8");
    const engine = await (await over(root)).connect();
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, alone);
    await until(engine, run, from, ({ item }) => item.type === "sign");
    await engine.send(run, { type: "pause-requested", by: "person" });
    await comesToRest(engine, run, patienceMs);
    await engine.close();
    expect(fs.readFileSync(join(root, "loop.yaml"), "utf8")).toBe(before);
    const { notes } = (await engine.read(run)).story.chronicle;
    expect(notes).toContainEqual(expect.objectContaining({ text: expect.stringContaining("loop.yaml was changed") }));
  });
}

function describeEndings(over: Over): void {
  test("a cancelled run is over for good, and cannot be resumed", async () => {
    const root = project([
      builds([
        { do: "print", text: "thinking" },
        { do: "sleep", ms: 60_000 },
      ]),
    ]);
    const rig = await over(root);
    const [engine, other] = [await rig.connect(), await rig.connect()];
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, alone);
    await until(engine, run, from, ({ item }) => item.type === "sign");
    await other.send(run, { type: "cancel-requested" });
    expect(outcome(await until(other, run, 0, isOver))).toBe("cancelled");
    await expect(other.send(run, { type: "resume", terms: alone })).rejects.toMatchObject({
      name: "UserError",
      code: "run-is-over",
      next: expect.stringContaining("loop"),
    });
  });

  test("a run that cannot begin leaves nothing behind", async () => {
    const root = project([builds()]);
    const engine = await (await over(root)).connect();
    const plan = planOf(root);
    fs.writeFileSync(join(root, "src", "sum.js"), "// edited by a person\n");
    await expect(engine.begin({ plan, kind: "git" }, alone)).rejects.toBeInstanceOf(UserError);
    expect(await engine.runs()).toEqual([]);
    expect(gitAs("person", root, ["status", "--porcelain"])).toBe(" M src/sum.js\n");
  });

  test("a run that works in the folder has nothing to land", async () => {
    const root = project([builds()]);
    const engine = await (await over(root)).connect();
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, alone);
    await until(engine, run, from, isOver);
    await expect(engine.send(run, { type: "land" })).rejects.toMatchObject({ code: "nothing-to-land" });
    expect((await engine.read(run)).worktree).toBeUndefined();
  });

  test("a subscription to a run that no process drives ends while another run has the folder", async () => {
    const root = project([builds()]);
    const rig = await over(root);
    const [engine, other] = [await rig.connect(), await rig.connect()];
    const { run, from } = await engine.begin({ plan: planOf(root), kind: "git" }, alone);
    await until(engine, run, from, isOver);
    const request = "Add double(number) to src/sum.js: it returns the number twice. With a test.";
    const plan = planRun({ root, request, flags: { gates: ["G1"] }, highestUsed: 1 });
    const later = await engine.begin({ plan, kind: "git" }, attended);
    await until(engine, later.run, later.from, isRest);
    expect((await other.read(later.run)).isDriven).toBe(true);
    const items = other.subscribe(run, 0);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      void items.return();
    }, patienceMs / 6);
    let last: Item["type"] | null = null;
    for await (const item of items) last = item.type;
    clearTimeout(timer);
    expect([last, isLate]).toEqual(["rest", false]);
  });

  test("a run with a given id is begun once", async () => {
    const root = project([builds()]);
    const rig = await over(root);
    const [engine, other] = [await rig.connect(), await rig.connect()];
    const beginning = { plan: planOf(root), kind: "git", run: newRunId(new Date(0)), task: "nightly" } as const;
    const { run, from } = await engine.begin(beginning, alone);
    expect(run).toBe(beginning.run);
    const { story } = await until(engine, run, from, isOver);
    expect(story.chronicle.task).toBe("nightly");
    await engine.close();
    await expect(other.begin(beginning, alone)).rejects.toMatchObject({ code: "run-exists" });
    expect(await other.runs()).toEqual([run]);
    expect(plain((await other.read(run)).story)).toEqual(plain(story));
  });

  test("throws for an unknown run", async () => {
    const engine = await (await over(project([builds()]))).connect();
    await expect(findRun(engine, "nothing")).rejects.toMatchObject({ code: "no-such-run" });
    await expect(engine.begin({ follows: "20200101-000000.000-abcdef" }, alone)).rejects.toThrow();
  });
}

type Numbered = { readonly event: RunEvent; readonly seq: number };
type Signs = Extract<Item, { type: "sign" }>;
type Watched = { first: number; events: Numbered[]; signs: Signs[]; story: Story };
type Stop = (seen: { item: Item; story: Story }) => boolean;

const isRest: Stop = ({ item }) => item.type === "rest";
const isOver: Stop = ({ item, story }) => item.type === "rest" && story.run.now.is === "stopped";

async function until(engine: Engine, run: string, from: number, stop: Stop): Promise<Watched> {
  const items = engine.subscribe(run, from);
  const watched: { first: number; events: Numbered[]; signs: Signs[] } = { first: -1, events: [], signs: [] };
  let last: Story | null = null;
  const timer = setTimeout(() => void items.return(), patienceMs);
  try {
    for await (const seen of watch(items)) {
      const { item, story } = seen;
      last = story;
      if (item.type === "story") watched.first = item.seq;
      if (item.type === "event") watched.events.push({ event: item.event, seq: item.seq });
      if (item.type === "sign") watched.signs.push(item);
      if (stop(seen)) return { ...watched, story };
    }
  } finally {
    clearTimeout(timer);
    await items.return();
  }
  const causes = (last?.chronicle.iterations ?? []).map(({ cause }) => JSON.stringify(cause));
  throw new Error(`it did not come: ${watched.events.map(({ event }) => event.type).join(", ")} ${causes.join(" ")}`);
}

const outcome = ({ story }: { story: Story }): string =>
  story.run.now.is === "stopped" || story.run.now.is === "resting" ? story.run.now.outcome.kind : story.run.now.is;
const upTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const planOf = (root: string) => planRun({ root, request: null, flags: {} });

const product = "../src/sum.js";

/** A feature, its test, and a reply. `first`: what the agent does before. */
function builds(first: readonly RehearsalStep[] = []): RehearsalScene {
  const tested = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "${product}";

test("sum adds any number of numbers", () => {
  assert.equal(sum(1, 2, 4), 7);
  assert.equal(sum(), 0);
});
`;
  return {
    role: "builder",
    steps: [
      ...first,
      { do: "write", path: "test/sum.test.js", text: tested },
      {
        do: "append",
        path: "src/sum.js",
        text: "\nexport function sum(...numbers) {\n  return numbers.reduce((total, each) => total + each, 0);\n}\n",
      },
      { do: "reply", reply: { status: "done", summary: "sum() is there, with a test." } },
    ],
    usage: { input_tokens: 100, output_tokens: 10, cost_usd: 0.01 },
  };
}

function project(scenes: readonly RehearsalScene[], loopYaml = ""): string {
  const root = join(temporaryFolder(), "project");
  const feature = {
    id: "F001",
    name: "Add sum(...numbers)",
    priority: 1,
    status: "not-started",
    description: "sum(...numbers) adds any number of numbers.",
    acceptance_criteria: ["sum(1, 2, 4) is 7", "sum() is 0"],
    dependencies: [],
  };
  const agent = "{ kind: rehearsal, script: rehearsal.json }";
  const met = ["C1", "C2"].map((criterion) => ({
    criterion,
    met: true,
    verification: "execution output",
    evidence: [{ command: "npm test" }],
  }));
  const verdict = { verdict: "pass", summary: "Seen in a test run.", root_cause: "", criteria: met };
  const judge: RehearsalScene = { role: "evaluator", steps: [{ do: "reply", reply: verdict }] };
  const files: Readonly<Record<string, string>> = {
    "package.json": JSON.stringify({ name: "sums", private: true, type: "module", scripts: { test: "node --test" } }),
    "src/sum.js": "export const zero = 0;\n",
    "test/zero.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { zero } from "${product}";

test("zero is nothing", () => assert.equal(zero, 0));
`,
    "docs/FEATURES.json": JSON.stringify({ version: 1, features: [feature] }, null, 2),
    "rehearsal.json": JSON.stringify({ version: 1, scenes: [...scenes, judge] }),
    "loop.yaml": `version: 1
agents: { maker: ${agent}, checker: ${agent} }
checks: [{ name: test, run: npm test }]
proof: { depth: quick }
limits: { cost_usd: 5, minutes: 10 }
place: here
${loopYaml}`,
  };
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), text);
  }
  gitAs("person", root, ["init", "--quiet", "--initial-branch=main"]);
  gitAs("person", root, ["config", "user.name", "Person"]);
  gitAs("person", root, ["config", "user.email", "person@example.invalid"]);
  gitAs("person", root, ["add", "--all"]);
  gitAs("person", root, ["commit", "--quiet", "--message", "start"]);
  return fs.realpathSync(root);
}
