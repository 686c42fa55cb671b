// One process of a session, from its start to the end of its last descendant.
import { rmSync } from "node:fs";
import { tokensOf } from "../../core/ledger.ts";
import { noUsage } from "../../core/session.ts";
import { ensureDir, writeAtomic } from "../../host/disk.ts";
import { DiskUse } from "../../host/disk-use.ts";
import { ActiveClock } from "../../host/process/active-clock.ts";
import { type Follower, follow, readTail, readWhole } from "../../host/process/follow.ts";
import { createOutput, type Spawned, spawnToFiles } from "../../host/process/spawn.ts";
import { type Tree, watchTree } from "../../host/process/tree.ts";
import { Waiting } from "../../host/process/waiting.ts";
import { removeTree } from "../../host/remove-tree.ts";
import { isWithin } from "../../host/within.ts";
import type { Agent, Ending, Exit, Launch, Reader, SessionRequest, Sign } from "../agent.ts";
import { shownPath } from "../cli/tool-call.ts";
import { type LaunchRecord, launchRecord, outputsOf, promptFile, replyFile, writeLaunch } from "./session-folder.ts";
import { addUsage, type Tally } from "./session-result.ts";
import { confineSession, deskOf, layDesk, type SessionWalls } from "./session-walls.ts";

export type SessionOptions = {
  signal: AbortSignal;
  onSign?: (sign: Sign) => void;
  /** How long a process may keep running after its result. */
  exitGraceMs?: number;
  /** Omitted: its processes run with the person's rights. */
  walls?: SessionWalls;
  /** What it may write to the disk. Omitted: everything. */
  diskBytesMax?: number;
};

/** `why` is the cause of the end; the ending comes from the reader. */
export type PartEnd = { why: Why; ending: Ending; wroteBytes?: number };
type Why =
  | "exited"
  | "lingered"
  | "timed-out"
  | "silent"
  | "full"
  | "out-of-tokens"
  | "out-of-window"
  | "out-of-disk"
  | "interrupted";

const replyBytesMax = 8 << 20;
const stdoutTailBytes = 256 << 10;
const stderrTailBytes = 16 << 10;
const endGraceMs = 3000;
const leftoverGraceMs = 1000;
const pollMs = 50;
const outputLinesMax = 20;
const askEveryMs = 1000;
/** At first, helpers start and exit quickly; later a look twice a second is enough. */
const lookEvery = (activeMs: number) => (activeMs < 3000 ? 100 : 500);

export const sessionMarker = (request: SessionRequest): string => `LOOP_SESSION=${request.session}`;

export async function runPart(
  agent: Agent,
  request: SessionRequest,
  tally: Tally,
  options: SessionOptions,
): Promise<PartEnd> {
  const { folder, part } = request;
  const { walls } = options;
  ensureDir(folder);
  const desk = layDesk(folder, walls);
  const launch = agent.launch({ ...request, folder: desk });
  // Not synced: after a power cut the prompt is written again.
  for (const place of new Set([folder, desk])) writeAtomic(promptFile(place), request.prompt, { durable: false });
  for (const { path, content } of launch.files ?? []) writeAtomic(path, content);
  const record = launchRecord(part, launch);
  writeLaunch(folder, record);
  rmSync(replyFile(folder), { recursive: true, force: true });
  const outputs = outputsOf(folder, part);
  // Opened before the agent can remove them.
  for (const path of outputs) createOutput(path);
  const signs = new Signs(tally, request.cwd, options.onSign);
  const reader = agent.reader(request);
  const files = followBoth(outputs, reader, signs);
  try {
    const start = confineSession(launch, request, desk, walls);
    const spawned = await spawnToFiles({
      ...start,
      markers: { LOOP_RUN: request.run, LOOP_SESSION: request.session },
      stdin: launch.stdin === "prompt" ? promptFile(desk) : null,
      stdout: outputs[0],
      stderr: outputs[1],
    });
    if (!spawned.ok) return { why: "exited", ending: notStarted(launch, spawned) };
    const wrapped = { leaderWraps: start.isWrapper };
    const tree = watchTree({ leader: spawned.id, marker: sessionMarker(request), outputs, ...wrapped });
    const end = await watch(reader, request, {
      record,
      spawned,
      tree,
      launch,
      files,
      signs,
      tally,
      options,
      written: outermost([
        request.cwd,
        folder,
        ...(walls === undefined ? [] : [walls.state, walls.apart?.store ?? folder]),
      ]),
    });
    // Otherwise each attempt would leave as much again.
    if (end.why === "out-of-disk" && desk !== folder) removeTree(desk);
    return end;
  } finally {
    for (const file of files) file.close();
  }
}

function followBoth([stdout, stderr]: readonly [string, string], reader: Reader, signs: Signs): readonly Follower[] {
  const onError = reader.errorLine?.bind(reader);
  return [
    follow(stdout, { onLine: (text, cut) => signs.take(() => reader.line(text, cut)) }),
    follow(stderr, onError ? { onLine: (text, cut) => signs.take(() => onError(text, cut)) } : {}),
  ];
}

type Watched = {
  record: LaunchRecord;
  spawned: Spawned & { ok: true };
  tree: Tree;
  launch: Launch;
  files: readonly Follower[];
  signs: Signs;
  tally: Tally;
  options: SessionOptions;
  /** Folders that its processes fill: where it works, its output, and its own state. */
  written: readonly string[];
};

async function watch(reader: Reader, request: SessionRequest, watched: Watched): Promise<PartEnd> {
  const { record, spawned, tree, launch, files, tally } = watched;
  try {
    writeLaunch(request.folder, { ...record, process: spawned.id });
    const { why, exit, activeMs, wroteBytes } = await untilEnd(reader, request, watched);
    // A process that exited by itself may have helpers that are just exiting.
    const gentle = { graceMs: leftoverGraceMs, settleMs: 300 };
    const ended = await tree.end({
      signal: launch.endSignal,
      ...(why === "exited" ? gentle : { graceMs: endGraceMs }),
    });
    for (const file of files) await file.finish();
    watched.signs.showOutput();
    if (why === "exited") tally.strays += ended.found;
    tally.ms += activeMs;
    tally.outputBytes += files.reduce((sum, file) => sum + file.bytes, 0);
    const ending = readEnding(reader, request, why === "exited" ? exit : null);
    return { why, ending, ...(wroteBytes === undefined ? {} : { wroteBytes }) };
  } catch (error) {
    await tree.end({ signal: "SIGKILL", graceMs: 0 }); // Whatever failed here, the agent must not keep running.
    throw error;
  }
}

type Ended = { why: Why; exit: Exit | null; activeMs: number; wroteBytes?: number };

async function untilEnd(reader: Reader, request: SessionRequest, watched: Watched): Promise<Ended> {
  const { spawned, tree, files, signs, options } = watched;
  const { signal, exitGraceMs = 15_000 } = options;
  const waiting = new Waiting(spawned.exited, signal);
  const clock = new ActiveClock(performance.now());
  let looked = Number.NEGATIVE_INFINITY;
  let asked = 0;
  const disk = options.diskBytesMax === undefined ? null : new DiskUse(watched.written, options.diskBytesMax);
  try {
    for (;;) {
      // Checked before the read, so that this read includes the last output of an exited process.
      const { exit } = waiting;
      // Read the clock first, so that this output counts as of now, even after a stall.
      const activeMs = clock.look(performance.now());
      signs.at(activeMs);
      for (const file of files) await file.read();
      signs.showOutput();
      const overdue = signal.aborted ? "interrupted" : signs.overdue(request, exitGraceMs, activeMs);
      const why: Why | null = exit === null ? overdue : "exited";
      if (why !== null) return { why, exit, activeMs };
      const wroteBytes = disk?.over(activeMs) ?? null;
      if (wroteBytes !== null) return { why: "out-of-disk", exit, activeMs, wroteBytes };
      if (activeMs - looked >= lookEvery(activeMs)) {
        tree.look();
        looked = activeMs;
      }
      if (activeMs - asked >= askEveryMs) {
        signs.take(() => reader.look?.() ?? []);
        asked = activeMs;
      }
      await waiting.pause(pollMs);
    }
  } finally {
    waiting.over();
  }
}

/** The signs in the output, and their times, in active time. */
class Signs {
  readonly #tally: Tally;
  readonly #cwd: string;
  readonly #onSign: ((sign: Sign) => void) | undefined;
  readonly #output: Sign[] = [];
  #now = 0;
  #progressAt = 0;
  #resultAt: number | null = null;
  /** Of this part, as its agent reported them last. */
  #tokens = 0;

  constructor(tally: Tally, cwd: string, onSign: ((sign: Sign) => void) | undefined) {
    this.#tally = tally;
    this.#cwd = cwd;
    this.#onSign = onSign;
    if (tally.parts > 0) onSign?.({ sign: "usage", usage: tally.usage });
  }

  at(activeMs: number): void {
    this.#now = activeMs;
  }

  take(read: () => readonly Sign[]): void {
    for (const sign of quietly(read) ?? []) {
      if (sign.sign === "progress") this.#progressAt = this.#now;
      if (sign.sign === "result") this.#resultAt ??= this.#now;
      if (sign.sign === "usage") this.#tokens = tokensOf({ ...noUsage, ...sign.usage });
      this.#tally.take(sign);
      this.#show(sign);
    }
  }

  /** For people: files relative to where the agent works, and the usage of earlier parts included. */
  #show(sign: Sign): void {
    if (sign.sign === "edit") this.#onSign?.({ ...sign, path: shownPath(sign.path, this.#cwd) });
    else if (sign.sign === "usage") this.#onSign?.({ ...sign, usage: addUsage(this.#tally.usage, sign.usage) });
    else if (sign.sign !== "output") this.#onSign?.(sign);
    else {
      this.#output.push(sign);
      if (this.#output.length > outputLinesMax) this.#output.shift();
    }
  }

  /** Of a flood of lines, only the last since the previous look are shown. */
  showOutput(): void {
    for (const sign of this.#output.splice(0)) this.#onSign?.(sign);
  }

  overdue(request: SessionRequest, exitGraceMs: number, activeMs: number): Why | null {
    const { timeoutMs, silenceMs, handoverPercent, tokensMax, windowPercentMax = Number.POSITIVE_INFINITY } = request;
    if (this.#resultAt !== null) return activeMs - this.#resultAt > exitGraceMs ? "lingered" : null;
    if (activeMs > timeoutMs) return "timed-out";
    if (tokensMax !== undefined && this.#tokens >= tokensMax) return "out-of-tokens";
    if ((this.#tally.window?.percent ?? 0) >= windowPercentMax) return "out-of-window";
    if (this.#tally.contextPercent >= handoverPercent) return "full";
    return activeMs - this.#progressAt > silenceMs ? "silent" : null;
  }
}

/** A part whose process and runtime are gone: the same reader reads its files. */
export async function readAgain(agent: Agent, request: SessionRequest, tally: Tally, last: boolean) {
  const { folder, part } = request;
  const reader = agent.reader(request);
  let finished = false;
  const take = (sign: Sign) => {
    finished ||= sign.sign === "result";
    tally.take(sign);
  };
  const onLine = (text: string, cut: boolean) => quietly(() => reader.line(text, cut))?.forEach(take);
  const [stdout, stderr] = outputsOf(folder, part);
  const onError = (text: string, cut: boolean) => quietly(() => reader.errorLine?.(text, cut))?.forEach(take);
  for (const file of [quietly(() => follow(stdout, { onLine })), quietly(() => follow(stderr, { onLine: onError }))]) {
    await file?.finish();
    tally.outputBytes += file?.bytes ?? 0;
  }
  const ending = readEnding(reader, request, null, last);
  return { ending, complete: finished || ending.how === "replied" };
}

function readEnding(reader: Reader, { folder, part }: SessionRequest, exit: Exit | null, last = true): Ending {
  const [stdout, stderr] = outputsOf(folder, part);
  const files = {
    reply: last ? readWhole(replyFile(deskOf(folder)), replyBytesMax) : null,
    stdoutTail: readTail(stdout, stdoutTailBytes),
    stderrTail: readTail(stderr, stderrTailBytes),
  };
  const text = "What the agent printed could not be made sense of.";
  const failure = { class: "crashed", text, retryAt: null } as const;
  const unknown = { usage: { ...noUsage, costUsd: null }, nativeId: null };
  return quietly(() => reader.end(exit, files)) ?? { how: "failed", failure, ...unknown };
}

/** A reader that throws has a bug, but an agent's output must never stop a run. */
function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function notStarted({ file, cwd }: Launch, { code, what, text }: Spawned & { ok: false }): Ending {
  const soon = ["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"].includes(code);
  const about = what === "folder" ? `the folder ${cwd} is not there` : `${file}: ${text}`;
  const failure = { text: `The agent could not be started: ${about}`, retryAt: null };
  const nothing = { usage: noUsage, nativeId: null };
  return { how: "failed", failure: { class: soon ? "transient" : "misconfigured", ...failure }, ...nothing };
}

/** What is counted must not be counted twice. */
const outermost = (folders: readonly string[]): string[] =>
  folders.filter((folder) => !folders.some((other) => other !== folder && isWithin(folder, other)));
