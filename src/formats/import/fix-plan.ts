// fix_plan.md: a to-do list with check boxes, under headings that give the priority.
import { markdownLines } from "../contract/markdown-lines.ts";
import type { Draft, DraftFeature } from "./draft.ts";
import { nameOf } from "./feature-list.ts";
import { priorityOf } from "./fields.ts";

const item = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[([ xX~-])\]\s+)?(\S.*)$/;
const asides = /^(?:notes?|learnings?|context|references?|overview|background)\b/i;

type Todo = { text: string; ticked: boolean; priority: number | null; details: string[]; indent: number };

export function readFixPlan(text: string): Draft {
  const lines = markdownLines(text).filter((line) => !line.hidden);
  const hasBoxes = lines.some((line) => item.exec(line.text)?.[2] !== undefined);
  const todos: Todo[] = [];
  const prose: string[] = [];
  let heading = "";
  let last: Todo | null = null;
  for (const line of lines) {
    if (line.heading !== null) {
      heading = line.heading.title;
      last = null;
      prose.push(`## ${heading}`);
      continue;
    }
    const [, indent = "", box, words] = item.exec(line.text) ?? [];
    if (words !== undefined && last !== null && indent.length > last.indent) last.details.push(words.trim());
    else if (words !== undefined && (box !== undefined || (!hasBoxes && !asides.test(heading)))) {
      const ticked = box === "x" || box === "X";
      last = { text: words.trim(), ticked, priority: urgency(heading), indent: indent.length, details: [] };
      todos.push(last);
    } else prose.push(line.text);
  }
  return { goal: readable(prose), features: todos.map(oneTodo), extra: {}, warnings: [] };
}

/** The text between the items: a heading stays only if there is text under it. */
function readable(prose: readonly string[]): string | null {
  const written = prose.filter((line) => line.trim() !== "");
  const kept = written.filter((line, at) => !line.startsWith("## ") || written[at + 1]?.startsWith("## ") === false);
  return kept.join("\n").trim() || null;
}

function urgency(heading: string): number | null {
  const word = /\b(critical|urgent|high|medium|normal|low|p[0-3])\b/i.exec(heading)?.[1];
  return word === undefined ? null : priorityOf(word);
}

function oneTodo({ text, ticked, priority, details }: Todo): DraftFeature {
  const name = nameOf(text);
  return {
    id: null,
    name,
    description: name === text ? "" : text,
    criteria: details,
    dependencies: [],
    priority,
    status: ticked ? "existing" : "not-started",
    extra: {},
  };
}
