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
  // As an order, and as the condition that becomes true.
  [
    /^(?:(?:any )?(?:edits?|changes?)|touch|touches|touching|change|changes|changing|edit|edits|editing|modify|modifies|modifying|(?:any )?files?(?: (?:is|are) (?:touched|changed|edited|modified))?) outside (?:of )?(.+)$/,
    (match) => pathRule(match[1] ?? "", { isOutside: true }),
  ],
  [
    /^(?:any )?files? outside (?:of )?(.+?) (?:is|are|gets?) (?:touched|changed|edited|modified)$/,
    (match) => pathRule(match[1] ?? "", { isOutside: true }),
  ],
  [
    /^(?:(?:any )?changes? (?:to|in|under|of)|(?:touch|touches|touching|change|changes|changing|edit|edits|editing|modify|modifies|modifying|alter|alters)) (?:anything (?:in|under|below) |(?:any )?(?:files? (?:in|under|below) ))?(.+)$/,
    (match) => pathRule(match[1] ?? ""),
  ],
  [
    /^(?:anything (?:in|under|below) |(?:any )?files? (?:in|under|below) )?(.+?) (?:changes?|(?:is|are|was|were|gets?|has been|have been) (?:touched|changed|edited|modified|altered|rewritten))$/,
    (match) => pathRule(match[1] ?? ""),
  ],
  [
    /^(?:(?:delete|deletes|deleting|remove|removes|removing) (.+)|(.+?) (?:is|are|was|were|gets?|has been|have been) (?:deleted|removed))$/,
    (match) => pathRule(match[1] ?? match[2] ?? "", { kinds: ["deleted"] }),
  ],
  [
    /^(?:(?:add|adds|adding|create|creates|creating) (.+)|(.+?) (?:exists?|appears?|(?:is|are|was|were|gets?) (?:added|created)))$/,
    (match) => pathRule(match[1] ?? match[2] ?? "", { kinds: ["added"] }),
  ],
  [
    /^(.+?) (?:gets?|has|have|contains?|lists?) (?:a |an |any )?(?:new |additional |extra |more )*(?:dependenc(?:y|ies)|packages?)$/,
    (match) => dependencyRule(match[1] ?? ""),
  ],
  [
    /^(?:(?:add|adds|leave|leaves|use|uses|write|contain|contains) )?(?:any |new )*[`"']([^`"']{2,80})[`"'](?: (?:calls?|comments?|statements?))?$/,
    (match) => textRule(match[1] ?? ""),
  ],
  [
    /^(?:(?:add|adds|leave|leaves|use|uses) )?(?:any |a |new )*(todos?|fixmes?|console\.log|debugger)(?: (?:calls?|comments?|statements?))?(?: (?:(?:is|are) )?(?:left|there|added|used)| remains?| appears?)?(?: (?:in|under|below) (.+))?$/,
    (match) => textRule(asInCode(match[1] ?? ""), match[2]),
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

type Touched = { readonly kinds?: readonly Change["kind"][]; readonly isOutside?: boolean };

function pathRule(text: string, { kinds, isOutside = false }: Touched = {}): Rule | null {
  const matches = matcherFor(text, isOutside);
  if (matches === null) return null;
  return (facts) =>
    paths(facts, ({ path, kind }) => matches(path) !== isOutside && (kinds === undefined || kinds.includes(kind)));
}

function dependencyRule(text: string): Rule | null {
  const matches = matcherFor(text, false);
  if (matches === null) return null;
  return ({ dependencies }) =>
    dependencies.filter(({ path }) => matches(path)).map(({ path, name }) => `${name} in ${path}`);
}

/** One or several paths or globs, as people write them: `src/legacy`, `the docs folder`, `a.json and b.json`. */
function matcherFor(text: string, isPlace: boolean): ((path: string) => boolean) | null {
  const globs = text
    .split(/,\s*(?:and |or )?| and | or /)
    .map((one) => globOf(one) ?? (isPlace ? usualFolder(one) : null));
  if (globs.some((glob) => glob === null)) return null;
  return matcher(globs.flatMap((glob) => [glob ?? "", `${glob}/**`]));
}

/** After "in" and "outside", the names that folders usually have can mean nothing else. */
const usualFolder = (text: string): string | null =>
  /^(?:src|source|lib|app|docs|tests?)$/.test(text.trim()) ? text.trim() : null;

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

/** `where`: a folder or files; not given, or "the code": everywhere. */
function textRule(text: string, where?: string): Rule | null {
  const isAnywhere = where === undefined || /^(?:the )?(?:source )?code$/i.test(where);
  const matches = isAnywhere ? () => true : matcherFor(where, true);
  if (matches === null) return null;
  return ({ lines }) =>
    lines.filter((line) => line.text.includes(text) && matches(line.path)).map(({ path, line }) => `${path}:${line}`);
}
