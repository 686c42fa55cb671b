// A commit of a run, for a person who reads it: why it comes first, what its proof rests on, how big it is.
import type { Overview } from "../../report/overview.ts";
import type { ToRead } from "../../report/read-first.ts";
import { takenBackWords } from "../../report/taken-back.ts";
import { count } from "../../report/words/words.ts";
import { row } from "./events.ts";
import type { Paint } from "./paint.ts";

export type DiffSize = { readonly added: number | null; readonly removed: number | null };

/** Null: the diff is not kept. */
export function diffSize(diff: string | null): DiffSize {
  if (diff === null) return { added: null, removed: null };
  const lines = diff.split("\n");
  return {
    added: lines.filter((line) => /^\+(?!\+\+ )/.test(line)).length,
    removed: lines.filter((line) => /^-(?!-- )/.test(line)).length,
  };
}

export function commitText(run: Overview, commit: ToRead, at: number, diff: string | null, paint: Paint): string {
  const feature = run.features.find(({ id }) => id === commit.feature);
  const { added, removed } = diffSize(diff);
  const rests = feature?.restsOn.replace(/ [█░]+/g, "") ?? "";
  const hash = commit.commit?.slice(0, 10) ?? "";
  return [
    paint.bold(`${at + 1} of ${run.readFirst.length}  ${commit.feature} ${commit.name.replace(/\s+/g, " ")}`),
    row("risk", commit.why),
    row("proof", `${feature?.standing ?? "unknown"}${rests === "" ? "" : `; ${rests}`}`),
    ...(feature?.criteria ?? []).map(({ text, isMet }) => row(isMet ? "met" : "open", text.replace(/\s+/g, " "))),
    ...(feature?.mayChange.length ? [row("may change", feature.mayChange.join(", "))] : []),
    row("size", added === null ? "see git" : `${count(added, "line")} added, ${removed} removed`),
    ...(run.hasGit
      ? [
          row("see", `git show ${hash}`),
          row("undo", commit.takenBack === null ? `loop undo ${commit.feature}` : takenBackWords(commit.takenBack)),
        ]
      : []),
    "",
  ].join("\n");
}
