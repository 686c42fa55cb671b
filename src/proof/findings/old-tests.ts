// The old tests' objections to a change (runs A, U and B).

import { posix } from "node:path";
import type { Cause } from "../../core/cause.ts";
import type { CheckSpec } from "../../core/contract.ts";
import type { Contradiction } from "../prover.ts";
import type { AsItIs } from "../runs/as-it-is.ts";
import type { RedElsewhere } from "../runs/elsewhere.ts";
import type { Helped } from "../runs/helpers.ts";
import type { UnderOldJudge } from "../runs/old-judge.ts";
import type { RedTheSecondTime } from "../runs/second-time.ts";
import { endedIn, isGreen, type Seen } from "../seen.ts";
import { changedJudge, isTestOrExpected, type Sides } from "../sides.ts";
import type { Ignored } from "./ignored.ts";
import { listed, permissionHint, type Said } from "./said.ts";

/** Protected files of the base that were changed or deleted. */
export const changedPaths = (sides: Sides): string[] => changedJudge(sides).map(({ path }) => path);

/** The change as it would be committed: red, flaky, or green for the wrong reason. */
export function saidAsItIs(b: AsItIs, ignored: readonly Ignored[] = []): Said {
  const flaky = b.flaky.map(
    ({ name }): Cause => ({
      kind: "flaky",
      key: `flaky:${name}`,
      text: `${name} failed and then passed on the same tree: it is flaky.`,
    }),
  );
  const rewritten: Cause = {
    kind: "tampering",
    key: `rewritten:${b.rewritten.join(",").slice(0, 150)}`,
    text: `These tests pass only because they were changed; as they were, they still fail: ${listed(b.rewritten)}`,
  };
  const red = b.red.map(({ check, seen }) => redCause(check, seen, ignored));
  return { failures: [...flaky, ...red, ...(b.rewritten.length > 0 ? [rewritten] : [])] };
}

/** Without names, all that shows is that a check is red under the old judge and green in the candidate. */
export function greenByChangeAlone(sides: Sides, checks: readonly CheckSpec[], b: AsItIs, a: UnderOldJudge): Said {
  const changed = changedPaths(sides);
  if (changed.length === 0) return {};
  const broken = new Set(a.broken.map(({ check }) => check.name));
  const turned = checks.filter(({ name }) => {
    const [old, now] = [a.seen.get(name), b.seen.get(name)];
    return old !== undefined && now?.tests === null && !broken.has(name) && !isGreen(old) && isGreen(now);
  });
  return {
    failures: turned.map(({ name }) => ({
      kind: "tampering",
      key: `turned:${name}`,
      text: `${name} passes only with the protected files that were changed: ${listed(changed)}`,
    })),
  };
}

export function rewritesProduct({ base, changes }: Sides, { seen }: AsItIs, a: UnderOldJudge): Said {
  const product = new Set(changes.filter(({ side }) => side === "product").map(({ path }) => path));
  const missing = [...seen].flatMap(([name, { left }]) => {
    const before = new Set(a.seen.get(name)?.left ?? []);
    const own = left.filter((path) => !before.has(path) && (product.has(path) || base.has(path)));
    return own.length === 0
      ? []
      : [`Running ${name} changes tracked files, so what it tests is not what is committed: ${listed(own)}`];
  });
  return { missing };
}

/**
 * What passed under the old judge and no longer does. `b` is null before the candidate itself was run: then it is not
 * known whether the changed protected files are to blame.
 */
export function refusedByOldJudge(sides: Sides, a: UnderOldJudge, b: AsItIs | null): readonly Cause[] {
  const changed = changedPaths(sides);
  const isTampering = b !== null && changed.length > 0;
  const either = sides.changes.filter((change) => change.either).map(({ path }) => path);
  const hint =
    either.length === 0
      ? ""
      : `\nIf these are part of the product, name them under product: in loop.yaml: ${listed(either)}`;
  const broken = a.broken.map(({ check, seen, lost }): Cause => {
    const tests = lost.length === 0 ? "" : ` These tests passed before: ${listed(lost)}`;
    const why = isTampering
      ? `${check.name} (${check.run}) passes only with the protected files that were changed (${listed(changed)}); with those as they were, it fails.`
      : isGreen(seen)
        ? `${check.name} (${check.run}) passes with the tests and configuration as they were, but not all tests are run any more.`
        : `${check.name} (${check.run}) fails with the tests and configuration as they were, ${endedIn(seen)}.`;
    const key = lost.length === 0 ? seen.signature : lost.slice(0, 3).join(",");
    return {
      kind: isTampering ? "tampering" : "check-red",
      key: `old-judge:${check.name}:${key}`.slice(0, 200),
      text: `${why}${tests}${hint}${isTampering ? permissionHint : ""}\n${tailOf(seen)}`,
      ...(isTampering || lost.length === 0 ? {} : { frame: { is: "regression", tests: lost.slice(0, testsKept) } }),
    };
  });
  return [...broken, ...gone(b?.missing ?? [])];
}

/** In the journal: enough for a person to see what broke. */
const testsKept = 20;

/** Expected results of tests, by the name of their file or folder. */
const compared =
  /(?:^|\/)(?:__snapshots__|snapshots?|golden|goldens|expected|testdata|fixtures|baselines?)\/|\.(?:snap|golden|expected|approved)(?:\.\w+)?$/i;

/** A test that writes its own missing expectation compares with nothing. */
export function writesExpectations(
  tree: Sides["base"],
  base: ReadonlyMap<string, Seen>,
  { seen }: UnderOldJudge,
): Said {
  const folders = new Set(tree.paths.map((path) => posix.dirname(path)));
  const missing = [...seen].flatMap(([name, { left }]) => {
    const before = new Set(base.get(name)?.left ?? []);
    // Only next to tracked files: a test may leave anything in its own folder.
    const isNew = (path: string): boolean => !before.has(path) && !tree.has(path) && folders.has(posix.dirname(path));
    const written = left.filter((path) => compared.test(path) && isNew(path));
    return written.length === 0
      ? []
      : [
          `Over the changed code the old tests of ${name} write what they compare with: ${listed(written)}. They show nothing then.`,
        ];
  });
  return { missing };
}

const secondTailMax = 800;

export const saidOfSecondTime = (red: readonly RedTheSecondTime[]): Said => ({
  missing: red.map(
    ({ check, left, tail }) =>
      `${check.name} (${check.run}) passes in a clean checkout and fails when it is run again in the same folder. Before the change it passed both times. The first run left: ${listed(left)}. Leave nothing behind, or cope with it.\n${tail.slice(-secondTailMax)}`,
  ),
});

export const saidOfElsewhere = (red: readonly RedElsewhere[]): Said => ({
  missing: red.map(
    ({ check, where, tests }) =>
      `${check.name} (${check.run}) fails elsewhere (with ${where}), where it passed before the change${tests.length === 0 ? "" : `: ${listed(tests)}`}. Make it independent of where it runs.`,
  ),
});

/** Red without the tests that earlier features added, and green with them: those tests hide a breakage. */
export const saidOfPersonsTests = ({ broken }: UnderOldJudge): Said => ({
  failures: broken.map(({ check, seen, lost }) => ({
    kind: "check-red",
    key: `without-agents:${check.name}:${lost.slice(0, 3).join(",")}`.slice(0, 200),
    text: `${check.name} (${check.run}) fails when the tests that earlier features added are left out, ${endedIn(seen)}.${lost.length === 0 ? "" : ` These tests passed before: ${listed(lost)}`} One of the added tests changes what the older ones see. Keep the old behaviour, and let tests leave nothing behind.\n${tailOf(seen)}`,
  })),
});

function gone(missing: readonly string[]): readonly Cause[] {
  if (missing.length === 0) return [];
  const text = `Tests that passed before are gone, skipped or failing in the change: ${listed(missing)}${permissionHint}`;
  return [{ kind: "tampering", key: `gone:${missing.slice(0, 3).join(",")}`.slice(0, 200), text }];
}

/**
 * Old tests that are lost, and the protected tests and fixtures that the change rewrote or removed. Allowing these
 * shows whether they explain the loss. Null: the change touched none.
 */
export function rewrittenTests(sides: Sides, a: UnderOldJudge | null, b: AsItIs | null): Contradiction | null {
  const files = changedJudge(sides)
    .filter(isTestOrExpected)
    .map(({ path }) => path);
  if (files.length === 0) return null;
  const tests = [...(a?.broken ?? []).flatMap(({ lost }) => lost), ...(b?.missing ?? [])];
  return { files, tests: tests.length === 0 ? files : [...new Set(tests)] };
}

/** The tests of rewritten files by name; a file without named tests counts by its path. */
export function testsIn(files: readonly string[], a: UnderOldJudge | null): readonly string[] {
  const names = [...(a?.seen.values() ?? [])].flatMap(({ tests }) => [...(tests ?? [])]);
  return files.flatMap((file) => {
    const own = names.filter(([, test]) => test.file === file).map(([key]) => key);
    return own.length === 0 ? [file] : own;
  });
}

function redCause(check: CheckSpec, seen: Seen, ignored: readonly Ignored[]): Cause {
  const failed = [...(seen.tests ?? [])].filter(([, { how }]) => how === "failed").map(([key]) => key);
  const tests = failed.length === 0 ? "" : ` Failing: ${listed(failed)}`;
  const stem = (path: string): string => posix.basename(path).replace(/\.\w+$/, "");
  const left = ignored.filter(({ path }) => seen.tail.includes(stem(path)));
  const why =
    left.length === 0
      ? ""
      : `${tests === "" ? "" : "."} These files are not part of the change, since git ignores them: ${listed(left.map(({ path, by }) => `${path} by ${by}`))}. Give them another place or name.`;
  // The names of the failing tests say more about the root cause than output with times and counts in it.
  const key = failed.length === 0 ? `${seen.how}:${seen.signature}` : failed.toSorted().slice(0, 5).join(",");
  return {
    kind: "check-red",
    key: `check:${check.name}:${key}`.slice(0, 300),
    text: `${check.name} (${check.run}) fails, ${endedIn(seen)}.${tests}${why}\n${tailOf(seen)}`,
  };
}

const tailMax = 2500;

/** The end of the output. For an installer or a build, the beginning: the error comes before pages of usage. */
function tailOf({ how, tail }: Seen): string {
  if (tail.length <= tailMax) return tail;
  return how === "unready" ? `${tail.slice(0, tailMax)}\n…` : tail.slice(-tailMax);
}

export const saidOfHelped = ({ files, tests }: Helped): Said => ({
  missing: [
    `Old tests pass only because ${listed(files)} was changed, which only tests use${tests.length === 0 ? "" : `: ${listed(tests)}`}. Put it back, or a person has to look.`,
  ],
});
