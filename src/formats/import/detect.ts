// Detects a file's format: by its content, and by its name if that is ambiguous.
import { markdownLines } from "../contract/markdown-lines.ts";
import type { ImportFormat } from "./draft.ts";
import { fieldsIn, isFields } from "./fields.ts";
import { beadsLines } from "./issues.ts";
import { featureHeading } from "./prd-heading.ts";

/** Null: no known format. `value` is the parsed text, if it is JSON or YAML. */
export function detectFormat(path: string, text: string, value: unknown): ImportFormat | null {
  const name = path.replace(/^.*[\\/]/, "").toLowerCase();
  if (/\.(?:md|markdown|txt)$/.test(name)) return ofMarkdown(name, text);
  if (name.endsWith(".jsonl")) return beadsLines(text) === null ? null : "beads";
  return ofData(name, value);
}

function ofMarkdown(name: string, text: string): ImportFormat | null {
  const lines = markdownLines(text).filter(({ hidden }) => !hidden);
  if (lines.some(({ heading }) => heading !== null && featureHeading(heading.title) !== null)) return "markdown";
  if (/fix_?-?plan|todo|tasks|implementation_plan/.test(name)) return "fix-plan";
  return lines.some(({ text: line }) => /^\s*[-*+]\s+\[[ xX]\]\s/.test(line)) ? "fix-plan" : null;
}

function ofData(name: string, value: unknown): ImportFormat | null {
  if (Array.isArray(value)) {
    if (name.startsWith("tasks")) return "tasks-json";
    if (fieldsIn(value).some((each) => typeof each["number"] === "number" && "title" in each)) return "github-issues";
    return fieldsIn(value).some((each) => "passes" in each || "steps" in each || "description" in each)
      ? "feature-list"
      : null;
  }
  if (!isFields(value)) return null;
  if (Array.isArray(value["phases"])) return "phase-plan";
  if (["userStories", "stories", "user_stories"].some((key) => Array.isArray(value[key]))) return "prd-json";
  if ("criteriaStatus" in value || ("spec" in value && !Array.isArray(value["features"]))) return "state-json";
  if (Array.isArray(value["features"])) return ofFeatures(name, value["features"]);
  const isTagged = Object.values(value).some((each) => isFields(each) && Array.isArray(each["tasks"]));
  if (Array.isArray(value["tasks"])) return name.startsWith("prd") ? "prd-json" : "tasks-json";
  return isTagged ? "tasks-json" : null;
}

function ofFeatures(name: string, list: readonly unknown[]): ImportFormat {
  if (name.includes("feature_list") || name.includes("feature-list")) return "feature-list";
  return fieldsIn(list).some((each) => "passes" in each) ? "feature-list" : "features";
}
