// loop memory: shows or forgets what earlier runs here have learned.
import { UserError } from "../../core/errors.ts";
import { readMemory, writeMemory } from "../../project/runs/memory-store.ts";
import { count, isoDay } from "../../report/words/words.ts";
import { forget } from "../../runtime/memory.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";

export async function memory(flags: GlobalFlags & { forget?: string }): Promise<number> {
  const context = contextOf(flags);
  const vault = vaultDirFor(context.root);
  const stored = readMemory(vault);
  if (stored.problem !== null)
    context.comment(
      `The memory cannot be read (${stored.problem}). It counts as empty, and is put aside when something is learned.\n`,
    );
  const { entries } = stored.memory;
  if (flags.forget !== undefined) {
    const { memory: left, gone } = forget(stored.memory, whichOf(flags.forget, entries.length));
    if (gone.length > 0) writeMemory(vault, left, stored);
    if (context.json) printAnswer(answers.memory, { forgotten: gone, memory: left.entries }, 0);
    else
      context.answer(
        `Forgot ${gone.length === 0 ? "nothing" : count(gone.length, "note")}; ${left.entries.length === 0 ? "none is" : left.entries.length === 1 ? "1 is" : `${left.entries.length} are`} left.\n`,
      );
    return 0;
  }
  if (context.json) printAnswer(answers.memory, { memory: entries }, 0);
  else if (entries.length === 0) context.answer("Nothing has been learned here yet.\n");
  else {
    const lines = entries.map(
      ({ kind, text, seen, lastAt }, at) =>
        `${String(at + 1).padStart(2)}  ${kind.padEnd(8)}  ${isoDay(lastAt)}  ${count(seen, "run").padEnd(7)}  ${text}`,
    );
    context.answer(`${lines.join("\n")}\nNext: loop memory --forget N, loop memory --forget all\n`);
  }
  return 0;
}

function whichOf(text: string, length: number): number | "all" {
  if (text === "all") return "all";
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= length) return number;
  throw new UserError("no-such-note", {
    what: "Nothing was forgotten.",
    why: `${JSON.stringify(text)} is not the number of a note: there ${length === 1 ? "is 1" : `are ${length}`}.`,
    next: "loop memory",
  });
}
