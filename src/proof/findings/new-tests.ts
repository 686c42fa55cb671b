// Whether the new tests test the change, and what they leave open (runs C, N, D, V, E and H).
import type { Contradicted, ExamplesRun } from "../runs/examples.ts";
import type { Expectations } from "../runs/expectations.ts";
import type { Hidden } from "../runs/hidden.ts";
import type { Inputs } from "../runs/inputs.ts";
import type { Strength, Tried } from "../runs/strength.ts";
import type { Witnesses } from "../runs/witness.ts";
import { changedCode, type Sides } from "../sides.ts";
import { languageOf } from "../source/index.ts";
import { changedPaths } from "./old-tests.ts";
import { group, listed, type Said, shownMax } from "./said.ts";

export function saidOfWitnesses(sides: Sides, { tests, checks, idle }: Witnesses): Said {
  const count = tests.length;
  if (count > 0) return { records: [group("C", "red", `${counted(count)} without the change`)] };
  if (checks.length > 0) return { records: [group("C", "red", `${checks.join(", ")} fails without the change`)] };
  const records = [group("C", "green", "no new test fails without the change")];
  const changed = changedPaths(sides);
  if (changedCode(sides).length > 0 || (changed.length === 0 && idle.length > 0))
    return {
      records,
      missing: [
        idle.length > 0
          ? `The new tests pass without the change as well, so they do not test it: ${listed(idle)}. Write a test that fails on the code as it was.`
          : "No new test fails on the code as it was. Add one that does.",
      ],
    };
  const why =
    changed.length > 0
      ? `Nothing but protected files was changed (${listed(changed)}), and ${tellsOfTests(sides)}. A person has to look.`
      : "No new test fails on the code as it was, and no code was changed that a test could run. A person has to look.";
  // With tests the builder has begun, and may go on to the code.
  return bringsTests(sides) ? { records, missing: [why] } : { records, forPerson: [why] };
}

const bringsTests = ({ changes }: Sides): boolean => changes.some(({ isTest, kind }) => isTest && kind !== "deleted");

const tellsOfTests = (sides: Sides): string =>
  bringsTests(sides) ? "the new tests come with them" : "no test comes with them";

const counted = (count: number): string => `${count} new ${count === 1 ? "test fails" : "tests fail"}`;

export function saidOfReaders(tests: readonly string[]): Said {
  if (tests.length === 0) return {};
  const why = `These tests fail when a comment is added to the code, so they test its text and not what it does: ${listed(tests)}. Call it, and assert what comes out.`;
  return { missing: [why] };
}

/** Examples that the feature states literally, and the actual results. */
export const saidOfExamples = ({ contradicted, notRun }: ExamplesRun, earlier: readonly Contradicted[]): Said => {
  const told = (found: readonly Contradicted[]): string =>
    listed(found.map(({ example, but }) => `${example}, but ${but}`));
  const untold = notRun.filter(({ isTested }) => !isTested);
  return {
    // It stands among the runs, so that the checker and the report have it.
    records: notRun
      .slice(0, shownMax)
      .map(({ example, why }) => group("E", "not-shown", `example not run: ${example} (${why}); run it to verify it`)),
    missing: [
      ...(contradicted.length === 0 ? [] : [`The feature's own examples do not hold: ${told(contradicted)}.`]),
      ...(untold.length === 0
        ? []
        : [
            `Examples of the feature could not be run, and no test has them: ${listed(untold.map(({ example, why }) => `${example} (${why})`))}. Write a test that asserts exactly that.`,
          ]),
      ...(earlier.length === 0
        ? []
        : [`Examples of features that are complete held before this change, and no longer do: ${told(earlier)}.`]),
    ],
  };
};

export const saidOfExpectations = ({ skipped, empty }: Expectations): Said => ({
  missing: [
    ...(skipped.length === 0
      ? []
      : [`New tests are skipped or expected to fail: ${listed(skipped)}. Make them pass, or leave them out.`]),
    ...(empty.length === 0
      ? []
      : [`These tests still pass when their expected values change, so they assert nothing: ${listed(empty)}.`]),
  ],
});

/** `wanted`: the share of all pieces that a test has to notice; 0 requires nothing. */
export function saidOfStrength({ tried, noticed, alike = [] }: Strength, wanted: number): Said {
  const same =
    alike.length === 0
      ? []
      : [`Put back, this makes no difference that any test or other input shows: ${listed(alike)}.`];
  const share = { count: noticed, of: tried.length };
  const records = [group("D", howOf({ tried, noticed }), `${noticed} of ${tried.length} noticed`, share)];
  if (tried.length === 0)
    return { records, missing: ["No part of the change could be taken back to see whether a test notices."] };
  const untested = unnoticed(tried);
  const isEnough = noticed > 0 && noticed / tried.length >= wanted;
  const silent = tried.filter((each) => !each.noticed).map(({ what }) => what);
  if (isEnough && (untested.length === 0 || wanted === 0))
    return {
      records,
      remarks: [...(silent.length === 0 ? [] : [`No test notices: ${listed(silent)}. Read that first.`]), ...same],
    };
  const alive = isEnough ? untested : silent;
  const why = `The tests do not notice when parts of the change are taken back (${noticed} of ${tried.length} noticed): ${listed(alive)}. Test what those parts do.`;
  return { records, missing: [why] };
}

/**
 * Functions that no longer do anything, old lines that were rewritten, and files in which nothing was noticed. The
 * first may hold requested work, the second unrequested changes, however well the rest of the change is tested.
 */
function unnoticed(tried: readonly Tried[]): string[] {
  const known = new Set(tried.filter(({ noticed }) => noticed).map(({ path }) => path));
  return tried
    .filter(({ noticed, kind, path }) => !noticed && (kind !== "hunk" || (isCode(path) && !known.has(path))))
    .map(({ what }) => what);
}

const isCode = (path: string): boolean => languageOf(path) !== null && !path.endsWith(".d.ts");

/** Only the old tests show that behaviour was kept, so they have to cover all of it. */
export function saidOfOldStrength({ tried, noticed }: Strength, wanted: number): Said {
  const text = `${noticed} of ${tried.length} noticed by the old tests`;
  const records = [group("D", howOf({ tried, noticed }), text)];
  if (noticed > 0 && noticed >= (wanted === 0 ? 0 : tried.length)) return { records };
  const alive = tried.filter((each) => !each.noticed).map(({ what }) => what);
  const why =
    tried.length === 0
      ? "No changed function could be emptied to see whether the old tests notice."
      : `The old tests do not notice when the changed code is emptied (${noticed} of ${tried.length}): ${listed(alive)}. Add tests for it first.`;
  return { records, missing: [why] };
}

const howOf = ({ tried, noticed }: Strength): "not-shown" | "noticed" | "not-noticed" =>
  tried.length === 0 ? "not-shown" : noticed > 0 ? "noticed" : "not-noticed";

export function saidOfOtherAnswers(inputs: readonly string[]): Said {
  if (inputs.length === 0) return {};
  const why = `Functions that were there before answer otherwise where no test looks: ${listed(inputs)}. Put the old behaviour back, or test the new one.`;
  return { missing: [why] };
}

const argumentChanged = "its argument was changed";

export function saidOfUnsteady(calls: readonly string[]): Said {
  if (calls.length === 0) return {};
  const [changing, unsteady] = [true, false].map((is) => calls.filter((call) => call.includes(argumentChanged) === is));
  return {
    missing: [
      ...(unsteady?.length
        ? [`A new function answers otherwise the second time: ${listed(unsteady)}. Make it steady, or test it twice.`]
        : []),
      ...(changing?.length
        ? [
            `A new function changes what it is given, and neither the feature nor a test says so: ${listed(changing)}. Work on a copy, or assert on the argument after the call.`,
          ]
        : []),
    ],
  };
}

export function saidOfInputs(found: Inputs): Said {
  const given = `The tests also pass when these new functions give back what they are given: ${listed(found.givenBack)}. Assert on a result that differs from the input.`;
  const back: Said = found.givenBack.length === 0 ? {} : { missing: [given] };
  switch (found.is) {
    case "not-shown":
      return { records: [group("E", "not-shown", "not shown")], ...back };
    case "red":
      return { records: [group("E", "noticed", "other inputs fail")], ...back };
    case "green": {
      const why = `The new tests pass with other inputs, too (${listed(found.tried)}): the result does not depend on what goes in. Compute it from the input, and assert exact results.`;
      return { records: [group("E", "not-noticed", "other inputs pass as well")], missing: [why] };
    }
  }
}

export function saidOfHidden(found: Hidden): Said {
  switch (found.is) {
    case "passed":
      return { records: [group("H", "green", `${found.tests} passed`)] };
    case "not-shown":
      return { records: [group("H", "not-shown", `not shown: ${found.why}`)] };
    case "failed": {
      const why = `Tests that another session wrote from the contract alone fail: ${listed(found.tests)}. Do what the criteria say for every input, not only for those that your tests have.`;
      return { records: [group("H", "red", `${found.tests.length} failed`)], missing: [why] };
    }
  }
}
