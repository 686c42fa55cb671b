// A contract's must-nots: those that a rule can test are tested here, the evaluator judges the rest.
import type { Cause } from "../../core/cause.ts";
import type { Change } from "../../workspace/workspace.ts";
import { matcher } from "../globs.ts";
import type { AddedLine } from "./added-lines.ts";
import type { NewDependency } from "./dependencies.ts";

export type ChangeFacts = {
  readonly changes: readonly Change[];
  readonly lines: readonly AddedLine[];
  readonly dependencies: readonly NewDependency[];
};

/** How a change breaks the rule, in a few words; empty: it holds. */
type Rule = (facts: ChangeFacts) => readonly string[];

const start = "(?:(?:it|they|the agent|you|this) )?(?:must not|may not|do not|don't|never|not|no|without)?\\s*";
const phrases: readonly (readonly [RegExp, (match: RegExpExecArray) => Rule | null])[] = [
  [
    /^(?:(?:add|adds|adding|introduce|introduces|introducing|install|installs|bring in|use) )?(?:any |a |an |the )?(?:new |additional |extra |more |external |third[- ]party |npm |pip |runtime |production )*(?:dependenc(?:y|ies)|packages?|librar(?:y|ies))(?: (?:is|are|be|may be))?(?: added| introduced| installed)?$/,
    () => (facts) => facts.dependencies.map(({ path, name }) => `${name} in ${path}`),
  ],
  [
    /^(?:(?:add|adds|adding|create|creates|creating) )?(?:any |a )?(?:new )?files?(?: (?:is|are|be))?(?: added| created)?$/,
    () => (facts) => paths(facts, ({ kind }) => kind === "added"),
  ],
  [
    /^(?:deletions?|(?:delete|deletes|deleting|remove|removes|removing) (?:any |existing )?files?|(?:any )?(?:deleted|removed) files?|files? (?:is|are|be)? ?(?:deleted|removed))$/,
    () => (facts) => paths(facts, ({ kind }) => kind === "deleted"),
  ],
  [
    /^(?:(?:add|adds|adding|commit|commits|committing) )?(?:any |new )*binar(?:y|ies)(?: files?| blobs?)?(?: (?:is|are))?(?: added| committed)?$/,
    () => (facts) => paths(facts, ({ kind, binary }) => kind !== "deleted" && binary),
  ],
  [
    /^(?:(?:any )?changes? (?:to|in|under|of)|(?:touch|touches|touching|change|changes|changing|edit|edits|editing|modify|modifies|modifying|alter|alters)) (?:anything (?:in|under|below) |(?:any )?(?:files? (?:in|under|below) ))?(.+)$/,
    (match) => pathRule(match[1] ?? ""),
  ],
  [
    /^(?:(?:add|adds|leave|leaves|use|uses|write|contain|contains) )?(?:any |new )*[`"']([^`"']{2,80})[`"'](?: (?:calls?|comments?|statements?))?$/,
    (match) => textRule(match[1] ?? ""),
  ],
  [
    /^(?:(?:add|adds|leave|leaves|use|uses) )?(?:any |new )*(todos?|fixmes?|console\.log|debugger)(?: (?:calls?|comments?|statements?))?(?: left)?$/,
    (match) => textRule(asInCode(match[1] ?? "")),
  ],
];

function ruleFor(mustNot: string): Rule | null {
  const words = mustNot
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[.!]+$/, "")
    .replace(new RegExp(`^${start}`, "i"), "");
  for (const [pattern, make] of phrases) {
    // Paths keep their case; the words around them do not matter.
    const match = new RegExp(pattern.source, "i").exec(words);
    const rule = match === null ? null : make(match);
    if (rule !== null) return rule;
  }
  return null;
}

/** Must-nots that no rule can test. */
export const untestable = (mustNots: readonly string[]): string[] => mustNots.filter((text) => ruleFor(text) === null);

export function mustNotCauses(mustNots: readonly string[], facts: ChangeFacts): Cause[] {
  return mustNots.flatMap((mustNot): Cause[] => {
    const broken = ruleFor(mustNot)?.(facts) ?? [];
    if (broken.length === 0) return [];
    const text = `A must-not became true: ${mustNot}\n${broken.slice(0, 10).join(", ")}${broken.length > 10 ? ", …" : ""}`;
    return [{ kind: "must-not", key: `must-not:${mustNot.slice(0, 150)}`, text }];
  });
}

const paths = ({ changes }: ChangeFacts, is: (change: Change) => boolean): string[] =>
  changes.filter(is).map(({ path }) => path);

/** One or several paths or globs, as people write them: `src/legacy`, `the docs folder`, `a.json and b.json`. */
function pathRule(text: string): Rule | null {
  const globs = text.split(/,\s*(?:and |or )?| and | or /).map(globOf);
  if (globs.some((glob) => glob === null)) return null;
  const matches = matcher(globs.flatMap((glob) => [glob ?? "", `${glob}/**`]));
  return (facts) => paths(facts, ({ path }) => matches(path));
}

function globOf(text: string): string | null {
  const folder = /^(?:the )?[`"']?([\w@.*{}/-]+?)\/?[`"']? (?:folder|directory|dir)$/i.exec(text.trim())?.[1];
  if (folder !== undefined) return folder;
  const path = /^(?:the )?(?:file )?[`"']?(\.{0,2}[\w@.*{}/-]+?)[`"']?(?: file)?$/i.exec(text.trim())?.[1] ?? "";
  // A bare word could mean anything: "behaviour", "tests". A path is recognizable as one.
  const isPath =
    /[/*]|^\.\w|\w\.\w{1,5}$/.test(path) || /^(?:Makefile|Dockerfile|Gemfile|Rakefile|LICENSE|README)$/.test(path);
  return isPath ? path.replace(/^\.\//, "").replace(/\/$/, "") : null;
}

/** In any spelling, singular or plural: `TODOs` are lines with TODO. */
const asInCode = (word: string): string => /^(?:todo|fixme)/i.exec(word)?.[0].toUpperCase() ?? word.toLowerCase();

const textRule =
  (text: string): Rule =>
  ({ lines }) =>
    lines.filter((line) => line.text.includes(text)).map(({ path, line }) => `${path}:${line}`);
