// The memory of a workspace, in its vault. Nothing depends on it: an unreadable one is renamed and replaced.
import * as fs from "node:fs";
import { join } from "node:path";
import type { StoredResult } from "../../agents/session/session-result.ts";
import { machineTrouble } from "../../core/errors.ts";
import { sideOf } from "../../core/run.ts";
import { emptyMemory, type Memory, memoryJson, parseMemory } from "../../formats/kept/memory-json.ts";
import { resultFile } from "../../formats/kept/session-files.ts";
import { parseReply } from "../../formats/reply/reply.ts";
import { readIfExists, writeAtomic } from "../../host/disk.ts";
import type { Iteration } from "../../report/chronicle.ts";
import { type Proofs, proofFile, readProofs } from "../../report/proof-view.ts";
import type { Story } from "../../report/story.ts";
import { lessonsOf, type Taught } from "../../runtime/lessons.ts";
import { learn, memoryFile } from "../../runtime/memory.ts";
import type { RunFiles } from "../../runtime/ports.ts";

const placeOf = (vault: string): string => join(vault, memoryFile);

export type StoredMemory = { readonly memory: Memory; readonly problem: string | null };

export function readMemory(vault: string): StoredMemory {
  const text = readIfExists(placeOf(vault));
  if (text === null) return { memory: emptyMemory, problem: null };
  const parsed = parseMemory(text);
  return "problem" in parsed ? { memory: emptyMemory, problem: parsed.problem } : { memory: parsed, problem: null };
}

/** An unreadable file is kept under another name: it may be from a later version, or a person's edit with a typo. */
export function writeMemory(vault: string, memory: Memory, { problem }: Pick<StoredMemory, "problem">): void {
  const place = placeOf(vault);
  if (problem !== null) fs.renameSync(place, `${place}.unreadable`);
  writeAtomic(place, memoryJson(memory));
}

/** The run's own copy, so that its prompts do not change while it is in progress. */
export function copyForRun(vault: string, files: RunFiles): void {
  const { memory } = readMemory(vault);
  if (memory.entries.length > 0) files.write(memoryFile, memoryJson(memory));
}

/** After every rest and at the end. Best effort: a disk error here must not fail a successful run. */
export function rememberRun(vault: string, files: RunFiles, { run, chronicle }: Story): void {
  if (chronicle.iterations.length === 0) return;
  try {
    const stored = readMemory(vault);
    const proofs = readProofs(chronicle, files);
    const taught = chronicle.iterations
      .filter(({ commit }) => commit !== null)
      .map((it) => taughtBy(it, proofs, files));
    const at = { run: chronicle.run, at: chronicle.lastAt };
    const memory = learn(stored.memory, lessonsOf(run, chronicle, taught), at);
    if (memoryJson(memory) !== memoryJson(stored.memory)) writeMemory(vault, memory, stored);
  } catch (error) {
    if (machineTrouble(error) === null) throw error;
  }
}

/** Only makers whose work was proved and committed are heard, and even they are not trusted. */
function taughtBy(it: Iteration, proofs: Proofs, files: RunFiles): Taught {
  const view = proofs[proofFile(it)];
  const makers = it.sessions.filter(({ role }) => sideOf(role) === "maker");
  return {
    touched: (view?.is === "read" ? view.proof.touched : null) ?? [],
    learned: makers.flatMap(({ role, session }) =>
      learnedIn(files.read(`sessions/${it.feature}-a${it.attempt}-${role}-${session}/result.json`)),
    ),
  };
}

function learnedIn(resultText: string | null): readonly string[] {
  if (resultText === null) return [];
  const kept = resultFile.parseIfPossible<StoredResult>(resultText);
  const reply = kept?.result.how === "replied" ? parseReply("producer", kept.result.reply) : null;
  return reply === null || "problem" in reply ? [] : (reply.learned ?? []);
}
