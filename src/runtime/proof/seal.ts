// The seal: tests, fixtures and test configuration as they were, laid back over a candidate before it is believed.
import picomatch from "picomatch";
import type { CheckSpec, Contract } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Change, LaidFile, Workspace } from "../../workspace/workspace.ts";

/** Where tests live when a check does not say. */
const usualTests = [
  "test/**",
  "tests/**",
  "spec/**",
  "**/__tests__/**",
  "**/__snapshots__/**",
  "**/testdata/**",
  "**/*.{test,spec}.*",
  "**/*_{test,spec}.*",
  "**/test_*.py",
  "**/conftest.py",
  "{test,tests}.*",
];
/** What decides how tests are run. */
const testConfiguration = [
  "{jest,vitest,vite,karma,playwright,cypress,babel}.config.*",
  ".mocharc*",
  ".nycrc*",
  ".c8rc*",
  "pytest.ini",
  "tox.ini",
  "setup.cfg",
  "phpunit.xml*",
  ".rspec",
  "Makefile",
  "makefile",
  "GNUmakefile",
  ".github/workflows/**",
  ".gitlab-ci.yml",
];

/** Which paths are tests, and which are sealed (tests, their configuration, and files that a check's command names). */
export type SealRule = {
  isTest(path: string): boolean;
  isSealed(path: string): boolean;
  isReleased(path: string): boolean;
};

export function sealRule({ checks, scope }: Contract): SealRule {
  const isTest = matcher(checks.flatMap((check) => (check.tests.length > 0 ? check.tests : usualTests)));
  const isConfiguration = matcher(testConfiguration);
  const named = new Set(checks.flatMap(wordsOf));
  const isReleased = matcher(scope.mayChange);
  return {
    isTest: (path) => isTest(path),
    isSealed: (path) => !isReleased(path) && (isTest(path) || isConfiguration(path) || named.has(path)),
    isReleased: (path) => isReleased(path),
  };
}

const matcher = (globs: readonly string[]): ((path: string) => boolean) =>
  globs.length === 0 ? () => false : picomatch([...globs], { dot: true });

const wordsOf = (check: CheckSpec): string[] =>
  check.run.split(/[\s;&|()<>"'`]+/).map((word) => word.replace(/^\.\//, ""));

export type SealReport = {
  readonly lay: readonly LaidFile[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  /** Sealed files that lost or changed lines, where adding would have been enough. */
  readonly rewritten: readonly string[];
};

/**
 * What has to be laid back for the sealed run. A file counts as it was before this feature; one that an earlier feature
 * of the run already rewrote counts as it was before the run, so that a test cannot be worn down step by step.
 */
export async function compareWithSeal(
  workspace: Workspace,
  rule: SealRule,
  trees: { origin: TreeId; base: TreeId; candidate: TreeId },
): Promise<SealReport> {
  const worn = await alteredSince(workspace, rule, trees.origin, trees.base);
  const touched = await alteredSince(workspace, rule, trees.base, trees.candidate);
  const lay = new Map<string, LaidFile>();
  for (const { path, before } of touched) lay.set(path, { path, content: before });
  for (const { path, before, additive } of worn) if (!additive) lay.set(path, { path, content: before });
  const scripts = await sealedScripts(workspace, rule, trees.base, trees.candidate);
  if (scripts !== null) lay.set(scripts.path, scripts);
  return {
    lay: [...lay.values()],
    changed: [
      ...touched.filter((t) => t.kind === "modified").map((t) => t.path),
      ...(scripts === null ? [] : [scripts.path]),
    ],
    deleted: touched.filter((t) => t.kind === "deleted").map((t) => t.path),
    rewritten: touched.filter((t) => t.kind === "modified" && !t.additive).map((t) => t.path),
  };
}

type Altered = { path: string; kind: Change["kind"]; before: Buffer; additive: boolean };

async function alteredSince(workspace: Workspace, rule: SealRule, from: TreeId, to: TreeId): Promise<Altered[]> {
  if (from === to) return [];
  const altered: Altered[] = [];
  for (const { path, kind } of await workspace.changes(from, to)) {
    if (kind === "added" || !rule.isSealed(path)) continue;
    const before = await workspace.read(from, path);
    if (before === null) continue;
    const after = kind === "deleted" ? null : await workspace.read(to, path);
    altered.push({ path, kind, before, additive: after !== null && onlyAdds(before.toString(), after.toString()) });
  }
  return altered;
}

/** Does every line of the old text stand in the new one, in order? */
export function onlyAdds(before: string, after: string): boolean {
  const lines = after.split("\n");
  let at = 0;
  for (const line of before.split("\n")) {
    while (at < lines.length && lines[at] !== line) at += 1;
    if (at === lines.length) return false;
    at += 1;
  }
  return true;
}

/** package.json may gain dependencies; the scripts that checks go through may not change unseen. */
async function sealedScripts(
  workspace: Workspace,
  rule: SealRule,
  base: TreeId,
  candidate: TreeId,
): Promise<LaidFile | null> {
  const path = "package.json";
  if (rule.isReleased(path)) return null;
  const [before, after] = [await json(workspace, base, path), await json(workspace, candidate, path)];
  if (before === null || after === null) return null;
  if (JSON.stringify(before["scripts"]) === JSON.stringify(after["scripts"])) return null;
  return { path, content: `${JSON.stringify({ ...after, scripts: before["scripts"] }, null, 2)}\n` };
}

async function json(workspace: Workspace, tree: TreeId, path: string): Promise<Record<string, unknown> | null> {
  const text = (await workspace.read(tree, path))?.toString();
  if (text === undefined) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
