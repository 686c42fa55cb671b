// Explains the problems in a loop.yaml: the position, what was expected, and which key was probably meant.
import type { z } from "zod";
import { nearest } from "../text/nearest.ts";
import { type JsonSchema, loopJsonSchema } from "./loop-schema.ts";
import type { Problem } from "./yaml-text.ts";

type Issue = z.core.$ZodIssue;
type LineOf = (path: readonly PropertyKey[], key?: string) => number | null;

// A broken file can have thousands of problems. Explaining each would take minutes, and only the first few are useful.
const explainedMax = 50;

/** The first problems, explained, and the total number. */
export function problemsOf(
  issues: readonly Issue[],
  value: unknown,
  lineOf: LineOf,
): { explained: Problem[]; count: number } {
  const all = issues.flatMap((issue) => unfold(issue, []));
  return { explained: all.slice(0, explainedMax).map((issue) => explain(issue, value, lineOf)), count: all.length };
}

/** A union's own message is not useful; the branch that fits the value best is. */
function unfold(issue: Issue, above: readonly PropertyKey[]): Issue[] {
  const path = [...above, ...issue.path];
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => ({ ...issue, path, keys: [key] }));
  if (issue.code !== "invalid_union") return [{ ...issue, path }];
  const branches = issue.errors.filter((branch) => branch.some((inner) => inner.path.length > 0 || isKeys(inner)));
  const best = branches[0] ?? issue.errors[0] ?? [];
  return best.flatMap((inner) => unfold(inner, path));
}

const isKeys = (issue: Issue): boolean => issue.code === "unrecognized_keys";

function explain(issue: Issue, value: unknown, lineOf: LineOf): Problem {
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    return { line: lineOf(issue.path, key), says: unknownKey(key, issue.path) };
  }
  return {
    line: lineOf(issue.path),
    says: `${nameOf(issue.path)}: ${complaint(issue, valueAt(value, issue.path))}`,
  };
}

const notYet = "it is not supported yet";
/** Keys that people may expect but that have no effect: an earlier version used them, or a page names them. */
const expectedKeys: ReadonlyMap<string, string> = new Map([
  ["checks[].setup", "it has moved to the top level: setup"],
  ["checks[].bring", "it has moved to room.files"],
  ["checks[].env", "name the variables in room.env"],
  ["room.git", notYet],
  ["room.network", notYet],
  ["commit", notYet],
  ["place", notYet],
  ["notify", notYet],
  ["triggers", notYet],
  ["limits.per_day_usd", notYet],
]);

// Created on the first problem: most files have none.
let known: JsonSchema | null = null;

function unknownKey(key: string, path: readonly PropertyKey[]): string {
  known ??= loopJsonSchema();
  const tree = known;
  const here = keysAt(tree, path);
  const where = path.length === 0 ? "at the top" : `in ${nameOf(path)}`;
  const told = expectedKeys.get(nameOf([...path, key]).replace(/\[\d+\]/g, "[]"));
  if (told !== undefined) return `unknown key ${show(key)} ${where}; ${told}`;
  const meant = nearest(key, here);
  const full = (word: string): string => (path.length === 0 ? word : `${nameOf(path)}.${word}`);
  if (meant !== null) return `unknown key ${show(key)} ${where}; did you mean ${full(meant)}?`;
  const elsewhere = keysBelow(tree, "").find((other) => other.split(".").at(-1) === key);
  if (elsewhere !== undefined) return `unknown key ${show(key)} ${where}; it belongs to ${elsewhere}`;
  return `unknown key ${show(key)} ${where}; known keys are ${here.join(", ")}`;
}

function complaint(issue: Issue, found: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return found === undefined ? "is missing" : `expected ${kindName(issue.expected)}, found ${describe(found)}`;
    case "invalid_value":
      return found === undefined ? "is missing" : oneOf(issue.values.map(String), found);
    case "too_small":
      return size("least", issue.origin, issue.inclusive === false, Number(issue.minimum));
    case "too_big":
      return size("most", issue.origin, issue.inclusive === false, Number(issue.maximum));
    default:
      return issue.message;
  }
}

function oneOf(values: readonly string[], found: unknown): string {
  const meant = typeof found === "string" ? nearest(found, values) : null;
  const hint = meant === null ? "" : `; did you mean ${meant}?`;
  return `expected ${values.join(" or ")}, found ${describe(found)}${hint}`;
}

function size(bound: "least" | "most", origin: string, exclusive: boolean, limit: number): string {
  if (origin === "string") return bound === "least" ? "must not be empty" : `must be at most ${limit} characters long`;
  if (origin === "array") return bound === "least" ? "must not be empty" : `must have at most ${limit} entries`;
  if (exclusive) return `must be ${bound === "least" ? "more" : "less"} than ${limit}`;
  return `must be at ${bound} ${limit}`;
}

const kindNames: Readonly<Record<string, string>> = {
  object: "a mapping of keys",
  array: "a list",
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};
const kindName = (kind: string): string => kindNames[kind] ?? kind;

/** The type of a value. Text is shown only if it is short: helpful, and rarely a secret. */
function describe(found: unknown): string {
  if (found === null) return "nothing";
  if (Array.isArray(found)) return "a list";
  if (typeof found === "object") return "a mapping of keys";
  return typeof found === "string" ? `text (${show(found)})` : String(found);
}

const show = (text: string): string => JSON.stringify(text.length > 24 ? `${text.slice(0, 20)}…` : text);

function nameOf(path: readonly PropertyKey[]): string {
  let name = "";
  for (const part of path) name += typeof part === "number" ? `[${part}]` : `${name === "" ? "" : "."}${String(part)}`;
  return name === "" ? "the file" : name;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at;
}

const branchesOf = (schema: JsonSchema): JsonSchema[] => [
  schema,
  ...((schema["anyOf"] as JsonSchema[] | undefined) ?? []),
];
const propertiesOf = (schema: JsonSchema): [string, JsonSchema][] =>
  branchesOf(schema).flatMap((branch) => Object.entries((branch["properties"] as Record<string, JsonSchema>) ?? {}));

function keysAt(schema: JsonSchema, path: readonly PropertyKey[]): string[] {
  const [part, ...rest] = path;
  if (part === undefined) return propertiesOf(schema).map(([key]) => key);
  const items = branchesOf(schema).find((branch) => branch["items"] !== undefined)?.["items"] as JsonSchema | undefined;
  const below = typeof part === "number" ? items : propertiesOf(schema).find(([key]) => key === part)?.[1];
  return below === undefined ? [] : keysAt(below, rest);
}

function keysBelow(schema: JsonSchema, name: string): string[] {
  return propertiesOf(schema).flatMap(([key, below]) => {
    const full = name === "" ? key : `${name}.${key}`;
    return [full, ...keysBelow(below, full)];
  });
}
