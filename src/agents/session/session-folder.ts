// A session's files on disk, by which it is found again after a crash at any moment.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../core/errors.ts";
import {
  launchFile as launchKept,
  ownerFile as ownerKept,
  resultFile as resultKept,
} from "../../formats/kept/session-files.ts";
import { ensureDir, isErrno, readIfExists, writeAtomic } from "../../host/disk.ts";
import { bootId, isAlive, type ProcessId, readProcess } from "../../host/process/processes.ts";
import type { Launch } from "../agent.ts";
import type { SessionResult, StoredResult } from "./session-result.ts";

export const partsMax = 5;

export const promptFile = (folder: string): string => join(folder, "prompt.md");
export const replyFile = (folder: string): string => join(folder, "reply.json");
export const outputsOf = (folder: string, part: number): readonly [stdout: string, stderr: string] => [
  join(folder, `stdout-${part}`),
  join(folder, `stderr-${part}`),
];
const launchFile = (folder: string, part: number) => join(folder, `launch-${part}.json`);
const resultFile = (folder: string) => join(folder, "result.json");
const ownerFile = (folder: string) => join(folder, "owner.json");

/** The intent is written before the process starts, `process` right after. */
export type LaunchRecord = {
  version: 1;
  part: number;
  file: string;
  args: readonly string[];
  cwd: string;
  /** Names only: values may be secrets. */
  envNames: readonly string[];
  at: number;
  boot: string;
  process: ProcessId | null;
};

export function launchRecord(part: number, launch: Launch): LaunchRecord {
  const { file, args, cwd, env } = launch;
  const envNames = Object.keys(env).sort();
  return { version: 1, part, file, args, cwd, envNames, at: Date.now(), boot: bootId(), process: null };
}

export function writeLaunch(folder: string, record: LaunchRecord): void {
  const path = launchFile(folder, record.part);
  // First without a sync, in case we are killed: until then the running process is not on record. Then again, in case
  // the power fails.
  if (record.process !== null) writeOwn(path, record, { durable: false });
  writeOwn(path, record);
}

type Found = Pick<LaunchRecord, "version" | "part" | "at" | "boot" | "process"> & Partial<LaunchRecord>;

/** Null: this part never started. An unreadable record still means that something started. */
export function readLaunch(folder: string, part: number): LaunchRecord | null {
  const text = readIfExists(launchFile(folder, part));
  if (text === null) return null;
  const blank = { file: "", args: [], cwd: "", envNames: [], at: Date.now(), boot: "", process: null };
  return { version: 1, part, ...blank, ...launchKept.parseIfPossible<Found>(text) };
}

/** `provider` and `session_id` are the same for every agent: who it was, and its own name for the conversation. */
export function writeResult(folder: string, provider: string, result: SessionResult): void {
  writeOwn(resultFile(folder), { version: 1, provider, session_id: result.nativeId, result });
}

export function readResult(folder: string): SessionResult | null {
  const text = readIfExists(resultFile(folder));
  if (text === null) return null;
  const kept = resultKept.parse<StoredResult>(text);
  if (kept.ok) return { ...kept.value.result, refused: kept.value.result.refused ?? [] };
  throw new UserError("session-unreadable", {
    what: "The result of a finished session cannot be read.",
    why: `${resultFile(folder)} is damaged, or was written by a newer version: ${kept.why}.`,
    next: "Move that file away to run the session again; it will be paid for again.",
  });
}

type Owner = ProcessId & { boot: string };

/** The other runtime that runs this session right now, if any. */
export function otherOwner(folder: string): Owner | null {
  const owner = ownerKept.parseIfPossible<Owner>(readIfExists(ownerFile(folder)) ?? "");
  if (owner === null || owner.pid === process.pid || owner.boot !== bootId()) return null;
  return isAlive(owner) ? owner : null;
}

export function own(folder: string): void {
  const startTicks = readProcess(process.pid)?.startTicks ?? 0;
  // Not synced: no owner survives a power cut.
  writeOwn(ownerFile(folder), { pid: process.pid, startTicks, boot: bootId() }, { durable: false });
}

export function disown(folder: string): void {
  fs.rmSync(ownerFile(folder), { force: true });
}

/** Recreates the folder if needed: an agent that removes it must lose its session, not stop the run. */
function writeOwn(path: string, value: unknown, options: { durable?: boolean } = {}): void {
  // It can also disappear during the write. An agent that keeps removing it gets no further than this.
  for (let tries = 1; ; tries++) {
    try {
      ensureDir(dirname(path));
      writeAtomic(path, `${JSON.stringify(value)}\n`, options);
      return;
    } catch (error) {
      if (!isErrno(error, "ENOENT") || tries === 20) throw error;
    }
  }
}
