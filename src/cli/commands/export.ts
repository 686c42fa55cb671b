// loop export: the work queue and its progress, for another tool or for people.
import { dirname, resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { type ExportFormat, exportFormats } from "../../formats/export/index.ts";
import { nearest } from "../../formats/text/nearest.ts";
import { statIfExists, writeAtomic } from "../../host/disk.ts";
import { exportQueue } from "../../project/queue/export-features.ts";
import { count } from "../../report/words/words.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";

export type ExportFlags = GlobalFlags & { format?: string; out?: string };

export async function exportFile(flags: ExportFlags): Promise<number> {
  const context = contextOf(flags);
  const format = formatOf(flags.format ?? "features");
  const [latest] = await context.engine.runs();
  const goal = latest === undefined ? null : (await context.engine.read(latest)).story.run.contract.request;
  const { text, features, done } = exportQueue(context.root, format, goal);
  if (flags.out !== undefined) writeTo(flags.out, text);
  const to = flags.out ?? null;
  if (context.json) {
    printAnswer(answers.export, { format, features, done, out: to, ...(to === null ? { text } : {}) }, 0);
  } else if (to === null) context.verbatim(text);
  else context.answer(`${count(features, "feature")}, ${done} done, written to ${to}\n`);
  return 0;
}

/** Checked first: a temporary file that cannot replace a folder would be left behind. */
function writeTo(path: string, text: string): void {
  const full = resolve(path);
  const isFolder = (name: string) => statIfExists(name)?.isDirectory() === true;
  if (isFolder(dirname(full)) && !isFolder(full)) writeAtomic(full, text, { mode: 0o644 });
  else
    throw new UserError("cannot-write", {
      what: "Nothing was exported.",
      why: `${path} cannot be written: its folder is not there, or it is a folder itself.`,
      next: "Name a file in a folder that is there.",
    });
}

function formatOf(text: string): ExportFormat {
  const format = exportFormats.find((each) => each === text);
  if (format !== undefined) return format;
  const meant = nearest(text, exportFormats);
  throw new UserError("unknown-format", {
    what: "Nothing was exported.",
    why: `There is no format ${JSON.stringify(text)}.${meant === null ? "" : ` Did you mean ${meant}?`}`,
    next: `Use one of ${exportFormats.join(", ")}.`,
  });
}
