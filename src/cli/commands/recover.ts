// loop recover: lists and restores what was set aside.

import { UserError } from "../../core/errors.ts";
import { lockAt } from "../../project/place/places.ts";
import { whoDrives } from "../../project/place/who-drives.ts";
import { quarantinesOf, quarantineWith } from "../../project/runs/quarantines.ts";
import { bringBackSetAside, findSetAside, listSetAside } from "../../project/runs/set-aside.ts";
import { count, isoTime } from "../../report/words/words.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";

export type RecoverFlags = GlobalFlags & { to?: string; git?: boolean; show?: boolean };

export async function recover(id: string | undefined, paths: readonly string[], flags: RecoverFlags): Promise<number> {
  const context = contextOf(flags);
  const all = await quarantinesOf(context.root, flags.git === false ? "plain" : "git");
  if (id === undefined) {
    const files = listSetAside(context.root).map(({ id: name, at, why, files: count }) => ({
      id: name,
      at,
      why,
      files: count,
    }));
    const kept = (await Promise.all(all.map(({ quarantine }) => quarantine.list()))).flat();
    const entries = [...kept, ...files].sort((one, other) => one.at - other.at);
    if (context.json) printAnswer(answers.recover, { quarantine: entries }, 0);
    else if (entries.length === 0) context.answer("Nothing was ever set aside here.\n");
    else {
      const lines = entries.map(
        (entry) => `${entry.id}  ${isoTime(entry.at)}  ${count(entry.files, "file").padEnd(9)}  ${entry.why}`,
      );
      context.answer(
        `${lines.join("\n")}\nNext: loop recover ID --show, loop recover ID [PATH…], loop recover ID --to FOLDER\n`,
      );
    }
    return 0;
  }
  const file = findSetAside(context.root, id);
  if (file !== undefined) return recoverFile(file, flags);
  const { quarantine, place, root } = await quarantineWith(all, id);
  if (flags.show === true) {
    const files = await quarantine.files(id);
    if (context.json) printAnswer(answers.recoverShow, { id, files }, 0);
    else context.answer(`${files.join("\n")}\n`);
    return 0;
  }
  const lock = await lockAt(context.root, place, `loop recover ${id}`);
  try {
    const back = await quarantine.bringBack(id, {
      ...(flags.to === undefined ? {} : { to: flags.to }),
      ...(paths.length === 0 ? {} : { paths }),
    });
    context.answer(
      `Brought back ${count(back.length, "file")}${flags.to === undefined ? `${place === null ? "" : ` in ${root}`}; what they replaced was set aside first` : ` to ${flags.to}`}\n`,
    );
  } finally {
    await lock.release();
  }
  return 0;
}

/** An input of the loop: while a run is driven, restoring it would be undone again. */
async function recoverFile(file: NonNullable<ReturnType<typeof findSetAside>>, flags: RecoverFlags): Promise<number> {
  const context = contextOf(flags);
  if (flags.show === true) {
    if (context.json) printAnswer(answers.recoverShow, { id: file.id, files: [file.path] }, 0);
    else context.answer(`${file.path}\n`);
    return 0;
  }
  if (flags.to === undefined && (await whoDrives(context.root)) !== null)
    throw new UserError("run-is-active", {
      what: "Nothing was brought back.",
      why: `A run is active here, and puts ${file.path} back while it works.`,
      next: `Pause it first: loop pause. Then: loop recover ${file.id}`,
    });
  context.answer(`Brought back ${bringBackSetAside(context.root, file, flags.to)}\n`);
  return 0;
}
