// Runs that are begun, watched and answered over the API, with the server killed in between.
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { z } from "zod";
import * as schemas from "../../src/serve/schemas.ts";
import { type Files, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles } from "../support/sample.ts";
import { messages, Served } from "./served.ts";

let project: Project | null = null;
const servers: Served[] = [];
afterEach(async () => {
  for (const served of servers.splice(0)) await served.stop("SIGKILL");
  const of = project;
  if (of !== null) await until("no process left", () => of.strays().length === 0, 20_000);
  of?.remove();
  project = null;
});

const one = [feature("F001")];
const slow = { do: "sleep", ms: 1500 };
const yaml = `${sampleFiles([], [])["loop.yaml"]}`;

async function serving(
  scenes: readonly object[],
  extra: Files = {},
): Promise<{ of: Project; served: Served; at: string }> {
  project = new Project(sampleFiles(scenes, one, extra));
  expect((await project.loop("serve", "--add", project.root)).code).toBe(0);
  const served = await start(project);
  const { workspaces } = schemas.workspaces.parse(await served.get("/workspaces"));
  return { of: project, served, at: `/workspaces/${workspaces[0]?.id}` };
}

async function start(of: Project): Promise<Served> {
  const served = await Served.start(of);
  servers.push(served);
  return served;
}

const doneIn = (text: string): z.infer<typeof schemas.done> => schemas.done.parse(JSON.parse(text));

type Status = z.infer<typeof schemas.status>;
async function rested(served: Served, at: string, run: string): Promise<Status> {
  for await (const { name } of messages(served, `${at}/runs/${run}/events`)) if (name === "rest") break;
  return schemas.oneRun.parse(await served.get(`${at}/runs/${run}`)).status;
}

test("a run is begun, streamed and ends, and its answers are as documented", { timeout: 120_000 }, async () => {
  const { of, served, at } = await serving([builder("F001", 1, right("F001")), evaluator]);
  const { run, resumed } = doneIn((await served.post(`${at}/runs`, { limits: { cost_usd: 3 } })).text);
  expect(resumed).toBe(true);
  const seen: number[] = [];
  for await (const { name, id, data } of messages(served, `${at}/runs/${run}/events?from=0`)) {
    if (name === "story") schemas.status.parse(data);
    if (name === "event") seen.push(id ?? -1);
    if (name === "rest") break;
  }
  const events = of.events();
  expect(seen).toEqual(events.map((_event, index) => index + 1));
  const { status, seq } = schemas.oneRun.parse(await served.get(`${at}/runs/${run}`));
  expect([status.outcome?.kind, seq, status["limits"]]).toEqual([
    "success",
    events.length,
    expect.objectContaining({ costUsdMax: 3 }),
  ]);
  expect(schemas.runs.parse(await served.get(`${at}/runs`)).runs.map((each) => each.run)).toEqual([run]);
  const audit = fs
    .readFileSync(join(of.home, "state/loopwright/serve/audit.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(audit).toEqual([
    expect.objectContaining({ who: "owner", from: "127.0.0.1", action: "begin", workspace: at.split("/")[2] }),
    expect.objectContaining({ id: audit[0].id, result: "done" }),
  ]);
});

test("a run that cannot begin is refused with the reason, and nothing is written", { timeout: 60_000 }, async () => {
  const { of, served, at } = await serving([evaluator]);
  of.write({ "src/old.js": "// mine\n" });
  const answer = await served.post(`${at}/runs`, {});
  expect([answer.status, schemas.failure.parse(JSON.parse(answer.text)).error.code]).toEqual([409, "dirty-tree"]);
  expect(of.runs()).toEqual([]);
});

test("programs that loop.yaml names since it was registered do not run before a person agrees", {
  timeout: 60_000,
}, async () => {
  const { of, served, at } = await serving([evaluator]);
  of.write({ "loop.yaml": of.read("loop.yaml").replace("sh run-tests.sh", "sh other.sh") });
  of.git("commit", "--all", "--quiet", "--message", "another check");
  const answer = await served.post(`${at}/runs`, {});
  expect([answer.status, schemas.failure.parse(JSON.parse(answer.text)).error.code]).toEqual([409, "not-trusted"]);
  expect(of.runs()).toEqual([]);
});

test("of two answers at once, from two pages and a terminal, the first wins and the others are told", {
  timeout: 180_000,
}, async () => {
  const { of, served, at } = await serving([builder("F001", 1, right("F001")), evaluator], {
    "loop.yaml": `${yaml}gates: [G2]\n`,
  });
  const { run } = doneIn((await served.post(`${at}/runs`, {})).text);
  expect((await rested(served, at, run)).outcome?.kind).toBe("needs-person");
  await until("no driver", () => of.strays().length === 1);
  const { waiting } = schemas.waiting.parse(await served.get(`${at}/waiting`));
  const gate = waiting[0]?.gate;
  expect(gate).toMatchObject({ name: "G2" });
  const shown = { gate: gate?.name, number: gate?.number, tree: gate?.tree };
  const other = { ...shown, tree: "0".repeat(40) };
  expect((await served.post(`${at}/runs/${run}/approve`, other)).status).toBe(409);
  const [first, second, terminal] = await Promise.all([
    served.post(`${at}/runs/${run}/approve`, shown),
    served.post(`${at}/runs/${run}/reject`, { ...shown, reason: "no" }),
    of.loop("approve", "--no-continue"),
  ]);
  expect([first.status, second.status].sort()).toEqual([200, 409]);
  const told = schemas.failure.parse(JSON.parse(first.status === 409 ? first.text : second.text));
  const taken = of.events().find(({ type }) => type === "approved" || type === "rejected")?.type;
  const why =
    taken === "rejected"
      ? "The gate was rejected from elsewhere first: no"
      : `The gate was ${taken} from elsewhere first.`;
  expect(told.error).toMatchObject({ code: "answered-already", why });
  expect([0, 1]).toContain(terminal.code);
  const status = await rested(served, at, run);
  expect(["success", "needs-person"]).toContain(status.outcome?.kind);
  expect((await served.post(`${at}/runs/${run}/approve`, shown)).status).toBe(409);
});

test("a run that asks before building is approved", { timeout: 120_000 }, async () => {
  const { served, at } = await serving([builder("F001", 1, right("F001")), evaluator], {
    "loop.yaml": `${yaml}gates: [G1]\n`,
  });
  const { run } = doneIn((await served.post(`${at}/runs`, {})).text);
  expect((await rested(served, at, run)).outcome?.kind).toBe("needs-person");
  const { waiting } = schemas.waiting.parse(await served.get(`${at}/waiting`));
  const { name: gate, number, tree } = waiting[0]?.gate ?? {};
  expect([gate, number]).toEqual(["G1", 0]);
  let status: number | null = null;
  const answered = served.post(`${at}/runs/${run}/approve`, { gate, number, tree }).then((answer) => {
    status = answer.status;
  });
  // While its next driver starts, it is not called interrupted.
  while (status === null)
    expect(schemas.oneRun.parse(await served.get(`${at}/runs/${run}`)).status.state).not.toBe("interrupted");
  await answered;
  expect(status).toBe(200);
  expect((await rested(served, at, run)).outcome?.kind).toBe("success");
});

test("a gate shows the change of an iteration, proved or not, without the loop's own queue", {
  timeout: 180_000,
}, async () => {
  const untested = right("F001").filter(({ path }) => path !== "test/F001.test.js");
  const scenes = [builder("F001", 1, untested), builder("F001", 2, right("F001")), evaluator];
  const { of, served, at } = await serving(scenes, { "loop.yaml": `${yaml}gates: [G2]\n` });
  const { run } = doneIn((await served.post(`${at}/runs`, {})).text);
  for (const attempt of [1, 2]) {
    expect((await rested(served, at, run)).outcome?.kind).toBe("needs-person");
    await until("no driver", () => of.strays().length === 1);
    const { text } = await served.raw(`${at}/runs/${run}`, { headers: served.bearer() });
    const [diff = ""] = /<div class="diff">[\s\S]*?<\/div>/.exec(text) ?? [];
    expect(diff).toContain('<span class="add">+');
    expect(diff.includes("test/F001.test.js")).toBe(attempt === 2);
    expect(diff).not.toContain("FEATURES.json");
    const gate = schemas.waiting.parse(await served.get(`${at}/waiting`)).waiting[0]?.gate;
    await served.post(`${at}/runs/${run}/approve`, { gate: gate?.name, number: gate?.number, tree: gate?.tree });
  }
  expect((await rested(served, at, run)).outcome?.kind).toBe("success");
});

test("a run is paused, resumed and cancelled", { timeout: 120_000 }, async () => {
  const half = (attempt: number) => ({ do: "write", path: `src/half-${attempt}.js`, text: "// half\n" });
  const endless = (attempt: number) => builder("F001", attempt, [half(attempt), { do: "sleep", ms: 60_000 }]);
  const { of, served, at } = await serving([endless(1), endless(2), evaluator]);
  const { run } = doneIn((await served.post(`${at}/runs`, {})).text);
  await until("the session at work", () => of.exists("src/half-1.js"));
  expect(doneIn((await served.post(`${at}/runs/${run}/pause`, {})).text)).toMatchObject({ taken: true });
  expect((await rested(served, at, run)).outcome?.kind).toBe("paused");
  await until("no driver", () => of.strays().length === 1);
  expect(doneIn((await served.post(`${at}/runs/${run}/continue`, {})).text).resumed).toBe(true);
  await until("the next session at work", () => of.exists("src/half-2.js"));
  expect((await served.post(`${at}/runs/${run}/continue`, {})).status).toBe(409);
  expect(doneIn((await served.post(`${at}/runs/${run}/cancel`, {})).text).taken).toBe(true);
  expect((await rested(served, at, run)).outcome?.kind).toBe("cancelled");
  expect(of.exists("src/half-2.js")).toBe(false);
  expect(doneIn((await served.post(`${at}/runs/${run}/cancel`, {})).text).note).toContain("cancelled");
  expect((await served.post(`${at}/runs/${run}/continue`, {})).status).toBe(409);
});

test("a cancelled run leaves its unproved work where the request says keep", { timeout: 120_000 }, async () => {
  const half = [
    { do: "write", path: "src/half.js", text: "// half\n" },
    { do: "sleep", ms: 60_000 },
  ];
  const { of, served, at } = await serving([builder("F001", 1, half), evaluator]);
  const { run } = doneIn((await served.post(`${at}/runs`, {})).text);
  await until("the session at work", () => of.exists("src/half.js"));
  expect((await served.post(`${at}/runs/${run}/cancel`, { undo: false })).status).toBe(400);
  expect(doneIn((await served.post(`${at}/runs/${run}/cancel`, { keep: true })).text).taken).toBe(true);
  expect((await rested(served, at, run)).outcome?.kind).toBe("cancelled");
  expect(of.exists("src/half.js")).toBe(true);
});

test("the first page asks for a success to be landed until it has landed", { timeout: 120_000 }, async () => {
  const worktree = { "loop.yaml": `${yaml}place: worktree\n` };
  const { of, served, at } = await serving([builder("F001", 1, right("F001")), evaluator], worktree);
  of.write({ "notes.txt": "uncommitted\n" });
  const { run } = doneIn((await served.post(`${at}/runs`, {})).text);
  expect((await rested(served, at, run)).outcome?.kind).toBe("success");
  const page = async () => (await served.raw("/", { headers: served.bearer() })).text;
  await until("no driver", () => of.strays().length === 1);
  expect(await page()).toContain("Not landed yet");
  expect((await of.loop("land")).code).toBe(0);
  expect(await page()).not.toContain("Not landed yet");
});

/** A run that holds unproved work on F001. */
async function holding() {
  const untested = right("F001").filter(({ path }) => path !== "test/F001.test.js");
  const { of, served, at } = await serving(
    [1, 2, 3].map((attempt) => builder("F001", attempt, untested)).concat([evaluator as never]),
  );
  const { run } = doneIn((await served.post(`${at}/runs`, {})).text);
  await rested(served, at, run);
  await until("no driver", () => of.strays().length === 1);
  const { waiting } = schemas.waiting.parse(await served.get(`${at}/waiting`));
  const held = waiting.find(({ kind }) => kind === "unproved");
  expect(held?.tree).toMatch(/^[0-9a-f]{40}$/);
  return { of, served, at, run, tree: held?.tree };
}

test("work that another token accepts is recorded under the name of the token", { timeout: 180_000 }, async () => {
  const { of, served, at, run, tree } = await holding();
  const token = (await of.loop("serve", "--new-token", "writer2")).stdout.trim();
  expect((await served.post(`${at}/runs/${run}/accept`, { feature: "F001", tree }, token)).status).toBe(200);
  expect((await rested(served, at, run)).outcome?.kind).toBe("success");
  const [by, committer] = of
    .git("log", "-1", "--grep=Loop-Accepted-By", "--format=%(trailers:key=Loop-Accepted-By,valueonly)%cn")
    .trim()
    .split("\n");
  expect([by, committer]).toEqual(["writer2, over loop serve", "Person"]);
  const report = (await of.loop("report", "--run", run)).stdout;
  expect(report).toContain("writer2, over loop serve");
  expect(report).not.toContain("reviewed by Person");
});

test("work that could not be proved is accepted once, if it is what was shown", { timeout: 180_000 }, async () => {
  const { of, served, at, run, tree } = await holding();
  const path = `${at}/runs/${run}/accept`;
  expect((await served.post(path, { feature: "F001", tree: "0".repeat(40) })).status).toBe(409);
  expect((await served.post(`${at}/runs/${run}/allow`, { feature: "F001", tree })).status).toBe(409);
  const other = (await of.loop("serve", "--new-token", "writer2")).stdout.trim();
  const [first, second] = await Promise.all(
    [served.token, other].map((token) => served.post(path, { feature: "F001", tree }, token)),
  );
  expect([first?.status, second?.status].sort()).toEqual([200, 409]);
  const isOwner = first?.status === 200;
  // The owner's token is the person at this machine; another one may be a program's.
  const by = isOwner ? "Person <person@example.invalid>" : "writer2, over loop serve";
  const told = schemas.failure.parse(JSON.parse((isOwner ? second : first)?.text ?? "")).error;
  expect(told).toMatchObject({
    code: "answered-already",
    why: expect.stringMatching(/accepted (?:by|from elsewhere)/),
  });
  expect((await rested(served, at, run)).outcome?.kind).toBe("success");
  expect(of.git("log", "--format=%(trailers:key=Loop-Accepted-By,valueonly)")).toContain(by);
  const late = await served.post(`${at}/runs/${run}/reject`, { feature: "F001", tree, reason: "No." });
  expect(late.text).toContain("The work on F001 was accepted from elsewhere first.");
});

test("a server killed again and again loses no event, and the run goes on without it", {
  timeout: 240_000,
}, async () => {
  const steps = [slow, ...right("F001").slice(0, 2), slow, ...right("F001").slice(2)];
  const { of, served: first, at } = await serving([builder("F001", 1, lie), builder("F001", 2, steps), evaluator]);
  const { run } = doneIn((await first.post(`${at}/runs`, {})).text);
  const seen: number[] = [];
  let isOver = false;
  for (let served = first, kills = 0; !isOver; kills++) {
    const headers: Record<string, string> = seen.length === 0 ? {} : { "Last-Event-ID": String(seen.at(-1)) };
    const path = `${at}/runs/${run}/events${seen.length === 0 ? "?from=0" : ""}`;
    let count = 0;
    for await (const { name, id } of messages(served, path, headers)) {
      if (name === "event") seen.push(id ?? -1);
      if (name === "rest") isOver = true;
      // The kill comes after one event more each time, so that it hits different moments.
      if (isOver || (kills < 20 && name === "event" && ++count > kills % 3)) break;
    }
    await served.stop("SIGKILL");
    if (!isOver) served = await start(of);
  }
  expect(seen).toEqual(of.events().map((_event, index) => index + 1));
  expect(of.git("log", "--format=%s")).toContain("F001");
});

test("a workspace with runs that is not registered is offered, and only then", { timeout: 120_000 }, async () => {
  project = new Project(sampleFiles([evaluator], one, { "loop.yaml": `${yaml}gates: [G1]\n` }));
  const of = project;
  expect((await of.loop("serve", "--list")).stderr).not.toContain("serve --add");
  expect((await of.loop("run")).code).toBe(6);
  const says = `loop serve --add ${of.root}`;
  expect((await of.loop("serve", "--list")).stderr).toContain(says);
  const served = await start(of);
  const page = async () => (await served.raw("/", { headers: served.bearer() })).text;
  expect(await page()).toContain(says);
  expect((await of.loop("serve", "--add", of.root)).code).toBe(0);
  expect((await of.loop("serve", "--list")).stderr).not.toContain(says);
  expect(await page()).not.toContain(says);
});

test("a damaged list of workspaces is named once, and is read again when it is repaired", {
  timeout: 120_000,
}, async () => {
  const of = new Project({ "loop.yaml": "version: 1\n" });
  project = of;
  await of.loop("serve", "--add", of.root);
  const path = join(of.env["XDG_STATE_HOME"] ?? "", "loopwright/serve/workspaces.json");
  const whole = fs.readFileSync(path, "utf8");
  for (const damaged of ["{", whole.replace(/"id": "[^"]*"/, '"id": "../../x"')]) {
    fs.writeFileSync(path, damaged);
    const child = of.start(["serve", "--port", "0"]);
    let [said, told] = ["", ""];
    child.stdout?.on("data", (chunk) => (told += chunk));
    child.stderr?.on("data", (chunk) => (said += chunk));
    await until("the address is printed", () => told.includes("#token="));
    const [, origin = "", token = ""] = /Open (http\S+)\/#token=(\S+)/.exec(told) ?? [];
    const asked = () => fetch(`${origin}/api/v1/workspaces`, { headers: { Authorization: `Bearer ${token}` } });
    expect((await asked()).status).toBe(409);
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect(said.match(/The list of workspaces cannot be read\./g)).toHaveLength(1);
    expect(said).toContain(`${path} is damaged.`);
    expect(said).not.toMatch(/^ +at /m);
    fs.writeFileSync(path, whole);
    expect((await asked()).status).toBe(200);
    await until("it says what it serves", () => said.includes(`Serving ${of.root}`));
    child.kill();
    await once(child, "exit");
  }
});

test("while a proof goes on, the page and loop status say which of its runs", { timeout: 120_000 }, async () => {
  const { of, served, at } = await serving([builder("F001", 1, right("F001")), evaluator], {
    "run-tests.sh": 'sleep 2; for file in test/*.test.js; do node "$file" || exit 1; done\n',
  });
  const { run } = doneIn((await served.post(`${at}/runs`, {})).text);
  const page = async () => (await served.raw(`${at}/runs/${run}`, { headers: served.bearer() })).text;
  const seen = new Set<string>();
  const statuses: string[] = [];
  for (const end = Date.now() + 90_000; Date.now() < end && !/Done: 1 of 1/.test(await page()); ) {
    const text = await page();
    for (const [, step = ""] of text.matchAll(/proving \(([^)]+)\)/g)) seen.add(step);
    if (text.includes("proving (")) statuses.push((await of.loop("status")).stdout);
  }
  expect([...seen]).toEqual(expect.arrayContaining(["old tests, new code", "everything as it would be committed"]));
  expect(statuses.join("")).toMatch(/now {7}proving \([a-z, ]+\), F001 attempt 1/);
});
