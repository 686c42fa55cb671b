// Issues as features: issues.jsonl of Beads, and the JSON that GitHub gives for issues.
import type { Draft, DraftFeature } from "./draft.ts";
import { type Fields, fieldsIn, isFields, statusOf, textAt, without } from "./fields.ts";

const beadsPlaced = [
  "id",
  "title",
  "description",
  "design",
  "acceptance_criteria",
  "status",
  "priority",
  "dependencies",
];

/** One issue per line. Null: it is not that. */
export function beadsLines(text: string): Fields[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const issues = lines.map((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isFields(value) ? value : null;
    } catch {
      return null;
    }
  });
  return issues.length > 0 && issues.every((issue) => issue !== null) ? (issues as Fields[]) : null;
}

export function readBeads(text: string): Draft {
  const all = beadsLines(text) ?? [];
  const isDeleted = (issue: Fields): boolean => textAt(issue, "status") === "tombstone";
  const deleted = all.filter(isDeleted);
  return {
    goal: null,
    features: all.filter((issue) => !isDeleted(issue)).map(oneBead),
    extra: deleted.length === 0 ? {} : { deleted },
    warnings: deleted.map(
      (issue) => `${textAt(issue, "id")} was deleted, so it is no feature: ${textAt(issue, "title")}`,
    ),
  };
}

function oneBead(issue: Fields): DraftFeature {
  const title = textAt(issue, "title");
  const design = textAt(issue, "design");
  const description = textAt(issue, "description");
  const said = itemsIn(textAt(issue, "acceptance_criteria"));
  const criteria = said.length === 0 ? boxesIn(description) : said;
  const related = fieldsIn(issue["dependencies"]).filter((each) => !isBlocking(each));
  const { priority } = issue;
  const status = textAt(issue, "status");
  return {
    id: textAt(issue, "id") || null,
    name: title,
    description: [description, design].filter((part) => part !== "").join("\n\n") || title,
    criteria: criteria.length === 0 ? [title] : criteria,
    // Other kinds of relation say nothing about the order.
    dependencies: fieldsIn(issue["dependencies"])
      .filter(isBlocking)
      .map((each) => textAt(each, "depends_on_id")),
    priority: typeof priority === "number" ? priority : null,
    status: statusOf(status),
    // Ours say less than "deferred" and "in_progress" do: the word itself is kept.
    extra: {
      ...without(issue, beadsPlaced),
      ...(/^(?:|open|closed|blocked)$/.test(status) ? {} : { status }),
      ...(related.length === 0 ? {} : { related }),
    },
  };
}

const isBlocking = ({ type }: Fields): boolean => type === undefined || type === "blocks";

const githubPlaced = ["number", "title", "body", "state"];

/** As `gh issue list --json number,title,body,state` prints it, or the REST API. */
export function readGithubIssues(value: unknown): Draft {
  // The API lists pull requests among the issues.
  const all = fieldsIn(value);
  const isChange = (issue: Fields): boolean =>
    isFields(issue["pull_request"]) || /\/pulls?\/\d+$/.test(textAt(issue, "html_url") || textAt(issue, "url"));
  const warnings = all
    .filter(isChange)
    .map((issue) => `#${String(issue["number"])} is a pull request, so it is no feature: ${textAt(issue, "title")}`);
  return { goal: null, features: all.filter((issue) => !isChange(issue)).map(oneIssue), extra: {}, warnings };
}

function oneIssue(issue: Fields): DraftFeature {
  const title = textAt(issue, "title");
  const body = textAt(issue, "body");
  const boxes = boxesIn(body);
  const { number } = issue;
  return {
    id: typeof number === "number" ? `#${number}` : null,
    name: title,
    description: body || title,
    criteria: boxes.length === 0 ? [title] : boxes,
    dependencies: [],
    priority: null,
    status: textAt(issue, "state").toLowerCase() === "closed" ? "existing" : "not-started",
    extra: without(issue, githubPlaced),
  };
}

/** The items with a box. */
const boxesIn = (text: string): string[] =>
  Array.from(text.matchAll(/^[ \t]*[-*+] \[[ xX]\] (\S.*)$/gm), ([, item = ""]) => item.trim());

/** The items of a list, or the lines. */
const itemsIn = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/, "").trim())
    .filter((line) => line !== "");
