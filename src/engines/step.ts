// Which run of a proof is going on, for people who watch. Nothing depends on it.
import type { Run } from "../core/run.ts";
import { stepFile } from "../formats/kept/run-files.ts";
import { runTitle } from "../report/words/shown.ts";
import type { Reading } from "./engine.ts";

/** Null: no proof is going on, or its first run has not begun. */
export async function stepOf(file: Reading["file"], { now }: Pick<Run, "now">): Promise<string | null> {
  if (now.is !== "proving") return null;
  const text = await file("step.json");
  const kept = text === null ? null : stepFile.parseIfPossible(text);
  const { feature, iteration } = now.work;
  const proof = `${feature}-i${iteration}-`;
  // An earlier proof may have been the last to write it.
  return kept?.room.startsWith(proof) === true ? runTitle(kept.room.slice(proof.length)) : null;
}
