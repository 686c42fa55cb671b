// Lines that hide problems from checks: comments that switch a linter off, names that shadow an assertion or a
// built-in, code that knows its test runner, and paths that lead out of the clean checkout.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { changedCode } from "../sides.ts";
import { addedTo, smells } from "../source/index.ts";

type Subject = Pick<Case, "sides" | "checks" | "workspace" | "feature">;
type Question = { readonly found: readonly string[]; readonly says: (all: string) => string };

export function blindingQuestions(c: Subject): string[] {
  const questions: readonly Question[] = [
    {
      found: suppressed(c),
      says: (all) => `A check is switched off for these lines: ${all}. Do what it asks for, or a person has to look.`,
    },
    {
      found: shadowed(c),
      says: (all) => `This shadows a built-in or an assertion that tests use: ${all}. Rename it.`,
    },
    {
      found: knowing(c),
      says: (all) => `The product behaves by who runs it: ${all}. It has to do the same without its tests.`,
    },
    {
      found: leading(c),
      says: (all) =>
        `The absolute path of this folder stands in the product, so it works only on this machine: ${all}.`,
    },
  ];
  return questions.flatMap(({ found, says }) => (found.length === 0 ? [] : [says(listed(found))]));
}

type Added = { readonly path: string; readonly line: number; readonly text: string };

/** The earlier text of a file, under its old name where it moved. */
const before = ({ base, moved }: Case["sides"], path: string): string | null =>
  base.text(moved.find(({ to }) => to === path)?.from ?? path);

const added = ({ sides }: Subject): Added[] =>
  changedCode(sides)
    .filter(({ kind }) => kind !== "deleted")
    .flatMap(({ path }) =>
      addedTo(before(sides, path) ?? "", sides.candidate.text(path) ?? "").map((line) => ({ path, ...line })),
    );

const shown = ({ path, line, text }: Added): string => `${path}:${line} ${text.trim().slice(0, 60)}`;

const suppression =
  /\beslint-disable|\bbiome-ignore\b|\bjshint ignore|@ts-(?:ignore|nocheck|expect-error)\b|#\s*(?:noqa|type:\s*ignore|pyright:\s*ignore|pylint:\s*disable|mypy:\s*ignore|nosec)\b|\/\/\s*nolint\b|\/\/\s*lint:ignore\b|#!?\[allow\(|shellcheck disable=|\brubocop:disable\b|\b(?:lint|check)[-_: ](?:disable|ignore|off|skip)\b/i;
const commented = /\/\/|\/\*|#|<!--/;
/** A check of the text, not of its behaviour. */
const isAboutText = ({ name, run }: Case["checks"][number]): boolean =>
  /lint|type|check|format|style|tsc|mypy|pyright|clippy|vet|ruff|flake8|biome|audit|static/i.test(`${name} ${run}`);

/** Only where such a comment could be meant for one of the checks. */
const suppressed = (c: Subject): string[] =>
  c.checks.some(isAboutText)
    ? added(c)
        .filter(({ text }) => commented.test(text) && suppression.test(text.slice(text.search(commented))))
        .map(shown)
    : [];

const rustAssertion = /^\s*(?:#\[macro_export\]\s*)?macro_rules!\s*(?:assert\w*|debug_assert\w*|panic|matches|vec)\b/;
const goBuiltIn =
  /^(?:func|var|const|type)\s+(?:append|cap|close|complex|copy|delete|error|false|imag|int|iota|len|make|new|nil|panic|print|println|real|recover|string|true|any|bool|byte)\b/;
const shellBuiltIn =
  /^\s*(?:function\s+)?(?:test|\[|exit|return|diff|cmp|grep|echo|printf|true|false|set|trap|command|eval|exec)\s*\(\)/;

/** Old tests of the same package or crate, or that source the file, would call this instead. */
const shadowed = (c: Subject): string[] =>
  added(c)
    .filter(
      ({ path, text }) =>
        (path.endsWith(".rs") && rustAssertion.test(text)) ||
        (path.endsWith(".go") && goBuiltIn.test(text)) ||
        (/\.(?:sh|bash)$/.test(path) && shellBuiltIn.test(text)),
    )
    .map(shown);

const aware = new Set(["reads a variable that test runners set", "looks for a loaded test runner"]);

/** A feature may be about that: it names the variable. */
function knowing({ sides, feature }: Subject): string[] {
  if (
    /\b(?:NODE_ENV|VITEST|JEST_WORKER_ID|PYTEST_\w+|cfg\(test\))/.test(
      [feature.name, feature.description, ...feature.criteria].join("\n"),
    )
  )
    return [];
  return changedCode(sides)
    .filter(({ kind }) => kind !== "deleted")
    .flatMap(({ path }) =>
      smells(path, before(sides, path), sides.candidate.text(path))
        .filter(({ what }) => aware.has(what))
        .map(({ line, what }) => `${path}:${line} ${what}`),
    );
}

/** Clean checkouts lie at the workspace's own path, so such a path resolves there as well. */
function leading(c: Subject): string[] {
  const { root } = c.workspace;
  // A root such as /app occurs in many unrelated paths.
  if (root.split("/").length < 3) return [];
  const path = new RegExp(`(?<![\\w./-])${root.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`);
  return added(c)
    .filter(({ text }) => path.test(text))
    .map(shown);
}
