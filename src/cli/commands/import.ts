// loop import: features from another tool's file become the work queue.
import { resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { type ImportFormat, importFormats } from "../../formats/import/index.ts";
import { nearest } from "../../formats/text/nearest.ts";
import { issueList } from "../../project/queue/github.ts";
import { applyImport, type ImportPlan, planImport } from "../../project/queue/import-features.ts";
import { count } from "../../report/words/words.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";

export type ImportFlags = GlobalFlags & {
  format?: string;
  github?: boolean;
  dryRun?: boolean;
  merge?: boolean;
  replace?: boolean;
};
type Done = ImportPlan & { readonly backup: string | null; readonly written: boolean };

const shownMax = 30;

export async function importFile(named: string | undefined, flags: ImportFlags): Promise<number> {
  const context = contextOf(flags);
  if (flags.merge === true && flags.replace === true) throw both();
  const isGithub = flags.github === true;
  if (isGithub === (named !== undefined)) throw oneSource();
  const shown = named ?? "--github";
  const order = {
    root: context.root,
    file: isGithub ? { text: await issueList(context.root) } : resolve(shown),
    shown,
    format: isGithub ? "github-issues" : formatOf(flags.format),
    mode: flags.merge === true ? "merge" : flags.replace === true ? "replace" : "new",
  } as const;
  const done: Done =
    flags.dryRun === true
      ? { ...planImport(order), backup: null, written: false }
      : { ...(await applyImport(order)), written: true };
  if (context.json) printAnswer(answers.import, facts(done), 0);
  else context.answer(told(done, context));
  return 0;
}

function formatOf(text: string | undefined): ImportFormat | null {
  if (text === undefined) return null;
  const format = importFormats.find((each) => each === text);
  if (format !== undefined) return format;
  const meant = nearest(text, importFormats);
  throw new UserError("unknown-format", {
    what: "Nothing was imported.",
    why: `There is no format ${JSON.stringify(text)}.${meant === null ? "" : ` Did you mean ${meant}?`}`,
    next: `Use one of ${importFormats.join(", ")}, or leave --format out.`,
  });
}

function told(done: Done, { paint }: Pick<Context, "paint">): string {
  const { added, imported, path, already, before, backup, written, warnings } = done;
  const idWidth = Math.max(...added.map(({ id }) => id.length), 0);
  const rows = added.slice(0, shownMax).map((feature) => {
    const needs = feature.dependencies.length === 0 ? "" : paint.dim(`  needs ${feature.dependencies.join(", ")}`);
    const criteria = count(feature.criteria.length, "criterion", "criteria").padEnd(12);
    return `  ${paint.bold(feature.id.padEnd(idWidth))}  ${feature.status.padEnd(12)} ${criteria} ${feature.name.slice(0, 70)}${needs}`;
  });
  if (added.length > rows.length) rows.push(`  … and ${added.length - rows.length} more`);
  if (added.length === 0 && backup === null) return `Nothing new: all ${already} are in ${path}\n`;
  const verb = written ? "came in" : "would come in";
  const sentences = [
    `${count(added.length, "feature")} ${verb} (${imported.format}).`,
    ...(already > 0 ? [`${already} of the file ${already === 1 ? "was" : "were"} there already.`] : []),
    ...(backup !== null ? [`What was there (${count(before, "feature")}) is kept in ${backup}`] : []),
  ];
  const notes = warnings.map((warning) => `${paint.yellow("!")} ${warning}\n`).join("");
  const next = written
    ? `Written to ${path}\nNext: look it over, then: loop run`
    : `Nothing was written. Without --dry-run it goes to ${path}`;
  return `${rows.map((row) => `${row}\n`).join("")}${notes}${sentences.join(" ")}\n${next}\n`;
}

const facts = ({ imported, path, added, already, before, backup, written, warnings }: Done) => ({
  format: imported.format,
  goal: imported.goal,
  path,
  written,
  backup,
  before,
  already,
  added,
  kept: imported.kept,
  warnings,
});

const oneSource = (): UserError =>
  new UserError("usage", {
    what: "Nothing was imported.",
    why: "Either a file or --github says where the features come from.",
    next: "loop import FILE, or: loop import --github",
  });

const both = (): UserError =>
  new UserError("usage", {
    what: "Nothing was imported.",
    why: "--merge adds to what is there, and --replace puts it aside.",
    next: "Give one of the two.",
  });
