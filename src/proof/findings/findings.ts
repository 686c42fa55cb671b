// Gathers the results of the runs, and grades them.

import type { Cause } from "../../core/cause.ts";
import type { FeatureKind } from "../../core/contract.ts";
import { withAllowed } from "../../core/proof.ts";
import type { Grade } from "../../core/run.ts";
import type { Case } from "../case.ts";
import { type Evidence, keepEvidence, type RunRecord } from "../evidence.ts";
import type { Contradiction, Proved } from "../prover.ts";
import type { AsItIs } from "../runs/as-it-is.ts";
import type { Canary } from "../runs/canary.ts";
import type { RedElsewhere } from "../runs/elsewhere.ts";
import { type Contradicted, type ExamplesRun, earlierWithExamples } from "../runs/examples.ts";
import type { Expectations } from "../runs/expectations.ts";
import type { Helped } from "../runs/helpers.ts";
import type { Hidden } from "../runs/hidden.ts";
import type { Hollow } from "../runs/hollow.ts";
import type { Inputs } from "../runs/inputs.ts";
import type { Readers } from "../runs/neutral.ts";
import type { UnderOldJudge } from "../runs/old-judge.ts";
import type { RedTheSecondTime } from "../runs/second-time.ts";
import type { Strength } from "../runs/strength.ts";
import type { Witnesses } from "../runs/witness.ts";
import type { Seen } from "../seen.ts";
import { changedCode, changedJudge } from "../sides.ts";
import { smells } from "../source/index.ts";
import { saidOfDependent } from "./alone.ts";
import { saidOfCanary, saidOfHollow } from "./bite.ts";
import { ignoredImports } from "./ignored.ts";
import { kindOf, removesOnly, saidOfKind } from "./kinds.ts";
import {
  saidOfExamples,
  saidOfExpectations,
  saidOfHidden,
  saidOfInputs,
  saidOfOldStrength,
  saidOfOtherAnswers,
  saidOfReaders,
  saidOfStrength,
  saidOfUnsteady,
  saidOfWitnesses,
} from "./new-tests.ts";
import {
  changedPaths,
  greenByChangeAlone,
  refusedByOldJudge,
  rewritesProduct,
  rewrittenTests,
  saidAsItIs,
  saidOfElsewhere,
  saidOfHelped,
  saidOfPersonsTests,
  saidOfSecondTime,
  testsIn,
  writesExpectations,
} from "./old-tests.ts";
import { recorded, shownOf } from "./records.ts";
import { listed, type Said, shownMax } from "./said.ts";

export class Findings {
  readonly kind: FeatureKind;
  readonly #case: Case;
  readonly #failures: Cause[] = [];
  /** The old judge's objections; a contradiction sets these aside. */
  #oldJudge: readonly Cause[] = [];
  readonly #missing: string[] = [];
  readonly #forPerson = new Set<string>();
  readonly #remarks: string[] = [];
  readonly #records: RunRecord[] = [];
  #trees: Evidence["trees"] = {};
  #witnesses: readonly string[] = [];
  #strength: Strength | null = null;
  #canary: Canary | null = null;
  #inputs: Inputs | null = null;
  #contradiction: Contradiction | null = null;
  #a: UnderOldJudge | null = null;
  #b: AsItIs | null = null;

  constructor(c: Case) {
    this.#case = c;
    this.kind = kindOf(c);
  }

  get isRefused(): boolean {
    return this.#failures.length + this.#oldJudge.length > 0;
  }

  get isWeak(): boolean {
    return this.#missing.length > 0;
  }

  add({ records = [], failures = [], missing = [], forPerson = [], remarks = [] }: Said): void {
    this.#records.push(...records);
    this.#failures.push(...failures);
    this.#missing.push(...missing, ...forPerson);
    for (const text of forPerson) this.#forPerson.add(text);
    this.#remarks.push(...remarks);
  }

  trees(trees: Evidence["trees"]): void {
    this.#trees = { ...this.#trees, ...trees };
  }

  underOldJudge(run: "A" | "U", a: UnderOldJudge): void {
    const { checks, sides, release } = this.#case;
    const changed = changedJudge(sides);
    const more = changed.some(({ path }) => release(path)) ? `, ${withAllowed}` : "";
    this.add(recorded({ run, checks, seen: a.seen, more }));
    this.add({ remarks: a.flaky.map((key) => `Flaky, without a vote: ${key}`) });
    if (run === "A") this.#a = a;
    // Tests that A lost may still turn out to be the ones that the change rewrote.
    if (run === "U" || changed.length === 0)
      this.#oldJudge = [
        ...this.#oldJudge,
        ...refusedByOldJudge(sides, a, this.#b === null ? null : withoutMissing(this.#b)),
      ];
  }

  writesExpectations(base: ReadonlyMap<string, Seen>, a: UnderOldJudge): void {
    this.add(writesExpectations(this.#case.sides.base, base, a));
  }

  /** Checks that pass only because of tests from earlier features are broken. */
  personsTests(alone: UnderOldJudge): void {
    const { checks } = this.#case;
    const more = ", without the tests of earlier features";
    this.add(recorded({ run: "A", checks, seen: alone.seen, more, without: "agents" }));
    this.add({ remarks: alone.flaky.map((key) => `Flaky, without a vote: ${key}`) });
    this.add(saidOfPersonsTests(alone));
  }

  helped(found: Helped | null): void {
    if (found !== null) this.add(saidOfHelped(found));
  }

  asItIs(b: AsItIs, a: UnderOldJudge): void {
    const { checks, sides } = this.#case;
    this.#b = b;
    this.add(recorded({ run: "B", checks, seen: b.seen, flaky: new Set(b.flaky.map(({ name }) => name)) }));
    this.add(saidAsItIs(b, b.red.length === 0 ? [] : ignoredImports(sides)));
    if (b.red.length > 0 || b.flaky.length > 0) return;
    this.#oldJudge = [...this.#oldJudge, ...refusedByOldJudge(sides, a, b)];
    this.add(greenByChangeAlone(sides, checks, b, a));
    this.add(rewritesProduct(sides, b, a));
  }

  secondTime(red: readonly RedTheSecondTime[]): void {
    this.add(saidOfSecondTime(red));
  }

  elsewhere(red: readonly RedElsewhere[]): void {
    this.add(saidOfElsewhere(red));
  }

  rewrittenTests(): Contradiction | null {
    return rewrittenTests(this.#case.sides, this.#a, this.#b);
  }

  contradicts(allowed: Findings, contradiction: Contradiction): void {
    this.#records.push(...allowed.#records);
    this.#witnesses = allowed.#witnesses;
    this.#strength = allowed.#strength;
    // A pure removal has no new tests, and only the old tests speak against it.
    const isRemoval = removesOnly(this.#case) && !allowed.isRefused;
    const grade = allowed.#grade();
    if (grade !== "strong" && !isRemoval) {
      const against = [...allowed.#failures, ...allowed.#oldJudge].map(({ text }) => text.split("\n", 1)[0] ?? "");
      const remark = `With those tests allowed to change it would be ${grade}: ${[...against, ...allowed.#missing].join(" ")}`;
      this.add({ remarks: [remark] });
      return;
    }
    this.#canary = allowed.#canary;
    this.#inputs = allowed.#inputs;
    this.#contradiction = contradiction;
    this.#oldJudge = [];
  }

  /** The old judge passes, but its files were rewritten: one question, once everything else is proved. */
  rewrites(files: readonly string[]): void {
    if (files.length === 0 || this.isRefused) return;
    if (this.#grade() === "strong") this.#contradiction = { files, tests: testsIn(files, this.#a) };
    else {
      const { name, description, criteria } = this.#case.feature;
      const isAsked = files.every((path) => [name, description, ...criteria].some((text) => text.includes(path)));
      this.add(
        isAsked
          ? {
              forPerson: [
                `Protected files were rewritten, as the feature asks: ${listed(files)}. A person has to look.`,
              ],
            }
          : {
              missing: [`Protected files were rewritten: ${listed(files)}. Put them back, or ask for permission.`],
            },
      );
    }
  }

  witnesses(seen: Witnesses): void {
    this.#witnesses = [...seen.tests, ...seen.checks];
    this.add(saidOfWitnesses(this.#case.sides, seen));
  }

  readersOfText({ readers, dependent }: Readers): void {
    this.add(saidOfReaders(readers));
    this.add(saidOfDependent(dependent));
  }

  examples(own: ExamplesRun, earlier: readonly Contradicted[]): void {
    this.add(saidOfExamples(own, earlier));
  }

  expectations(found: Expectations): void {
    this.add(saidOfExpectations(found));
  }

  strength(found: Strength): void {
    this.#strength = found;
    this.add(saidOfStrength(found, this.#case.order.contract.proof.strength));
  }

  oldStrength(found: Strength): void {
    this.#strength = found;
    this.add(saidOfOldStrength(found, this.#case.order.contract.proof.strength));
  }

  otherAnswers(inputs: readonly string[]): void {
    this.add(saidOfOtherAnswers(inputs));
  }

  unsteady(found: readonly string[]): void {
    this.add(saidOfUnsteady(found));
  }

  inputs(found: Inputs): void {
    this.#inputs = found;
    this.add(saidOfInputs(found));
  }

  hidden(found: Hidden): void {
    this.add(saidOfHidden(found));
  }

  canary(found: Canary): void {
    this.#canary = found;
    this.add(saidOfCanary(found));
  }

  hollow(found: Hollow): void {
    this.add(saidOfHollow(found, changedPaths(this.#case.sides)));
  }

  result(): Proved {
    const { files, order, cut } = this.#case;
    if (!this.isRefused && order.decided === undefined)
      this.add(
        saidOfKind(this.#case, { a: this.#a, canary: this.#canary, strength: this.#strength, inputs: this.#inputs }),
      );
    const evidence = this.#evidence();
    return {
      cut: cut.aborted,
      grade: evidence.grade,
      proof: keepEvidence(files, evidence),
      checks: this.#records.map(shownOf),
      failures: evidence.failures,
      missing: evidence.missing,
      isForPerson: this.isWeak && this.#missing.every((text) => this.#forPerson.has(text)),
      contradiction: evidence.contradiction,
      notes: [...new Set(this.#remarks)],
    };
  }

  #evidence(): Evidence {
    const { order, feature, sides, rooms, release, ours } = this.#case;
    const { checks, proof, scope } = order.contract;
    const earlier = earlierWithExamples(order).map(({ id, name, description, criteria }) => ({
      ...{ id, name, description, criteria },
    }));
    return {
      version: 2,
      feature: feature.id,
      label: order.label,
      kind: this.kind,
      depth: proof.depth,
      base: order.base,
      candidate: order.candidate,
      ...(order.person === undefined || order.person === order.base ? {} : { person: order.person }),
      order: { contract: { checks, proof, scope }, feature, ...(earlier.length === 0 ? {} : { earlier }) },
      ours: [...ours],
      trees: this.#trees,
      runs: this.#records,
      witnesses: this.#witnesses,
      strength: this.#strength === null ? null : { noticed: this.#strength.noticed, tried: [...this.#strength.tried] },
      judge: {
        changed: changedPaths(sides),
        released: sides.changes.filter(({ path, side }) => side === "judge" && release(path)).map(({ path }) => path),
        moved: sides.moved.map(({ from, to }) => `${from} → ${to}`),
        left: [],
      },
      grade: this.#grade(),
      missing: this.#missing,
      failures: [...this.#failures, ...this.#oldJudge],
      contradiction: this.#contradiction,
      ...(order.decided === undefined ? {} : { decided: order.decided }),
      remarks: [...new Set([...this.#remarks, ...this.#smells()])],
      touched: sides.changes.map(({ path }) => path),
      cost: rooms.cost,
    };
  }

  #grade(): Grade {
    const { order, feature } = this.#case;
    if (this.isRefused || this.#contradiction !== null) return "weak";
    if (order.decided !== undefined) return "reviewed";
    if (this.#missing.length > 0) return "weak";
    if (feature.enough === "review") return "reviewed";
    return this.kind === "docs" ? "reviewed" : "strong";
  }

  /** Added lines that know about tests: a hint for the checker and the report. */
  #smells(): string[] {
    const { sides } = this.#case;
    const found = changedCode(sides).flatMap(({ path }) =>
      smells(path, sides.base.text(path), sides.candidate.text(path)).map(
        ({ line, what }) => `${path}:${line}: ${what}`,
      ),
    );
    return found.slice(0, shownMax);
  }
}

/** Missing tests were already reported with run B. */
const withoutMissing = (b: AsItIs): AsItIs => ({ ...b, missing: [] });
