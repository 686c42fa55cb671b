// The seal: which files are tests, which decide how tests are run, and why each of them is sealed.
import type { Contract } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { matcher } from "./globs.ts";
import { type NamedFile, namedFiles, simpleCommands } from "./named-files.ts";
import { ciFiles, lockfiles, usualConfiguration, usualTests } from "./seal-table.ts";
import { isMixed } from "./sealed-parts.ts";

export { compareWithSeal, type SealReport, type Worn } from "./compare-with-seal.ts";

/** Which paths are tests, and which are sealed (tests, their configuration, and files that a check's command names). */
export type SealRule = {
  isTest(path: string): boolean;
  /** Decides how tests are run, and is read by itself: one that is added matters as much as one that is changed. */
  isConfiguration(path: string): boolean;
  /** The whole file is sealed. */
  isSealed(path: string): boolean;
  isReleased(path: string): boolean;
  isLockfile(path: string): boolean;
  /** Why it is sealed, in whole or in part; null: it is not. */
  reason(path: string): string | null;
};

/** The rule by the contract alone; `openSeal` also knows what the commands lead to. */
export function sealRule(
  { checks, scope }: Pick<Contract, "checks" | "scope">,
  named: readonly NamedFile[] = namedByCommands(checks),
): SealRule {
  const own = checks
    .filter((check) => check.tests.length > 0)
    .map(({ name, tests }) => ({ matches: matcher(tests), why: `tests of the check ${name}` }));
  const isUsual =
    checks.some((check) => check.tests.length === 0) || checks.length === 0 ? matcher(usualTests) : () => false;
  const isConfiguration = matcher(usualConfiguration);
  const isCi = matcher(ciFiles);
  const isReleased = matcher(scope.mayChange);
  const whyNamed = new Map(named.map(({ path, why }) => [path, why]));
  const isTest = (path: string): boolean => own.some(({ matches }) => matches(path)) || isUsual(path);
  const whole = (path: string): string | null => {
    if (isReleased(path)) return null;
    const why = own.find(({ matches }) => matches(path))?.why ?? whyNamed.get(path);
    if (why !== undefined) return why;
    if (isConfiguration(path)) return "test and build configuration";
    if (isUsual(path)) return "tests, fixtures and snapshots";
    return isCi(path) ? "CI file" : null;
  };
  const part = (path: string): string | null => {
    if (isReleased(path)) return null;
    if (isLockfile(path)) return "lockfile: follows its manifest";
    return isMixed(path) ? "in part: scripts and test settings" : null;
  };
  return {
    isTest,
    isConfiguration: (path) => isConfiguration(path),
    isSealed: (path) => !isLockfile(path) && !isMixed(path) && whole(path) !== null,
    isReleased: (path) => isReleased(path),
    isLockfile,
    reason: (path) => (isMixed(path) || isLockfile(path) ? part(path) : whole(path)),
  };
}

/** The rule as it was when the run began: by what the commands of the contract led to in that tree. */
export async function openSeal(
  workspace: Pick<Workspace, "read" | "list">,
  contract: Pick<Contract, "checks" | "scope">,
  origin: TreeId,
): Promise<SealRule> {
  return sealRule(contract, await namedFiles(workspace, contract.checks, origin));
}

const locks = new Set(lockfiles.map(([name]) => name));
const isLockfile = (path: string): boolean => locks.has(path.split("/").at(-1) ?? "");

const namedByCommands = (checks: Contract["checks"]): NamedFile[] =>
  checks.flatMap(({ name, run }) =>
    simpleCommands(run, "").flatMap(({ words, folder }) =>
      words.map((word) => ({
        path: [...(folder === "" ? [] : [folder]), word.replace(/^(?:\.\/)+/, "")].join("/"),
        why: `named by the command of ${name}`,
      })),
    ),
  );
