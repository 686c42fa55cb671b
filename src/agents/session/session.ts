// Runs one session with any agent, once: called again, it returns the result, waits for it, or resumes the session.
import { existsSync, realpathSync, statSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import { tokensOf } from "../../core/ledger.ts";
import { windowUsed } from "../../core/limited.ts";
import type { Failure, Usage } from "../../core/session.ts";
import { ensureDir, isErrno, statIfExists } from "../../host/disk.ts";
import { ensureLeash } from "../../host/process/leash.ts";
import { bootId } from "../../host/process/processes.ts";
import { endTree } from "../../host/process/tree.ts";
import { sleep } from "../../host/process/wait.ts";
import type { Agent, Ending, SessionRequest } from "../agent.ts";
import {
  disown,
  type LaunchRecord,
  otherOwner,
  outputsOf,
  own,
  partsMax,
  readLaunch,
  readResult,
  writeResult,
} from "./session-folder.ts";
import { type PartEnd, readAgain, runPart, type SessionOptions, sessionMarker } from "./session-part.ts";
import { addUsage, type SessionResult, Tally } from "./session-result.ts";

export type { SessionOptions } from "./session-part.ts";
export type { SessionResult } from "./session-result.ts";
export type { SessionWalls } from "./session-walls.ts";

const running = new Map<string, Promise<SessionResult>>();

/**
 * `request.part` and `request.nativeId` are filled in from the folder. Contract: never throws for anything an agent
 * does; once it returns, no process of the session is alive. An abort gives `interrupted` and no result on disk, so
 * that the same call later resumes the session. Only problems with our own files are thrown, as a UserError.
 */
export async function runSession(
  agent: Agent,
  request: SessionRequest,
  options: SessionOptions,
): Promise<SessionResult> {
  const folder = realFolder(request.folder);
  const now = running.get(folder);
  if (now !== undefined) return now;
  const promise = attachOrStart(agent, { ...request, folder }, options).catch(explainDisk);
  running.set(folder, promise);
  try {
    return await promise;
  } finally {
    running.delete(folder);
  }
}

/** Its real path: the kernel reports open files by it. */
function realFolder(folder: string): string {
  try {
    ensureDir(folder);
    return realpathSync(folder);
  } catch (error) {
    return explainDisk(error);
  }
}

async function attachOrStart(agent: Agent, request: SessionRequest, options: SessionOptions): Promise<SessionResult> {
  const { folder } = request;
  const tally = new Tally(request.nativeId);
  while (readResult(folder) === null && otherOwner(folder) !== null && !options.signal.aborted) {
    await sleep(200, options.signal);
  }
  const held = readResult(folder);
  if (held !== null) return held;
  if (otherOwner(folder) !== null) return { how: "interrupted", ...tally.totals() };
  own(folder);
  try {
    return await goOn(agent, request, tally, options);
  } finally {
    disown(folder);
  }
}

async function goOn(
  agent: Agent,
  request: SessionRequest,
  tally: Tally,
  options: SessionOptions,
): Promise<SessionResult> {
  const { folder } = request;
  const begun = launches(folder);
  const left = begun.length > 0 ? await pickUp(agent, request, tally, begun) : null;
  if (left !== null) return finish(agent, folder, left, tally);
  return nextPart(agent, request, tally, options);
}

async function nextPart(
  agent: Agent,
  request: SessionRequest,
  tally: Tally,
  options: SessionOptions,
): Promise<SessionResult> {
  if (options.signal.aborted) return { how: "interrupted", ...tally.totals() };
  const part = tally.parts + 1;
  if (part > partsMax) return finish(agent, request.folder, cutTooOften, tally);
  ensureLeash(request.run);
  const end = await runPart(agent, partOf(agent, request, tally), tally, options);
  const lost = end.why === "exited" && isLost(request, end.ending);
  tally.parts = part;
  settle(tally, end.ending);
  if (end.why === "interrupted") return { how: "interrupted", ...tally.totals() };
  if (!lost) return finish(agent, request.folder, judged(end, request, tally), tally);
  tally.nativeId = null;
  const { freshPrompt = request.prompt, ...rest } = request;
  return nextPart(agent, { ...rest, prompt: freshPrompt }, tally, options);
}

/** The earlier session's conversation is lost. That is no reason to fail this session. */
const isLost = ({ freshPrompt }: SessionRequest, ending: Ending): boolean =>
  freshPrompt !== undefined && ending.how === "failed" && ending.nativeId === null;

/** A later part has less to spend; and an agent that remembers the conversation does not need the full prompt again. */
function partOf(agent: Agent, request: SessionRequest, { nativeId, usage, parts }: Tally): SessionRequest {
  const part = parts + 1;
  const { costUsdMax, tokensMax } = request;
  const left = costUsdMax === null ? null : Math.max(0.01, costUsdMax - (usage.costUsd ?? 0));
  const remembers = part > 1 && nativeId !== null && agent.needsWholePrompt !== true;
  const prompt = remembers ? goingOn(request) : request.prompt;
  const tokens = tokensMax === undefined ? {} : { tokensMax: Math.max(1, tokensMax - tokensOf(usage)) };
  return { ...request, part, nativeId, prompt, costUsdMax: left, ...tokens };
}

/** An earlier session's conversation may not have received this prompt yet, so it is repeated. */
const goingOn = ({ freshPrompt, prompt }: SessionRequest): string =>
  freshPrompt === undefined ? cutShort : `${cutShort}\n${prompt}`;

const cutShort =
  "This session was cut short from outside. Look at where things stand, go on with the same task, and reply as you were asked to.\n";

/** Ends the remains of earlier parts and reads their output. Not null: the session had already ended. */
async function pickUp(
  agent: Agent,
  request: SessionRequest,
  tally: Tally,
  begun: LaunchRecord[],
): Promise<Judged | null> {
  const before = tally.strays;
  for (const record of begun) tally.strays += await reap(request, record);
  const someRan = tally.strays > before;
  for (const [index, record] of begun.entries()) {
    const { part } = record;
    const last = index === begun.length - 1;
    if (last && !someRan && neverStarted(request.folder, record)) break; // Nothing was paid: start this part again.
    const { ending, complete } = await readAgain(agent, { ...request, part, nativeId: tally.nativeId }, tally, last);
    tally.parts = part;
    tally.ms += lastedMs(request.folder, record);
    settle(tally, ending);
    if (complete) return ending;
  }
  return null;
}

async function reap(request: SessionRequest, { part, process: leader, boot }: LaunchRecord): Promise<number> {
  const outputs = outputsOf(request.folder, part);
  const root = { leader: boot === bootId() ? leader : null, marker: sessionMarker(request), outputs };
  return (await endTree(root, { signal: "SIGTERM", graceMs: 2000 })).found;
}

function launches(folder: string): LaunchRecord[] {
  const records: LaunchRecord[] = [];
  for (let record = readLaunch(folder, 1); record !== null; record = readLaunch(folder, record.part + 1)) {
    records.push(record);
    if (records.length === partsMax) break;
  }
  return records;
}

const neverStarted = (folder: string, { part, process }: LaunchRecord): boolean =>
  process === null && outputsOf(folder, part).every((path) => sizeOf(path) === 0);

const sizeOf = (path: string): number => statIfExists(path)?.size ?? 0;

/** The time it wrote, by the wall clock: there is no better measurement left. */
function lastedMs(folder: string, { part, at }: LaunchRecord): number {
  const [path] = outputsOf(folder, part);
  return existsSync(path) ? Math.max(0, statSync(path).mtimeMs - at) : 0;
}

type Judged = { how: "replied"; reply: unknown; text: string } | { how: "failed"; failure: Failure };

const cutTooOften: Judged = {
  how: "failed",
  failure: { class: "crashed", text: `The session was cut short ${partsMax} times.`, retryAt: null },
};

/** A reply that was complete when a watchdog of time fired counts; so does a failure more specific than a timeout. */
function judged(
  { why, ending, wroteBytes = 0 }: PartEnd,
  { timeoutMs, silenceMs, tokensMax, windowPercentMax = 100 }: SessionRequest,
  tally: Tally,
): Judged {
  // What it wrote after its reply counts, too.
  if (why === "out-of-disk") {
    const text = `It had written ${(wroteBytes / 1e9).toFixed(1)} GB, and was ended (limits.disk_gb).`;
    return { how: "failed", failure: { class: "no-result", text, retryAt: null } };
  }
  if (ending.how === "replied") return ending;
  if (why === "full") {
    const text = `Its context was ${Math.round(tally.contextPercent)} % full; a fresh session goes on.`;
    return { how: "failed", failure: { class: "context-full", text, retryAt: null } };
  }
  if (why === "out-of-tokens") {
    const text = `It used ${tokensOf(tally.usage)} tokens, and ${tokensMax} were left.`;
    return { how: "failed", failure: { class: "out-of-tokens", text, retryAt: null } };
  }
  if (why === "out-of-window" && tally.window !== null)
    return { how: "failed", failure: windowUsed(tally.window, windowPercentMax) };
  if (why !== "timed-out" && why !== "silent") return ending;
  if (ending.failure.class !== "crashed" && ending.failure.class !== "no-result") return ending;
  const seconds = Math.round((why === "silent" ? silenceMs : timeoutMs) / 1000);
  const text = why === "silent" ? `There was no progress for ${seconds} s.` : `It was not done after ${seconds} s.`;
  return { how: "failed", failure: { class: why, text, retryAt: null } };
}

function settle(tally: Tally, { usage, nativeId, costsWhole }: Ending): void {
  const sum = addUsage(tally.usage, usage);
  tally.usage = costsWhole === true ? { ...sum, ...costOf(usage) } : sum;
  tally.nativeId = nativeId ?? tally.nativeId;
}

const costOf = ({ costUsd, atMostUsd }: Usage): Partial<Usage> => ({
  costUsd,
  ...(atMostUsd === undefined ? {} : { atMostUsd }),
});

function finish({ name }: Agent, folder: string, judged: Judged, tally: Tally): SessionResult {
  const ending =
    judged.how === "replied"
      ? ({ how: "replied", reply: judged.reply, text: judged.text } as const)
      : ({ how: "failed", failure: judged.failure } as const);
  const result: SessionResult = { ...ending, ...tally.totals() };
  writeResult(folder, name, result);
  return result;
}

function explainDisk(error: unknown): never {
  const code = ["ENOSPC", "EDQUOT", "EROFS", "EIO", "EACCES", "ENOTDIR"].find((one) => isErrno(error, one));
  if (code === undefined) throw error;
  const full = code === "ENOSPC" || code === "EDQUOT";
  throw new UserError(
    full ? "disk-full" : "disk-unwritable",
    {
      what: "The session was stopped, and the run can be continued.",
      why: full ? "The disk is full." : `The session's folder could not be written (${code}).`,
      next: full ? "Free some space, then: loop continue" : "Make the folder writable, then: loop continue",
    },
    { cause: error },
  );
}
