// A PRD in Markdown that `loop import` and `loop run --prd` can read.

import { markdownLines } from "../contract/markdown-lines.ts";
import { featureHeading } from "../import/prd-heading.ts";
import { writeList, writeOut } from "../import/prd-lines.ts";
import { type FeatureEntry, unstatedPriority } from "../queue/features-json.ts";

export function exportMarkdown(features: readonly FeatureEntry[], goal: string | null): string {
  const head = goal === null || goal.trim() === "" ? "# Features" : quoted(goal, true);
  return `${[head, ...features.map(section)].join("\n\n")}\n`;
}

function section(feature: FeatureEntry): string {
  const isDone = feature.status === "complete" || feature.status === "existing";
  const labels: [string, string][] = [
    ["Status", feature.status],
    ["Priority", feature.priority === unstatedPriority ? "" : String(feature.priority)],
    ["Blocked by", feature.dependencies.join(", ")],
    ["Checks", (feature.checks ?? []).join(", ")],
    ["May touch", (feature.mayTouch ?? []).join(", ")],
    ["Kind", feature.kind ?? ""],
    ["May change", feature.mayChange === undefined ? "" : writeList(feature.mayChange)],
    ["Enough", feature.enough ?? ""],
    ["Design doc", feature.designDoc ?? ""],
  ];
  const stated = labels.filter(([, value]) => value !== "").map(([label, value]) => `${label}: ${value}  `);
  const criteria = feature.criteria.map((criterion) => `- [${isDone ? "x" : " "}] ${writeOut(criterion)}`);
  return [
    `### ${feature.id}: ${writeOut(feature.name.replace(/\s+/g, " "))}`,
    stated.join("\n"),
    quoted(feature.description, false),
    ...(criteria.length === 0 ? [] : [`Acceptance criteria:\n\n${criteria.join("\n")}`]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const labelLike =
  /^\s*(?:[-*+]\s+)?[*_]{0,2}(?:acceptance|success|definition|blocked|depends|dependenc|requires|priority|status|checks|may touch|may change|kind|enough|design)/im;
const markupLike = /<!--|```|~~~|^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\]|^\s*(?:=+|-+)\s*$/m;

/** Other people's text between our headings: where it could be mistaken for one of ours, it becomes a quotation. */
function quoted(text: string, mayHaveHeadings: boolean): string {
  const bare = text.replace(/\r\n?/g, "\n").trim();
  const isHeading = (title: string): boolean => !mayHaveHeadings || featureHeading(title) !== null;
  const isHarmless =
    markdownLines(bare).every(({ heading, hidden }) => !hidden && (heading === null || !isHeading(heading.title))) &&
    !labelLike.test(bare) &&
    !markupLike.test(bare);
  if (isHarmless) return bare;
  return bare
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}
