// New tests that cannot fail, seen from their text: shadowed by another of the same name, or with the expected value as a message.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { addedTo } from "../source/index.ts";

export function emptyTestQuestions({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  const tests = sides.changes.filter(({ isTest, kind }) => isTest && kind !== "deleted").map(({ path }) => path);
  const textOf = (path: string): string => sides.candidate.text(path) ?? "";
  const shadowed = tests.filter((path) => path.endsWith(".py")).flatMap((path) => twice(path, textOf(path)));
  const messages = tests
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .flatMap((path) =>
      addedTo(sides.base.text(path) ?? "", textOf(path))
        .filter(({ text }) => asMessage.test(text))
        .map(({ line, text }) => `${path}:${line} ${text.trim().slice(0, 60)}`),
    );
  const unawaited = tests.filter((path) => path.endsWith(".py")).flatMap((path) => neverAwaited(path, textOf(path)));
  const tuples = tests
    .filter((path) => path.endsWith(".py"))
    .flatMap((path) =>
      addedTo(sides.base.text(path) ?? "", textOf(path))
        .filter(({ text }) => isTupleAsserted(text))
        .map(({ line }) => `${path}:${line}`),
    );
  const error = /\b[A-Z][a-z]\w*Error\b/.exec([feature.name, feature.description, ...feature.criteria].join("\n"))?.[0];
  const anyError = tests
    .filter((path) => path.endsWith(".py") && error !== undefined)
    .flatMap((path) =>
      addedTo(sides.base.text(path) ?? "", textOf(path))
        .filter(({ text }) => /\b(?:raises|assertRaises)\((?:Base)?Exception\)/.test(text))
        .map(({ line }) => `${path}:${line}`),
    );
  return [
    ...(anyError.length === 0
      ? []
      : [`The feature names ${error}, and any error passes here: ${listed(anyError)}. Expect the one that it names.`]),
    ...(unawaited.length === 0
      ? []
      : [`These tests are asynchronous, and nothing awaits them: ${listed(unawaited)}. Use IsolatedAsyncioTestCase.`]),
    ...(tuples.length === 0
      ? []
      : [`An assertion of a tuple always passes: ${listed(tuples)}. Leave out the parentheses around it.`]),
    ...(shadowed.length === 0 ? [] : [`Two tests have one name, so that the first is never run: ${listed(shadowed)}.`]),
    ...(messages.length === 0
      ? []
      : [`The second argument of assert.ok is only a message: ${listed(messages)}. Compare with assert.deepEqual.`]),
  ];
}

/** `assert.ok(scale([1], 3), [3])`, `assert(total(), 7)`. */
const asMessage =
  /\bassert(?:\.ok)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){1,200},\s*(?:\[[^\]]*\]|\{[^}]*\}|-?\d[\d.]*)\s*\)/;

/** `assert (total() == 7, "message")`: the parentheses hold both. */
function isTupleAsserted(line: string): boolean {
  const inside = /^\s*assert\s*\((.*)\)\s*(?:#.*)?$/
    .exec(line)?.[1]
    ?.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "''");
  if (inside === undefined) return false;
  let depth = 0;
  let isTuple = false;
  for (const char of inside) {
    if (/[([{]/.test(char)) depth += 1;
    if (/[)\]}]/.test(char)) depth -= 1;
    if (depth < 0) return false;
    if (char === "," && depth === 0) isTuple = true;
  }
  return isTuple;
}

/** `async def test_x` in a plain TestCase: it returns a coroutine, which passes. */
function neverAwaited(path: string, text: string): string[] {
  const found: string[] = [];
  let isPlain = false;
  for (const line of text.split("\n")) {
    const bases = /^class \w+\(([^)]*)\)/.exec(line)?.[1];
    if (bases !== undefined) isPlain = /\bTestCase\b/.test(bases);
    else if (/^\S/.test(line) && !/^[#@)]/.test(line)) isPlain = false;
    const name = /^\s+async def (test\w*)\(/.exec(line)?.[1];
    if (isPlain && name !== undefined) found.push(`${name} (${path})`);
  }
  return found;
}

/** Functions of one name at one level of one class, or of the module. */
function twice(path: string, text: string): string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  let scope = "";
  for (const line of text.split("\n")) {
    const heading = /^class (\w+)/.exec(line)?.[1];
    if (heading !== undefined) scope = heading;
    else if (/^\S/.test(line) && !line.startsWith("#") && !line.startsWith("@") && !line.startsWith(")")) scope = "";
    const [, indent = "", name] = /^(\s*)(?:async )?def (test\w*)\(/.exec(line) ?? [];
    if (name === undefined) continue;
    const key = `${indent === "" ? "" : scope}.${indent.length}.${name}`;
    if (seen.has(key)) found.push(`${name} (${path})`);
    seen.add(key);
  }
  return found;
}
