// Contradictions and unusable text in a person's contract: reported with their line, before anything begins.
import { isUtf8 } from "node:buffer";
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { Settings } from "../../formats/config/settings.ts";
import {
  type Described,
  escalation,
  isProhibition,
  lineInLoopMd,
  namesPreCommit,
  unknownAutonomy,
  vagueInclude,
} from "../../formats/contract/loop-md.ts";
import { plainTitle } from "../../formats/contract/markdown-lines.ts";
import type { WrittenCaps } from "../../formats/contract/written-caps.ts";
import { selects } from "../../formats/queue/feature-selector.ts";
import { verifications } from "../../formats/reply/reply.ts";
import { nearest } from "../../formats/text/nearest.ts";
import { shortened } from "../../formats/text/shortened.ts";
import { lstatIfExists } from "../../host/disk.ts";
import { recordPaths, shapePath } from "../../runtime/records/paths.ts";
import type { Inputs, LoopMdFile } from "./contract-inputs.ts";

/** "refactoring" in an exclude list is prose; an id contains a number. */
export const isWord = (selector: string): boolean => /^[A-Za-z]+$/.test(selector) && !/^all$/i.test(selector);

/** Refuses contradictions, with their lines, before anything is written. */
export function refuseContradictions(file: LoopMdFile, queue: readonly string[] | null): void {
  const level = unknownAutonomy(file.text);
  const problems =
    level === null ? [] : [at(file, "autonomy", level, `${level} is no level of autonomy: L1, L2 or L3`)];
  const vague = queue === null ? null : vagueInclude(file.text);
  if (vague !== null) problems.push(at(file, "scope", vague, `"${vague}" names no feature: give ids, or "all"`));
  const { include, exclude } = file.says;
  const named = queue === null ? [] : [...(include ?? []), ...exclude.filter((selector) => !isWord(selector))];
  for (const selector of new Set(named)) {
    if (/^all\b/i.test(selector) || queue?.some((id) => selects(selector, id))) continue;
    const meant = nearest(selector, queue ?? []);
    const hint = meant === null ? "" : `; did you mean ${meant}?`;
    problems.push(at(file, "scope", selector, `${selector} is no feature of this workspace${hint}`));
  }
  refuse(file.path, problems);
}

/** A cap that cannot be read would not hold. */
export function refuseWrongCaps({ loopMd, budget }: Inputs): void {
  if (loopMd !== null) refuse(loopMd.path, loopMd.says.limits.problems);
  if (budget !== null) refuse(budget.path, budget.says.problems);
}

function refuse(path: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new UserError("bad-contract", {
    what: `${path} has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}.`,
    why: problems.slice(0, 20).join("\n"),
    next: `Correct ${path}, then run the same command again.`,
  });
}

function at({ text }: LoopMdFile, section: "scope" | "autonomy", says: string, problem: string): string {
  const line = lineInLoopMd(text, section, says);
  return line === null ? problem : `line ${line}: ${problem}`;
}

/** Reports text that could not be used, since silence would look like consent. */
export function noticesOf(
  { loopMd, shape, layers, budget, recordsDir }: Inputs,
  queue: readonly string[] | null,
  checks: Settings["checks"],
): string[] {
  const notices = layers.notes.map(({ file, says }) => `${file}: ${says}.`);
  const isEmpty = shape !== null && shape.says.criteria.length + shape.says.mustNot.length === 0;
  if (isEmpty) notices.push(`${shapePath} holds no list under criteria or mustNot, so it says nothing.`);
  if (budget !== null) notices.push(...capNotices(budget.path, budget.says));
  notices.push(...unreadIn(shapePath, shape?.says.unread ?? [], shapeWays));
  if (loopMd === null) return notices;
  const { path, says } = loopMd;
  const levels = [layers.flags.autonomy, layers.workspace.autonomy];
  const over = levels.find((level) => level !== undefined);
  if (says.autonomy !== null && over !== undefined && over !== says.autonomy)
    notices.push(`${path} says ${says.autonomy}; ${over} holds, since it was said more specifically.`);
  const scoped = says.include !== null || says.exclude.some((selector) => !isWord(selector));
  if (queue === null && scoped && says.include?.join() !== "all")
    notices.push(
      `The scope of ${path} names features; the request is a feature of its own, so that it does not apply.`,
    );
  const isChecked = checks?.some(({ name, hook }) => name === "pre-commit" || hook === "pre-commit") === true;
  if (namesPreCommit(loopMd.text) && !isChecked)
    notices.push(
      `${path} names pre-commit, which does not run here. To run it as a check, name it in loop.yaml: checks: [pre-commit]`,
    );
  // A list of features leaves out every other one by itself.
  const isImplied = (note: string): boolean => says.include !== null && /^(?:any|every)thing not listed$/i.test(note);
  const idle = says.notes.filter((note) => !isProhibition(note) && !isImplied(note));
  if (idle.length > 0) notices.push(`${path} excludes these in prose, which no check can enforce: ${idle.join("; ")}`);
  notices.push(...capNotices(path, says.limits));
  const isKnown: Readonly<Record<Described, (item: string) => boolean>> = {
    trigger: (item) => /^manual\b/i.test(item),
    verification: (item) =>
      /\b(?:evaluator|pre-commit)\b|\b(?:suite|tests) (?:is |are )?green\b/i.test(item) ||
      checks?.some(({ name, run }) => item.startsWith(`${name} (`) || (run !== "" && item.includes(run))) === true,
    memory: (item) => recordPaths(recordsDir).some((record) => item.includes(record)),
    escalation: (item) => escalates.has(plainTitle(item)),
  };
  for (const [name, elsewhere] of Object.entries(writtenIn) as [Described, string][])
    notices.push(
      ...unreadIn(
        path,
        says.described[name].filter((item) => !isKnown[name](item)),
        elsewhere,
      ),
    );
  return notices;
}

const escalates = new Set(escalation.split("\n").map(plainTitle));
const shapeWays = `a criterion's own words, and one of: ${verifications.join(", ")}`;
const otherLimits = "limits in loop.yaml, as far as there is such a limit";
/** What a section describes is set elsewhere. */
const writtenIn: Readonly<Record<Described, string>> = {
  trigger: "triggers in loop.yaml",
  // A command is a program, and a person agrees to the programs of loop.yaml.
  verification: "checks in loop.yaml",
  memory: "records_dir in loop.yaml",
  escalation: "limits.rework and gates in loop.yaml, or autonomy",
};

const capNotices = (path: string, { unread, wallClock }: WrittenCaps): string[] => [
  ...unreadIn(path, unread, otherLimits),
  ...wallClock.map(
    (cap) =>
      `${path} caps the wall clock at ${cap} minutes: that holds for the run's work and for its checks, each. Waiting for a usage limit or for you has no cap.`,
  ),
];

function unreadIn(path: string, items: readonly string[], elsewhere: string): string[] {
  const [first, ...more] = items.map((item) => JSON.stringify(shortened(item, 60)));
  if (first === undefined) return [];
  const others = more.length === 0 ? "" : `, ${more.slice(0, 2).join(", ")}${more.length > 2 ? ", …" : ""}`;
  return [`${path} says ${first}${others}, which has no effect there. It is set by ${elsewhere}.`];
}

/** The loop writes into some of these files, and rewriting invalid UTF-8 would change its bytes. */
export function refuseNotText(root: string, paths: readonly string[]): void {
  const strange = paths.filter((path) => {
    const full = join(root, path);
    return lstatIfExists(full)?.isFile() === true && !isUtf8(fs.readFileSync(full));
  });
  if (strange.length === 0) return;
  throw new UserError("not-utf8", {
    what: `${strange.join(", ")} cannot be read.`,
    why: "It is not UTF-8 text, and writing into it would lose characters.",
    next: "Save it as UTF-8, then run the same command again.",
  });
}
