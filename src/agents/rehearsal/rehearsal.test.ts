// The rehearsal agent: the common suite, its steps, and resuming after an interruption.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aRequest, type Behaviour, describeAgent } from "../../testing/agent-suite.ts";
import type { Agent, SessionRequest } from "../agent.ts";
import { runSession } from "../session/session.ts";
import { rehearsalAgent } from "./rehearsal.ts";
import { acts, type RehearsalScene, type RehearsalStep } from "./script.ts";

function playing(folder: string, ...scenes: RehearsalScene[]): Agent {
  const script = join(folder, "script.json");
  writeFileSync(script, JSON.stringify({ version: 1, scenes }));
  return rehearsalAgent({ kind: "rehearsal", script });
}

const begin: RehearsalStep = { do: "append", path: "starts", text: "x\n" };
const done: RehearsalStep = { do: "reply", reply: { status: "done" } };
const chatter = Array.from({ length: 600 }, (): RehearsalStep => ({ do: "sleep", ms: 50 }));

const behaviours: Record<Behaviour, RehearsalStep[]> = {
  replies: [begin, done],
  crashes: [begin, { do: "crash" }],
  "no-reply": [begin],
  hangs: [{ do: "ignore-term" }, begin, { do: "hang" }],
  chatters: [begin, ...chatter],
  floods: [begin, { do: "flood", mb: 200, kind: "lines" }, done],
  garbage: [begin, { do: "flood", mb: 1, kind: "invalid-utf8" }, { do: "flood", mb: 5, kind: "one-line" }, done],
  lingers: [begin, done, { do: "hang" }],
  "leaves-daemon": [begin, { do: "daemon", seconds: 300 }, done],
  resumes: [begin, { do: "hang" }, begin, done],
};

describeAgent("rehearsal", { make: (behaviour, folder) => playing(folder, { steps: behaviours[behaviour] }) });

describe("a rehearsal", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "loop-rehearsal-"));
    mkdirSync(join(folder, "workspace"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const inWorkspace = (path: string) => join(folder, "workspace", path);
  const run = (agent: Agent, changes: Partial<SessionRequest> = {}) =>
    runSession(agent, aRequest(folder, changes), { signal: new AbortController().signal });

  test("changes files, reports them, and commits", async () => {
    execFileSync("git", ["init", "--quiet", inWorkspace("")]);
    const steps: RehearsalStep[] = [
      { do: "write", path: "src/a.txt", text: "one\n" },
      { do: "append", path: "src/a.txt", text: "two\n" },
      { do: "replace", path: "src/a.txt", find: "one", with: "$&1" },
      { do: "run", command: "cp src/a.txt b.txt" },
      { do: "commit", message: "work" },
      { do: "delete", path: "src" },
    ];
    const result = await run(playing(folder, { act: "honest", steps }));
    expect(result).toMatchObject({ how: "replied", editsMax: { path: "src/a.txt", times: 1 } });
    expect(readFileSync(inWorkspace("b.txt"), "utf8")).toBe("$&1\ntwo\n");
    expect(existsSync(inWorkspace("src"))).toBe(false);
    const log = execFileSync("git", ["-C", inWorkspace(""), "log", "--format=%s %ce"], { encoding: "utf8" });
    expect(log).toBe("work agent@loopwright.invalid\n");
  });

  test.each(["../out.txt", "/tmp/loop-rehearsal-out.txt", "link/out.txt", "dangling"])(
    "does not write to %s",
    async (path) => {
      symlinkSync(folder, inWorkspace("link"));
      symlinkSync(join(folder, "out.txt"), inWorkspace("dangling"));
      const result = await run(playing(folder, { act: "honest", steps: [{ do: "write", path, text: "x" }] }));
      expect(result).toMatchObject({ how: "failed", failure: { class: "no-result" } });
      expect(existsSync(join(folder, "out.txt")) || existsSync("/tmp/loop-rehearsal-out.txt")).toBe(false);
    },
  );

  test("plays the first scene that matches role, feature and attempt", async () => {
    const says = (text: string) => ({ act: "honest", reply: { text } }) as const;
    const agent = playing(
      folder,
      { role: "evaluator", ...says("evaluator") },
      { feature: "F001", attempt: 2, ...says("second") },
      { feature: "F001", ...says("first") },
    );
    expect(await run(agent)).toMatchObject({ reply: { text: "first" } });
    expect(await run(agent, { attempt: 2 })).toMatchObject({ reply: { text: "second" } });
    expect(await run(agent, { role: "evaluator", feature: null })).toMatchObject({ reply: { text: "evaluator" } });
    expect(await run(agent, { feature: null })).toMatchObject({ failure: { class: "misconfigured" } });
  });

  test("that is interrupted continues with the next step, and is paid once", async () => {
    const agent = playing(folder, { steps: behaviours.resumes, usage: { cost_usd: 0.5, output_tokens: 10 } });
    const request = aRequest(folder);
    const cut = await runSession(agent, request, { signal: AbortSignal.timeout(700) });
    expect(cut).toMatchObject({ how: "interrupted", usage: { costUsd: 0.5 } });
    const result = await runSession(agent, request, { signal: new AbortController().signal });
    expect(result).toMatchObject({ how: "replied", parts: 2, usage: { costUsd: 0.5, outputTokens: 10 } });
    expect(result.nativeId).toBe(`rehearsal-${request.session}`);
    expect(readFileSync(inWorkspace("starts"), "utf8")).toBe("x\nx\n");
  });

  test("is limited once, with an end time, and then not again", async () => {
    const agent = rehearsalAgent({ kind: "rehearsal", act: "limited" });
    const first = await run(agent);
    expect(first).toMatchObject({ how: "failed", failure: { class: "limited" } });
    expect((first.how === "failed" && first.failure.retryAt) || 0).toBeGreaterThan(Date.now() - 60_000);
    expect(await run(agent)).toMatchObject({ how: "replied" });
  });

  test("can fail in any way, as often as configured", async () => {
    const steps: RehearsalStep[] = [{ do: "fail", class: "billing", times: 2 }, { do: "transient" }, done];
    const agent = playing(folder, { steps });
    for (const kind of ["billing", "billing", "transient"]) {
      expect(await run(agent)).toMatchObject({ how: "failed", failure: { class: kind } });
    }
    expect(await run(agent)).toMatchObject({ how: "replied" });
  });

  test.each([
    { act: "honest", expected: { how: "replied", reply: { status: "done" } } },
    { act: "lying", expected: { how: "replied", reply: { status: "done" } } },
    { act: "slow", expected: { how: "replied" } },
    { act: "wrong-first-then-right", expected: { how: "replied" } },
    { act: "crashing", expected: { how: "failed" } },
    { act: "flooding", expected: { how: "replied" } },
  ] as const)("has an act for it: $act", async ({ act, expected }) => {
    expect(await run(rehearsalAgent({ kind: "rehearsal", act }))).toMatchObject(expected);
    expect(acts).toContain(act);
  });

  test("improves at the second attempt with wrong-first-then-right", async () => {
    const write = (text: string): RehearsalStep[] => [{ do: "write", path: "a.txt", text }];
    const agent = playing(folder, { act: "wrong-first-then-right", wrong: write("wrong"), steps: write("right") });
    await run(agent, { attempt: 1 });
    expect(readFileSync(inWorkspace("a.txt"), "utf8")).toBe("wrong");
    await run(agent, { attempt: 2 });
    expect(readFileSync(inWorkspace("a.txt"), "utf8")).toBe("right");
  });

  test.each([
    { title: "is no JSON", text: "{" },
    { title: "has no scenes", text: '{"version":1,"scenes":[]}' },
    { title: "has an unknown step", text: '{"version":1,"scenes":[{"steps":[{"do":"dance"}]}]}' },
    { title: "has an unknown key", text: '{"version":1,"scenes":[{"rol":"builder"}]}' },
  ])("whose script $title is refused before it starts", ({ text }) => {
    const script = join(folder, "bad.json");
    writeFileSync(script, text);
    expect(() => rehearsalAgent({ kind: "rehearsal", script })).toThrow(/cannot be played/);
  });
});
