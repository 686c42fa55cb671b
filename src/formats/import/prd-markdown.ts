// A PRD in Markdown: each heading with an id is a feature; all text outside of those is the goal, verbatim.

import { type Line, markdownLines } from "../contract/markdown-lines.ts";
import { termsIn } from "../queue/feature-terms.ts";
import type { Draft, DraftFeature } from "./draft.ts";
import { priorityOf, statusOf } from "./fields.ts";
import { type FeatureHeading, featureHeading } from "./prd-heading.ts";
import { commentFields, isHardBreak, labelOf, listed, readBack, readList } from "./prd-lines.ts";

type Section = { heading: FeatureHeading; lines: Line[] };

export function readPrdMarkdown(text: string): Draft {
  const { sections, goal } = split(markdownLines(text), text);
  return { goal: goal.trim() || null, features: sections.map(oneSection), extra: {}, warnings: [] };
}

/** A section ends at the next feature, or at a heading of its own level or above. */
function split(lines: readonly Line[], text: string): { sections: Section[]; goal: string } {
  const sections: Section[] = [];
  const goal: string[] = [];
  let open: { section: Section; level: number } | null = null;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line === undefined) break;
    const { heading } = line;
    const feature = heading === null ? null : featureHeading(heading.title);
    if (heading !== null && feature !== null) {
      open = { section: { heading: feature, lines: [] }, level: heading.level };
      sections.push(open.section);
      at += heading.lines - 1;
      continue;
    }
    if (open !== null && heading !== null && heading.level <= open.level) open = null;
    if (open === null) goal.push(text.slice(line.start, line.next));
    else open.section.lines.push(line);
  }
  return { sections, goal: goal.join("") };
}

type Reading = {
  description: string[];
  criteria: { text: string; ticked: boolean | null }[];
  fields: Record<string, string>;
  /** Under the label or heading of the criteria: each list item is one. */
  inCriteria: boolean;
  /** The last line belonged to a criterion, and an indented one continues it. */
  inItem: boolean;
};

function oneSection({ heading, lines }: Section): DraftFeature {
  const reading: Reading = { description: [], criteria: [], fields: {}, inCriteria: false, inItem: false };
  for (const line of lines) readLine(reading, line);
  const { fields } = reading;
  const ticks = reading.criteria.map(({ ticked }) => ticked);
  const isTicked = ticks.length > 0 && ticks.every((ticked) => ticked === true);
  const { terms, keys } = termsIn({
    ...fields,
    ...(fields["may_change"] === undefined ? {} : { may_change: readList(fields["may_change"]) }),
  });
  const known = new Set(["dependencies", "priority", "status", "checks", "maytouch", "design", "id", ...keys]);
  return {
    id: fields["id"] ?? heading.id,
    name: readBack(heading.name),
    description: reading.description.join("\n").trim(),
    criteria: reading.criteria.map(({ text }) => readBack(text)),
    dependencies: listed(fields["dependencies"] ?? ""),
    priority: priorityOf(fields["priority"]),
    status: fields["status"] === undefined ? (isTicked ? "existing" : "not-started") : statusOf(fields["status"]),
    ...(fields["checks"] === undefined ? {} : { checks: listed(fields["checks"]) }),
    ...(fields["maytouch"] === undefined ? {} : { mayTouch: listed(fields["maytouch"]) }),
    ...(fields["design"] === undefined ? {} : { designDoc: fields["design"] }),
    ...terms,
    extra: Object.fromEntries(Object.entries(fields).filter(([key]) => !known.has(key))),
  };
}

const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(\S.*)$/;

function readLine(reading: Reading, line: Line): void {
  const last = reading.criteria.at(-1);
  if (last !== undefined && reading.inItem && isHardBreak(last.text)) {
    last.text = `${last.text.slice(0, -1)}\n${line.text.trim()}`;
    return;
  }
  if (line.hidden) {
    reading.description.push(line.text);
    return;
  }
  const comment = commentFields(line.text);
  const label = comment === null ? labelOf(line.heading?.title ?? line.text) : null;
  const [, box, words] = item.exec(line.text) ?? [];
  const wasInItem = reading.inItem;
  reading.inItem = false;
  if (comment !== null) Object.assign(reading.fields, comment);
  else if (label?.field === "criteria") {
    reading.inCriteria = true;
    if (label.value !== "") reading.criteria.push({ text: label.value, ticked: null });
  } else if (words !== undefined && (box !== undefined || (reading.inCriteria && label === null))) {
    reading.criteria.push({ text: words, ticked: box === undefined ? null : box !== " " });
    reading.inItem = true;
  } else if (label !== null && label.value !== "") {
    reading.fields[label.field] = label.value;
    reading.inCriteria = false;
  } else if (wasInItem && last !== undefined && /^\s+\S/.test(line.text)) {
    last.text = `${last.text} ${line.text.trim()}`;
    reading.inItem = true;
  } else if (line.text.trim() !== "" || reading.description.length > 0) {
    if (line.text.trim() !== "") reading.inCriteria = false;
    reading.description.push(line.text);
  }
}
