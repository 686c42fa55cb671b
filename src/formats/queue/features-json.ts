// docs/FEATURES.json: lenient about other systems' additions, strict about what the loop uses.
import { z } from "zod";
import { UserError } from "../../core/errors.ts";
import { type FeatureId, featureId } from "../../core/ids.ts";
import { parseJsonText } from "../text/json-text.ts";
import { editDistance, nearest } from "../text/nearest.ts";
import { hasControl, isFileName, isInside } from "../text/safe-names.ts";
import { graphProblems } from "./feature-graph.ts";
import { type FeatureTerms, termKeys, termsOf } from "./feature-terms.ts";

export const featureStatuses = [
  "not-started",
  "in-progress",
  "needs-rework",
  "complete",
  "blocked",
  "existing",
] as const;
export type FeatureStatus = (typeof featureStatuses)[number];

export type FeatureEntry = {
  id: FeatureId;
  name: string;
  /** Lower comes first. */
  priority: number;
  status: FeatureStatus;
  description: string;
  criteria: readonly string[];
  dependencies: readonly FeatureId[];
  designDoc: string | null;
  /** Names of its own checks; null: all of the contract's. */
  checks: readonly string[] | null;
  /** Globs of the files it may touch; null: what the contract allows. */
  mayTouch: readonly string[] | null;
} & FeatureTerms;
/** `raw` is the original text: statuses are written back into it, and nothing else in it ever changes. */
export type FeatureFile = { features: readonly FeatureEntry[]; raw: string };

/** Ten thousand features with a page of text each. */
const bytesMax = 32 * 1024 * 1024;
const depthMax = 64;
const problemsShown = 20;
/** Comes after every explicit priority. */
export const unstatedPriority = 1000;

const priorityWords: Readonly<Record<string, number>> = {
  critical: 0,
  high: 1,
  medium: 2,
  low: 3,
  p0: 0,
  p1: 1,
  p2: 2,
  p3: 3,
};

const text = z.string().max(100_000);
const list = <T extends z.ZodType>(item: T) => z.array(item).max(5000);
// Some systems number their criteria; only the text counts.
const criterion = z.union([text, z.looseObject({ text })]).transform((it) => (typeof it === "string" ? it : it.text));

const entrySchema = z.looseObject({
  id: z.string().refine(isFileName, "must be a plain name: letters, digits, - and _, at most 64"),
  name: text.nullish(),
  title: text.nullish(),
  priority: z.union([z.number(), z.string()]).nullish(),
  status: z.string().nullish(),
  description: text.nullish(),
  acceptance_criteria: z.union([list(criterion), text.transform((one) => [one])]).nullish(),
  dependencies: list(z.string()).nullish(),
  design_doc: text.refine((path) => path === "" || isInside(path), "must be a path inside the workspace").nullish(),
  checks: list(z.string()).nullish(),
  may_touch: list(z.string().refine(isInside, "must be a path inside the workspace, with / and without ..")).nullish(),
  ...termKeys,
});
const fileSchema = z.looseObject({ version: z.literal(1).nullish(), features: z.array(z.unknown()) });

/** Parses a FEATURES.json; `source` is its name for the person. Throws `bad-features` with all problems. */
export function parseFeaturesJson(raw: string, source: string): FeatureFile {
  const json = parseJsonText(raw, { bytes: bytesMax, depth: depthMax });
  if (!json.ok) throw badFeatures(source, [json.line === null ? json.says : `line ${json.line}: ${json.says}`]);
  const file = fileSchema.safeParse(json.value);
  if (!file.success) throw badFeatures(source, file.error.issues.map(fileProblem));
  const problems: string[] = [];
  const features = file.data.features.flatMap((entry, at) => readEntry(entry, at, problems));
  problems.push(...graphProblems(features));
  if (problems.length > 0) throw badFeatures(source, problems);
  return { features, raw };
}

const fileProblem = ({ path }: z.core.$ZodIssue): string => {
  if (path[0] === "version") return "version: expected 1";
  return path.length === 0 ? 'expected an object with a list "features"' : 'expected "features" to be a list';
};

function readEntry(value: unknown, at: number, problems: string[]): FeatureEntry[] {
  const parsed = entrySchema.safeParse(value);
  const label = labelOf(value, at);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) problems.push(`${label}: ${issueText(issue)}`);
    return [];
  }
  const { data } = parsed;
  const before = problems.length;
  for (const [key, meant] of misspelt(Object.keys(data)))
    problems.push(`${label}: unknown key ${key}; did you mean ${meant}?`);
  const status = readStatus(data.status, label, problems);
  const priority = readPriority(data.priority, label, problems);
  const criteria = (data.acceptance_criteria ?? []).map((each) => each.trim()).filter((each) => each !== "");
  if (criteria.length === 0 && status !== "existing" && status !== "complete") {
    problems.push(`${label}: acceptance_criteria is missing or empty, so nothing could prove it done`);
  }
  if (problems.length > before) return [];
  return [
    {
      id: featureId(data.id),
      name: oneLine(data.name ?? data.title ?? "") || data.id,
      priority,
      status,
      description: data.description ?? "",
      criteria,
      // An invalid id matches no feature; the graph reports it. It is not branded before that.
      dependencies: [...new Set(data.dependencies ?? [])] as FeatureId[],
      designDoc: data.design_doc || null,
      checks: data.checks ?? null,
      mayTouch: data.may_touch ?? null,
      ...termsOf(data),
    },
  ];
}

/** Unknown keys of other tools are left alone. A key that differs in one letter or in case is a typo. */
function misspelt(keys: readonly string[]): [string, string][] {
  const known = Object.keys(entrySchema.shape);
  const plain = (key: string): string => key.toLowerCase().replace(/[-_ ]/g, "");
  return keys
    .filter((key) => !known.includes(key))
    .flatMap((key) => {
      const meant = known.find(
        (other) => plain(other) === plain(key) || (other.length > 5 && editDistance(plain(key), plain(other)) === 1),
      );
      return meant === undefined ? [] : [[key, meant] as [string, string]];
    });
}

function readStatus(status: string | null | undefined, label: string, problems: string[]): FeatureStatus {
  if (status === null || status === undefined) return "not-started";
  const known = featureStatuses.find((each) => each === status);
  if (known !== undefined) return known;
  const meant = nearest(status, featureStatuses);
  const hint = meant === null ? `known are ${featureStatuses.join(", ")}` : `did you mean ${meant}?`;
  problems.push(`${label}: unknown status ${JSON.stringify(status.slice(0, 40))}; ${hint}`);
  return "blocked";
}

function readPriority(priority: number | string | null | undefined, label: string, problems: string[]): number {
  if (priority === null || priority === undefined || priority === "") return unstatedPriority;
  const word = typeof priority === "string" ? priority.trim().toLowerCase() : "";
  const number =
    typeof priority === "number" ? priority : (priorityWords[word] ?? (isNumber(word) ? Number(word) : NaN));
  if (Number.isFinite(number)) return number;
  problems.push(`${label}: priority must be a number (lower first), or high, medium, low, P0 to P3`);
  return unstatedPriority;
}

const isNumber = (word: string): boolean => /^-?\d{1,9}(?:\.\d{1,9})?$/.test(word);

function labelOf(value: unknown, at: number): string {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  const shown = typeof id === "string" && !hasControl(id) ? ` (${JSON.stringify(id.slice(0, 40))})` : "";
  return `features[${at}]${shown}`;
}

function issueText(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join(".");
  return path === "" ? "expected an object" : `${path}: ${issue.message.slice(0, 200)}`;
}

const oneLine = (name: string): string => name.replace(/\s+/g, " ").trim();

function badFeatures(source: string, problems: readonly string[]): UserError {
  const told = problems.slice(0, problemsShown);
  if (problems.length > told.length) told.push(`and ${problems.length - told.length} more`);
  return new UserError("bad-features", {
    what: `${source} has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}.`,
    why: told.join("\n"),
    next: `Correct ${source}, then run the same command again.`,
  });
}
