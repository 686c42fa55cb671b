// Imports features: text in any of the known formats becomes features, and nothing in it is lost.
import { UserError } from "../../core/errors.ts";
import { parseYamlText } from "../config/yaml-text.ts";
import { parseJsonText } from "../text/json-text.ts";
import { assemble } from "./assemble.ts";
import { detectFormat } from "./detect.ts";
import { type Draft, type Imported, type ImportFormat, importFormats } from "./draft.ts";
import { readFeatureList } from "./feature-list.ts";
import { readFeaturesFile } from "./features-file.ts";
import { readFixPlan } from "./fix-plan.ts";
import { readBeads, readGithubIssues } from "./issues.ts";
import { readPhasePlan } from "./phase-plan.ts";
import { readPrdJson } from "./prd-json.ts";
import { readPrdMarkdown } from "./prd-markdown.ts";
import { readStateJson } from "./state-json.ts";
import { readTasksJson } from "./tasks-json.ts";

export { type Imported, type ImportFormat, importFormats } from "./draft.ts";

/** The largest file to read: ten thousand features with a page of text each. */
export const importBytesMax = 32 * 1024 * 1024;
const depthMax = 64;

export function importFeatures(path: string, text: string, wanted: ImportFormat | null): Imported {
  const value = isLines(path, wanted) ? null : dataIn(path, text, wanted);
  const format = wanted ?? detectFormat(path, text, value);
  if (format === null) throw unknownFormat(path);
  if (format === "features") return readFeaturesFile(text, path);
  const draft = readerOf[format](text, value);
  if (draft.features.length === 0) throw nothingFound(path, format);
  return assemble(draft, format, path);
}

const readerOf: Readonly<Record<Exclude<ImportFormat, "features">, (text: string, value: unknown) => Draft>> = {
  "feature-list": (_, value) => readFeatureList(value),
  "prd-json": (_, value) => readPrdJson(value),
  "fix-plan": (text) => readFixPlan(text),
  "phase-plan": (_, value) => readPhasePlan(value),
  "tasks-json": (_, value) => readTasksJson(value),
  "state-json": (_, value) => readStateJson(value),
  beads: (text) => readBeads(text),
  "github-issues": (_, value) => readGithubIssues(value),
  markdown: (text) => readPrdMarkdown(text),
};

/** Read as a text: Markdown, or a file with one JSON value per line. */
function isLines(path: string, wanted: ImportFormat | null): boolean {
  if (wanted !== null) return ["markdown", "fix-plan", "features", "beads"].includes(wanted);
  return /\.(?:md|markdown|txt|jsonl)$/i.test(path);
}

function dataIn(path: string, text: string, wanted: ImportFormat | null): unknown {
  if (wanted === "phase-plan" || /\.ya?ml$/i.test(path)) {
    const yaml = parseYamlText(text);
    if (yaml.ok) return yaml.value;
    throw unreadable(
      path,
      yaml.problems.slice(0, 10).map(({ line, says }) => (line === null ? says : `line ${line}: ${says}`)),
    );
  }
  const json = parseJsonText(text, { bytes: importBytesMax, depth: depthMax });
  if (json.ok) return json.value;
  throw unreadable(path, [json.line === null ? json.says : `line ${json.line}: ${json.says}`]);
}

/** The whole command: loop run --prd reads such files, too, and its --format is about what it prints. */
const withFormat = (path: string): string => `loop import ${path} --format NAME (${importFormats.join(", ")})`;

const unreadable = (path: string, problems: readonly string[]): UserError =>
  new UserError("bad-import", {
    what: "Nothing was imported.",
    why: `${path} cannot be read.\n${problems.join("\n")}`,
    next: `Correct ${path}, or say what it is: ${withFormat(path)}`,
  });

const unknownFormat = (path: string): UserError =>
  new UserError("bad-import", {
    what: "Nothing was imported.",
    why: `${path} is in no format that is known. In Markdown, a feature is a heading with an id: "### F001: Title".`,
    next: `Say what it is: ${withFormat(path)}`,
  });

const nothingFound = (path: string, format: ImportFormat): UserError =>
  new UserError("nothing-to-import", {
    what: "Nothing was imported.",
    why: `${path} was read as ${format}, and there is no feature in it.${format === "markdown" ? ' A feature is a heading with an id: "### F001: Title".' : ""}`,
    next: `Look into ${path}, or say what it is: ${withFormat(path)}`,
  });
