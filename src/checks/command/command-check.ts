// Runs a check: one shell line, its whole process tree, its output in one file.
import { randomBytes } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ActiveClock } from "../../host/process/active-clock.ts";
import { type Follower, follow, readTail } from "../../host/process/follow.ts";
import { ensureLeash } from "../../host/process/leash.ts";
import { createOutput, type Exit, type Spawned, spawnToFiles } from "../../host/process/spawn.ts";
import { type Tree, watchTree } from "../../host/process/tree.ts";
import { Waiting } from "../../host/process/waiting.ts";
import type { CheckOrder, CheckResult, CheckRunner } from "../check.ts";
import { cleanTail, signatureOf } from "../signature.ts";

const pollMs = 50;
const lookEveryMs = 250;
const endGraceMs = 3000;
/** Large enough for the window to start well before the relevant lines. */
const signatureBytes = 64 << 10;

type How = CheckResult["how"];

export const commandChecks: CheckRunner = { run: runCheck };

async function runCheck(order: CheckOrder, signal: AbortSignal): Promise<CheckResult> {
  if (signal.aborted) return resultOf(order, { how: "interrupted", exitCode: null, ms: 0, leftBehind: 0 }, "");
  ensureLeash();
  mkdirSync(dirname(order.outputFile), { recursive: true });
  const output = join(realpathSync(dirname(order.outputFile)), basename(order.outputFile));
  createOutput(output);
  const file = follow(output);
  const mark = randomBytes(12).toString("hex");
  try {
    const { cwd, env } = order;
    const start = order.door({ file: "/bin/sh", args: ["-c", order.command], cwd, env });
    const spawned = await spawnToFiles({
      ...start,
      markers: { LOOP_CHECK: mark },
      stdin: null,
      stdout: output,
      stderr: output,
    });
    if (!spawned.ok) return notStarted(order, spawned);
    const tree = watchTree({
      leader: spawned.id,
      marker: `LOOP_CHECK=${mark}`,
      outputs: [output],
      leaderWraps: start.isWrapper,
    });
    const ended = await watch(order, signal, { spawned, tree, file });
    return resultOf(order, ended, readTail(output, signatureBytes));
  } finally {
    file.close();
  }
}

type Watched = { spawned: Spawned & { ok: true }; tree: Tree; file: Follower };
type CheckEnd = Pick<CheckResult, "how" | "exitCode" | "ms" | "leftBehind">;

async function watch(order: CheckOrder, signal: AbortSignal, watched: Watched): Promise<CheckEnd> {
  const { tree, file } = watched;
  try {
    const { how, exit, ms } = await untilEnd(order, signal, watched);
    const gentle = { graceMs: 1000, settleMs: 200 };
    const ended = await tree.end({ signal: "SIGTERM", ...(exit === null ? { graceMs: endGraceMs } : gentle) });
    await file.finish();
    return { how, exitCode: exit?.code ?? null, ms: Math.round(ms), leftBehind: exit === null ? 0 : ended.found };
  } catch (error) {
    await tree.end({ signal: "SIGKILL", graceMs: 0 }); // For example, on a full disk: end it anyway.
    throw error;
  }
}

async function untilEnd({ timeoutMs }: CheckOrder, signal: AbortSignal, { spawned, tree, file }: Watched) {
  const waiting = new Waiting(spawned.exited, signal);
  const clock = new ActiveClock(performance.now());
  let looked = Number.NEGATIVE_INFINITY;
  try {
    for (;;) {
      const { exit } = waiting;
      await file.read();
      const ms = clock.look(performance.now());
      const how: How | null =
        exit !== null ? howItExited(exit) : signal.aborted ? "interrupted" : ms > timeoutMs ? "timed-out" : null;
      if (how !== null) return { how, exit, ms };
      if (ms - looked >= lookEveryMs) {
        tree.look();
        looked = ms;
      }
      await waiting.pause(pollMs);
    }
  } finally {
    waiting.over();
  }
}

/** The shell's codes for "command not found" and "not executable". */
function howItExited({ code }: Exit): How {
  if (code === 0) return "passed";
  return code === 127 || code === 126 ? "not-found" : "failed";
}

function resultOf(order: CheckOrder, end: CheckEnd, output: string): CheckResult {
  const signature = end.how === "passed" ? "" : signatureOf(end.how, output, order.cwd);
  return { name: order.name, ...end, tail: cleanTail(output), signature };
}

function notStarted(order: CheckOrder, { what, text }: Spawned & { ok: false }): CheckResult {
  const why = what === "folder" ? `The folder ${order.cwd} is not there.` : text;
  return resultOf(order, { how: "not-found", exitCode: null, ms: 0, leftBehind: 0 }, why);
}
