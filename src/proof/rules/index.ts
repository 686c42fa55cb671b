// What is known about a change without running anything: scope, must-nots, secrets, size, planted caches.
import type { Cause } from "../../core/cause.ts";
import type { Case } from "../case.ts";
import { isLockfile } from "../classify/index.ts";
import { findSecrets } from "../secrets/index.ts";
import { addedLines } from "./added-lines.ts";
import { ambientQuestions } from "./ambient.ts";
import { blindingQuestions } from "./blinding.ts";
import { newDependencies } from "./dependencies.ts";
import { devOnlyQuestions } from "./dev-only.ts";
import { emptyTestQuestions } from "./empty-tests.ts";
import { entryPointQuestions } from "./entry-points.ts";
import { exampleQuestions } from "./exporters.ts";
import { reexportQuestion } from "./exports.ts";
import { mustNotCauses } from "./must-not.ts";
import { namedQuestions } from "./named.ts";
import { namesElsewhereQuestions } from "./names-elsewhere.ts";
import { ownTestQuestions } from "./own-tests.ts";
import { parameterQuestions } from "./parameters.ts";
import { pythonPackageQuestions } from "./python-packages.ts";
import { removalQuestion } from "./removed.ts";
import { scopeCauses } from "./scope.ts";
import { shadowingQuestions } from "./shadowing.ts";
import { sizeCauses } from "./size.ts";
import { staleImportQuestions } from "./stale-imports.ts";
import { steeringQuestions } from "./steering.ts";
import { unaskedFileQuestions } from "./unasked-files.ts";
import { undeclaredQuestions } from "./undeclared.ts";
import { unfinishedQuestions } from "./unfinished.ts";
import { unlockedQuestions } from "./unlocked.ts";
import { unpublishedQuestions } from "./unpublished.ts";
import { unremovedQuestions } from "./unremoved.ts";
import { unseenQuestions } from "./unseen.ts";
import { valueQuestions } from "./values.ts";

export type Refusals = { readonly failures: readonly Cause[]; readonly questions: readonly string[] };

export async function refusals(c: Case): Promise<Refusals> {
  const { order, feature, changes, workspace, release } = c;
  const span = { from: order.base, to: order.candidate };
  const { lines } = await addedLines(workspace, span, changes);
  const dependencies = await newDependencies(workspace, span, changes);
  const touched = {
    contract: order.contract,
    feature,
    changes: c.sides.changes.filter(({ side }) => side !== "ours"),
    paths: c.sides.candidate.paths,
    release,
  };
  const tests = new Set(c.sides.changes.filter(({ isTest }) => isTest).map(({ path }) => path));
  const hits = findSecrets(lines, { isTest: (path) => tests.has(path), isLockfile });
  const sure = hits.filter((hit) => hit.sure);
  const unsure = hits.filter((hit) => !hit.sure);
  const failures: Cause[] = [
    ...mustNotCauses(order.contract.scope.mustNot, { changes, lines, dependencies }),
    ...sure.map(
      ({ path, line, what, masked }): Cause => ({
        kind: "secret",
        key: `secret:${path}:${what}`,
        text: `${path}:${line} adds a secret (${what}: ${masked}). Remove it; read it from the environment instead.`,
      }),
    ),
    ...scopeCauses(touched),
    ...(await sizeCauses(workspace, order.candidate, touched)),
    ...plantedCaches(c),
  ];
  const removal = removalQuestion(c);
  const reexported = reexportQuestion(c);
  const questions = [
    ...unsure.map(
      ({ path, line, what, masked }) => `${path}:${line} may be a secret (${what}: ${masked}). A person has to look.`,
    ),
    ...(removal === null ? [] : [removal]),
    ...attributeQuestions(c),
    ...ownTestQuestions(c),
    ...(reexported === null ? [] : [reexported]),
    ...namedQuestions(c),
    ...staleImportQuestions(c),
    ...unseenQuestions(c),
    ...steeringQuestions(c),
    ...unaskedFileQuestions(c),
    ...blindingQuestions(c),
    ...undeclaredQuestions(c),
    ...devOnlyQuestions(c),
    ...unlockedQuestions(c),
    ...unfinishedQuestions(c),
    ...unpublishedQuestions(c),
    ...entryPointQuestions(c),
    ...pythonPackageQuestions(c),
    ...parameterQuestions(c),
    ...emptyTestQuestions(c),
    ...unremovedQuestions(c),
    ...shadowingQuestions(c),
    ...ambientQuestions(c),
    ...namesElsewhereQuestions(c),
    ...exampleQuestions(c),
    ...valueQuestions(c),
  ];
  return { failures, questions: order.decided === undefined ? questions : [] };
}

/** Attributes by which a checkout differs from the files that were proved; `text=auto` is not one of them here. */
const converting =
  /^[^#\n]*\s(?:filter|export-ignore|export-subst|working-tree-encoding|ident|eol|crlf|-?text(?!=auto))\b/m;

/** Git then stores something other than the files in the folder, and may not store some of them at all. */
function attributeQuestions({ sides }: Case): string[] {
  const changed = sides.changes
    .filter(({ path, kind }) => /(?:^|\/)\.gitattributes$/.test(path) && kind !== "deleted")
    .filter(({ path }) => converting.test(sides.candidate.text(path) ?? ""))
    .map(({ path }) => path);
  return changed.length === 0
    ? []
    : [`${changed.join(", ")} changes how git stores files. Put it back, or a person has to look.`];
}

/** Rooms leave out compiled code, installed packages and caches, and they do not belong in a commit. */
function plantedCaches({ sides }: Case): Cause[] {
  const planted = sides.changes
    .filter(({ side, kind }) => side === "cache" && kind !== "deleted")
    .map(({ path }) => path);
  if (planted.length === 0) return [];
  const text = `Caches or installed packages were changed: ${planted.slice(0, 10).join(", ")}. Remove them from the change; the loop installs dependencies itself.`;
  return [{ kind: "tampering", key: `cache:${planted[0]}`, text }];
}
