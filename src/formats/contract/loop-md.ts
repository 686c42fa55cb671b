// docs/LOOP.md, the contract that people read and edit: drafts a new one, and reads an existing one.

import { type Limits, written } from "../../core/limits.ts";
import type { Autonomy, CheckSettings } from "../config/settings.ts";
import { isSelector } from "../queue/feature-selector.ts";
import { type Line, markdownLines, plainTitle, withoutComments } from "./markdown-lines.ts";
import { capsIn, type WrittenCaps } from "./written-caps.ts";

export { setInbox } from "./inbox.ts";

export type LoopMd = {
  goal: string | null;
  /** Selectors of features (see feature-selector.ts); null: not given. */
  include: readonly string[] | null;
  exclude: readonly string[];
  /** Exclusions in words rather than ids. */
  notes: readonly string[];
  autonomy: Autonomy | null;
  limits: WrittenCaps;
  /** Sections that only describe what the loop does: what a person adds to them has no effect. */
  described: Readonly<Record<Described, readonly string[]>>;
};
export type Described = "trigger" | "verification" | "memory" | "escalation";

export function readLoopMd(text: string): LoopMd {
  const lines = markdownLines(text);
  const scope = section(lines, text, "scope") ?? "";
  const include = selectorsOf(scope, "include");
  const exclude = selectorsOf(scope, "exclude");
  return {
    goal: goalIn(unquote(section(lines, text, "goal") ?? "")),
    include: include.selectors.length === 0 ? null : include.selectors,
    exclude: exclude.selectors,
    notes: exclude.prose,
    autonomy: autonomyOf(section(lines, text, "autonomy") ?? ""),
    limits: limitsIn(lines),
    described: {
      trigger: itemsOf(section(lines, text, "trigger") ?? ""),
      verification: itemsOf(section(lines, text, "verification") ?? ""),
      memory: itemsOf(section(lines, text, "memory") ?? ""),
      escalation: itemsOf(section(lines, text, "escalation") ?? ""),
    },
  };
}

/** The example of the template is not a goal. */
const goalIn = (said: string): string | null => (said === "" || /^e\.g\.\s*"/i.test(said) ? null : said);

function limitsIn(lines: readonly Line[]): WrittenCaps {
  const { from, to } = sectionLines(lines, "limits") ?? { from: 0, to: 0 };
  return capsIn(lines.slice(from, to), from + 1);
}

const itemsOf = (text: string): string[] =>
  text
    .split(/\r\n|\n|\r/)
    .map((line) => line.replace(/^\s*(?:[-*+]\s+)?/, "").trim())
    .filter((line) => line !== "");

/** Whether the contract counts on a pre-commit hook to say no. */
export const namesPreCommit = (text: string): boolean =>
  /\bpre-commit\b/i.test(section(markdownLines(text), text, "verification") ?? "");

type SectionName = "goal" | "scope" | "autonomy" | "limits" | Described;

/** The visible text under the first heading that starts with the word, with its subsections. */
function section(lines: readonly Line[], text: string, word: SectionName): string | null {
  const found = sectionLines(lines, word);
  if (found === null) return null;
  const start = lines[found.from]?.start ?? text.length;
  return withoutComments(text.slice(start, lines[found.to]?.start ?? text.length)).trim();
}

function sectionLines(lines: readonly Line[], word: SectionName): { from: number; to: number } | null {
  const at = lines.findIndex((line) => line.heading && plainTitle(line.heading.title).split(" ")[0] === word);
  const heading = lines[at]?.heading;
  if (!heading) return null;
  const from = at + heading.lines;
  const after = lines.findIndex((line, index) => index >= from && line.heading && line.heading.level <= heading.level);
  return { from, to: after < 0 ? lines.length : after };
}

/** The line number of a text in a section, for error messages: of the first matching line, or of the heading. */
export function lineInLoopMd(text: string, word: SectionName, says: string): number | null {
  const lines = markdownLines(text);
  const found = sectionLines(lines, word);
  if (found === null) return null;
  const at = lines.slice(found.from, found.to).findIndex((line) => !line.hidden && line.text.includes(says));
  return at < 0 ? found.from : found.from + at + 1;
}

/** A nonexistent level on the autonomy line, such as L9; null when there is none. */
export function unknownAutonomy(text: string): string | null {
  const said = section(markdownLines(text), text, "autonomy") ?? "";
  const first = said.split(/[\r\n]/).find((line) => /\bL\d+\b/i.test(line)) ?? "";
  return (first.match(/\bL\d+\b/gi) ?? []).find((level) => !/^L[123]$/i.test(level)) ?? null;
}

/** A scope that includes something in words and nothing by id: it is unclear which features that means. */
export function vagueInclude(text: string): string | null {
  const { selectors, prose } = selectorsOf(section(markdownLines(text), text, "scope") ?? "", "include");
  return selectors.length > 0 ? null : (prose[0] ?? null);
}

const prohibition = /^(?:no|never|do not|don['\u2019]?t|must not|mustn['\u2019]?t|may not|without) \S/i;

/** Whether it forbids something, rather than describing an exclusion. */
export const isProhibition = (note: string): boolean => prohibition.test(note);

/**
 * What must not be: "no new features" forbids new features. With its negation, a person and a verifier would read the
 * opposite under "must not".
 */
export const forbidden = (text: string): string => {
  const [negation = ""] = prohibition.exec(text) ?? [];
  return negation === "" ? text : text.slice(negation.length - 1);
};

/** The most careful level on the first line: a typo must not grant more autonomy. */
function autonomyOf(text: string): Autonomy | null {
  const first = text.split(/[\r\n]/).find((line) => /\bL[123]\b/i.test(line)) ?? "";
  const levels = (first.match(/\bL[123]\b/gi) ?? []).map((level) => level.toUpperCase()).sort();
  return (levels[0] as Autonomy | undefined) ?? null;
}

function selectorsOf(scope: string, word: "include" | "exclude"): { selectors: string[]; prose: string[] } {
  const lines = scope.split(/\r\n|\n|\r/);
  const label = new RegExp(`^(\\s*)(?:[-*+]\\s+)?[*_]{0,2}${word}d?[*_]{0,2}\\s*:[*_]{0,2}(.*)$`, "i");
  const at = lines.findIndex((line) => label.test(line));
  const [, indent = "", rest = ""] = label.exec(lines[at] ?? "") ?? [];
  if (at < 0) return { selectors: [], prose: [] };
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => (/^\s*/.exec(line)?.[0].length ?? 0) <= indent.length);
  const nested = below.slice(0, end < 0 ? below.length : end).map((line) => line.replace(/^\s*[-*+]\s+/, ""));
  const selectors: string[] = [];
  const prose: string[] = [];
  for (const piece of [rest, ...nested].flatMap(pieces)) {
    if (piece.is === "prose") prose.push(piece.text);
    else selectors.push(piece.text);
  }
  return { selectors, prose };
}

type Piece = { is: "selector" | "prose"; text: string };

function pieces(list: string): Piece[] {
  // An apostrophe inside a word stays.
  const parts = list.replace(/[[\]`"*]|(?<!\p{L})'|'(?!\p{L})/gu, "").split(/[,;]/);
  return parts.flatMap(partedByAnd).flatMap((part): Piece[] => {
    const text = part.replace(/\s+/g, " ").trim().replace(/[.:]$/, "").slice(0, 300);
    if (text === "" || /^(?:none|nothing|n\/a|tbd|-|\(none\)|\(empty\))$/i.test(text)) return [];
    if (/^(?:everything|all features)$/i.test(text)) return [{ is: "selector", text: "all" }];
    if (isSelector(text)) return [{ is: "selector", text }];
    const words = text.split(" ");
    if (words.every((word) => /\d/.test(word) && isSelector(word))) {
      return words.map((word) => ({ is: "selector", text: word }));
    }
    return [{ is: "prose", text }];
  });
}

/** "F001 and F002" are two; "do not rename and move files" is one, otherwise half of it would be lost. */
function partedByAnd(part: string): string[] {
  const parted: string[] = [];
  for (const piece of part.split(/\band\b/i).map((each) => each.trim())) {
    const before = parted.at(-1);
    const isMore = before !== undefined && isProhibition(before) && !isProhibition(piece) && !/\d/.test(piece);
    if (isMore) parted[parted.length - 1] = `${before} and ${piece}`;
    else parted.push(piece);
  }
  return parted;
}

export type LoopMdDraft = {
  goal: string;
  /** Selectors of features; empty: all of them. */
  include: readonly string[];
  exclude: readonly string[];
  autonomy: Autonomy;
  checks: readonly Pick<CheckSettings, "name" | "run" | "must">[];
  limits: Limits;
  /** Where the written records are. */
  recordsDir?: string;
};

const autonomyText: Readonly<Record<Autonomy, string>> = { L1: "report-only", L2: "auto-commit", L3: "unattended" };

/** The levels, as the harness explains them. */
const levels = `<!-- L1 = pause after each iteration for approval (default)
                        L2 = auto-commit within scope, stop on escalation/budget
                        L3 = unattended; only for narrow, highly-verifiable scopes -->`;

/** The harness's template, filled in; the limits are ours. */
export function draftLoopMd({
  goal,
  include,
  exclude,
  autonomy,
  checks,
  limits,
  recordsDir = "docs",
}: LoopMdDraft): string {
  const described = checks.map(({ name, run, must }) => `- ${name} (${must}): ${code(run)}`);
  const minutes = written("activeMsMax", limits.activeMsMax);
  const caps = [
    ...(limits.costUsdMax === null ? [] : [`cost: $${limits.costUsdMax}`]),
    ...(limits.iterationsMax === null ? [] : [`iterations: ${limits.iterationsMax}`]),
    ...(limits.commitsMax === null ? [] : [`commits: ${limits.commitsMax}`]),
    `rework per feature: ${limits.reworkMax}`,
    ...(minutes === null ? [] : [`working time: ${minutes} minutes`]),
    ...(limits.sessionsMax === null ? [] : [`sessions: ${limits.sessionsMax}`]),
    ...(limits.tokensMax === null ? [] : [`tokens: ${limits.tokensMax}`]),
  ];
  const wanted =
    goal.trim() === ""
      ? '<!-- What should be true at the end. Until it is written here, say it: loop "…" -->'
      : quote(goal);
  const sections: [string, string][] = [
    [
      "Goal (verifiable end state)",
      `<!-- NOT "make it better". Something a test or the evaluator can confirm. -->\n${wanted}`,
    ],
    ["Trigger", "Manual — loop run, then loop continue."],
    [
      "Scope (in-scope feature IDs)",
      `- Include: ${include.join(", ") || "all"}   <!-- or "all F", "all R", a named list -->\n- Exclude: ${exclude.join(", ") || "none"}`,
    ],
    ["Autonomy Level", `${autonomy} (${autonomyText[autonomy]})   ${levels}`],
    [
      'Verification (what can say "no")',
      ["- Independent evaluator verdict (PASS/FAIL per feature)", ...described].join("\n"),
    ],
    ["Limits", `${caps.map((cap) => `- ${cap}`).join("\n")}\n\nA limit that is reached pauses the run.`],
    ["Memory", memory.replaceAll("docs/", `${recordsDir}/`)],
    ["Escalation (stop and hand back when…)", escalation],
    ["Triage Inbox", "<!-- The loop writes escalated/blocked/twice-failed items here for the human. -->\n(empty)\n"],
  ];
  return ["# Loop Contract", ...sections.map(([heading, text]) => `## ${heading}\n${text}`)].join("\n\n");
}

const memory = `- docs/FEATURES.json — work queue + status
- docs/PROGRESS.md — narrative log
- docs/loop-run-log.md — per-iteration ledger
- docs/loop-budget.md — live budget counters`;

export const escalation = `- A dependency is blocked or unmet
- Acceptance criteria are ambiguous/untestable
- Progress would require out-of-scope edits (scope creep)
- A feature fails evaluation twice with the same root cause
- The loop is uncertain`;

/** A person's goal may contain headings, lists or comments; quoted, it is plain text. */
function quote(goal: string): string {
  const text = goal.replace(/\r\n?/g, "\n").trim().replaceAll("<!--", "&lt;!--").replaceAll("-->", "--&gt;");
  if (/^[\p{L}\p{N}][^\n<>|]*$/u.test(text) && !/^\d+[.)]/.test(text)) return text;
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

function unquote(text: string): string {
  const lines = text.split(/\r\n|\n|\r/);
  const isQuote = lines.every((line) => line.startsWith(">"));
  const plain = isQuote ? lines.map((line) => line.replace(/^> ?/, "")) : lines;
  return plain.join("\n").replaceAll("&lt;!--", "<!--").replaceAll("--&gt;", "-->").trim();
}

function code(command: string): string {
  const line = command
    .replace(/[\s\u0000-\u001f\u007f]+/g, " ")
    .trim()
    .replaceAll("<!--", "<! --");
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return longest === 0 ? `${ticks}${line}${ticks}` : `${ticks} ${line} ${ticks}`;
}
