// What every agent must do. For adapter authors: call `describeAgent` in a test file.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Agent, SessionRequest } from "../agents/agent.ts";
import { runSession, type SessionOptions, type SessionResult, type SessionWalls } from "../agents/session/session.ts";
import { featureId, runId, sessionId } from "../core/ids.ts";
import { bubblewrap } from "../host/confine/bubblewrap.ts";
import { sweep } from "../host/process/tree.ts";
import { compiled, removeCompiled } from "./compiled.ts";

/** How the agent should behave. Each of its processes first adds a line to the file `starts` in its folder. */
export type Behaviour =
  | "replies" // with {"status": "done"}
  | "crashes" // by SIGKILL, before any reply
  | "no-reply" // exit code 0, without output
  | "hangs" // silent, ignores SIGTERM and SIGINT
  | "chatters" // shows progress forever
  | "floods" // 200 MB of output, then replies
  | "garbage" // invalid UTF-8, NUL, a line of 5 MB, then replies
  | "lingers" // replies, then does not exit
  | "leaves-daemon" // replies, and leaves a process in its own session that ignores SIGTERM
  | "resumes"; // its first process hangs; a resumed one replies

/** How the suite makes the agent that it tests. */
export type AgentUnderTest = {
  /** `folder` is free for scripts and the like. */
  make(behaviour: Behaviour, folder: string): Agent;
  /** Titles of tests that cannot pass for this agent, each with the reason. */
  skips?: Record<string, string>;
  /** Runs the agent inside walls; `program` is bubblewrap's. */
  walls?: (folder: string) => WallsUnderTest;
};

type WallsUnderTest = Omit<SessionWalls, "confine"> & { program: string };

let count = 0;

/** A session request for a test. */
export function aRequest(folder: string, changes: Partial<SessionRequest> = {}): SessionRequest {
  count += 1;
  const cwd = join(folder, "workspace");
  mkdirSync(cwd, { recursive: true });
  const session = sessionId(`suite-${process.pid}-${count}-${Math.random().toString(36).slice(2, 10)}`);
  const who = {
    run: runId(`run-${session}`),
    session,
    role: "builder",
    feature: featureId("F001"),
    attempt: 1,
  } as const;
  const work = { prompt: "Do it.", replySchema: {}, cwd, mayWrite: true, folder: join(folder, "sessions", session) };
  const bounds = { costUsdMax: null, timeoutMs: 60_000, silenceMs: 30_000, handoverPercent: 100 };
  return { ...who, ...work, part: 1, nativeId: null, ...bounds, ...changes };
}

const never = (): AbortSignal => new AbortController().signal;
const starts = ({ cwd }: SessionRequest): number =>
  existsSync(join(cwd, "starts")) ? readFileSync(join(cwd, "starts"), "utf8").trim().split("\n").length : 0;
const living = ({ session }: SessionRequest): number => sweep(`LOOP_SESSION=${session}`).length;

/** Waits until a condition holds; throws if it does not in this time. */
export async function eventually(holds: () => boolean, ms = 10_000): Promise<void> {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`it did not come true within ${ms} ms: ${holds}`);
    await pause(20);
  }
}

/** The setup of one test. */
type Stage = {
  asked: SessionRequest;
  agent: (behaviour: Behaviour) => Agent;
  folder: string;
  /** For `runSession`. */
  options: SessionOptions;
};

/** The tests that every agent passes. */
export function describeAgent(name: string, { make, skips = {}, walls }: AgentUnderTest): void {
  describe(`the ${name} agent`, () => {
    beforeAll(() => void compiled());
    afterAll(removeCompiled);
    const behaves = (title: string, body: (stage: Stage) => Promise<void>) =>
      test.concurrent(title, async ({ skip }) => {
        if (title in skips) skip(skips[title]);
        const folder = mkdtempSync(join(tmpdir(), `loop-agent-${name}-`));
        const asked = aRequest(folder);
        try {
          const options = { signal: never(), ...(walls === undefined ? {} : { walls: confined(walls(folder)) }) };
          await body({ asked, agent: (behaviour) => make(behaviour, folder), folder, options });
          expect(living(asked), "processes that are left").toBe(0);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      });
    const failureOf = (result: SessionResult) => (result.how === "failed" ? result.failure.class : result.how);

    behaves("replies", async ({ asked, agent, options }) => {
      const result = await runSession(agent("replies"), asked, options);
      expect(result).toMatchObject({ how: "replied", reply: { status: "done" }, parts: 1, strays: 0 });
    });

    behaves("is run once, however often it is asked for", async ({ asked, agent, options }) => {
      const driven = agent("replies");
      const together = await Promise.all([1, 2].map(() => runSession(driven, asked, options)));
      const again = await runSession(driven, asked, options);
      expect(together).toEqual([again, again]);
      expect(starts(asked)).toBe(1);
    });

    behaves("is gone within 5 s of an abort, and the session is interrupted", async ({ asked, agent, options }) => {
      const abort = new AbortController();
      const ending = runSession(agent("hangs"), asked, { ...options, signal: abort.signal });
      await eventually(() => starts(asked) === 1);
      const begun = performance.now();
      abort.abort();
      expect(await ending).toMatchObject({ how: "interrupted" });
      expect(performance.now() - begun).toBeLessThan(5000);
      expect(existsSync(join(asked.folder, "result.json"))).toBe(false);
    });

    behaves("goes on with the same session after an abort", async ({ asked, agent, options }) => {
      const driven = agent("resumes");
      const abort = new AbortController();
      const ending = runSession(driven, asked, { ...options, signal: abort.signal });
      await eventually(() => starts(asked) === 1);
      abort.abort();
      await ending;
      const result = await runSession(driven, asked, options);
      expect(result).toMatchObject({ how: "replied", parts: 2 });
      expect(starts(asked)).toBe(2);
    });

    behaves("is stopped when its time is up", async ({ asked, agent, options }) => {
      expect(failureOf(await runSession(agent("chatters"), { ...asked, timeoutMs: 700 }, options))).toBe("timed-out");
    });

    behaves("is stopped when it shows no progress", async ({ asked, agent, options }) => {
      expect(failureOf(await runSession(agent("hangs"), { ...asked, silenceMs: 700 }, options))).toBe("silent");
    });

    behaves("fails when it crashes", async ({ asked, agent, options }) => {
      const failure = failureOf(await runSession(agent("crashes"), asked, options));
      expect(["crashed", "no-result"]).toContain(failure);
    });

    behaves("has no result when it ends without a reply", async ({ asked, agent, options }) => {
      expect(failureOf(await runSession(agent("no-reply"), asked, options))).toBe("no-result");
    });

    behaves("may print bytes that are no text, and lines without end", async ({ asked, agent, options }) => {
      const result = await runSession(agent("garbage"), asked, options);
      expect(result.how).toBe("replied");
      expect(result.outputBytes).toBeGreaterThan(5 << 20);
    });

    behaves("has its reply even when it does not exit after it", async ({ asked, agent, options }) => {
      const result = await runSession(
        agent("lingers"),
        { ...asked, silenceMs: 3000 },
        { ...options, exitGraceMs: 500 },
      );
      expect(result).toMatchObject({ how: "replied", reply: { status: "done" } });
    });

    behaves("leaves no process behind", async ({ asked, agent, options }) => {
      const result = await runSession(agent("leaves-daemon"), asked, options);
      // Inside walls it ends with the session, and none has to be ended.
      expect(result).toMatchObject({ how: "replied", strays: walls === undefined ? 1 : 0 });
    });

    behaves("prints 200 MB, and neither our memory nor the disk grows with it", async ({ asked, agent, folder }) => {
      const runtime = startRuntime(folder, agent("floods"), asked, walls?.(folder));
      const { result, maxRssKb } = await runtime.done;
      expect(result.outputBytes).toBeGreaterThan(190 << 20);
      expect(maxRssKb).toBeLessThan(200 << 10);
      const kept = readFileSync(join(asked.folder, "stdout-1"));
      expect(kept.length).toBeLessThan(70 << 20);
    });

    behaves(
      "ends within 5 s when the runtime is killed, and the session goes on later",
      async ({ asked, agent, folder, options }) => {
        const runtime = startRuntime(folder, agent("resumes"), asked, walls?.(folder));
        await eventually(() => starts(asked) === 1);
        process.kill(runtime.pid, "SIGKILL");
        await eventually(() => living(asked) === 0, 5000);
        const result = await runSession(agent("resumes"), asked, options);
        expect(result).toMatchObject({ how: "replied", parts: 2 });
        expect(starts(asked)).toBe(2);
      },
    );

    behaves(
      "ends within 5 s when the runtime is killed, even if it will not listen",
      async ({ asked, agent, folder }) => {
        const runtime = startRuntime(folder, agent("hangs"), asked, walls?.(folder));
        await eventually(() => starts(asked) === 1);
        process.kill(runtime.pid, "SIGKILL");
        await eventually(() => living(asked) === 0, 5000);
      },
    );
  });
}

const confined = ({ program, ...walls }: WallsUnderTest): SessionWalls => ({ ...walls, confine: bubblewrap(program) });

type Report = { result: SessionResult; maxRssKb: number };

/** A separate runtime, to be measured or killed. It uses the agent's launch, but not its reader. */
export function startRuntime(folder: string, agent: Agent, request: SessionRequest, walls?: WallsUnderTest) {
  const order = join(folder, "order.json");
  // Inside walls a session's process has its own part of the folder.
  const asked = walls === undefined ? request : { ...request, folder: join(request.folder, "desk") };
  writeFileSync(order, JSON.stringify({ launch: agent.launch(asked), request, walls }));
  const program = join(folder, "runtime.mjs");
  writeFileSync(program, runtimeProgram);
  const child = spawn(process.execPath, [program, compiled(), order], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const done = new Promise<Report>((resolve, reject) => {
    child.once("close", () =>
      text === "" ? reject(new Error("the runtime said nothing")) : resolve(JSON.parse(text)),
    );
  });
  done.catch(() => {}); // A test that kills it does not wait for its report.
  return { pid: child.pid ?? 0, done };
}

const runtimeProgram = `
import { readFileSync } from "node:fs";
const [root, order] = process.argv.slice(2);
const { runSession } = await import(root + "/agents/session/session.js");
const { bubblewrap } = await import(root + "/host/confine/bubblewrap.js");
const { launch, request, walls } = JSON.parse(readFileSync(order, "utf8"));
const around = walls === undefined ? {} : { walls: { ...walls, confine: bubblewrap(walls.program) } };
const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 };
const failure = { class: "no-result", text: "", retryAt: null };
const end = () => ({ how: "failed", failure, usage, nativeId: null });
const reader = () => ({ line: () => [{ sign: "progress" }], end });
const agent = { name: "taken over", launch: () => launch, reader };
const result = await runSession(agent, request, { signal: new AbortController().signal, ...around });
process.stdout.write(JSON.stringify({ result, maxRssKb: process.resourceUsage().maxRSS }));
`;
