// What the runs found, turned into failures, missing evidence, questions and a grade. The rules of a proof are all here.
import type { FeatureKind } from "../core/contract.ts";
import { withAllowed } from "../core/proof.ts";
import type { Cause, Grade } from "../core/run.ts";
import type { Case } from "./case.ts";
import { type Evidence, keepEvidence, type RunRecord } from "./evidence.ts";
import {
  changedPaths,
  group,
  kindOf,
  listed,
  permissionHint,
  redCause,
  removesOnly,
  shownMax,
  shownOf,
  tailOf,
  unnoticed,
} from "./finding-parts.ts";
import type { Contradiction, Proved, RunName } from "./prover.ts";
import type { AsItIs } from "./runs/as-it-is.ts";
import type { Canary } from "./runs/canary.ts";
import type { Hidden } from "./runs/hidden.ts";
import type { Hollow } from "./runs/hollow.ts";
import type { Inputs } from "./runs/inputs.ts";
import type { UnderOldJudge } from "./runs/old-judge.ts";
import type { Strength } from "./runs/strength.ts";
import type { Witnesses } from "./runs/witness.ts";
import { endedIn, inWords, isGreen, passed, type Seen } from "./seen.ts";
import { changedCode, changedJudge, isTestOrExpected } from "./sides.ts";
import { smells } from "./source/index.ts";

export class Findings {
  readonly kind: FeatureKind;
  readonly #case: Case;
  readonly #failures: Cause[] = [];
  /** What the old judge has against it; a contradiction sets these aside. */
  #oldJudge: Cause[] = [];
  readonly #missing: string[] = [];
  readonly #remarks: string[] = [];
  readonly #records: RunRecord[] = [];
  #trees: Evidence["trees"] = {};
  #witnesses: readonly string[] = [];
  #strength: Strength | null = null;
  #canary: Canary | null = null;
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

  refuse(...causes: readonly Cause[]): void {
    this.#failures.push(...causes);
  }

  /** Something that only a person can decide keeps a proof from being strong. */
  ask(...questions: readonly string[]): void {
    this.#missing.push(...questions);
  }

  trees(trees: Evidence["trees"]): void {
    this.#trees = { ...this.#trees, ...trees };
  }

  underOldJudge(run: "A" | "U", seen: UnderOldJudge): void {
    if (run === "A") this.#a = seen;
    this.#record(run, seen.seen, new Set(), this.#isReleased() ? `, ${withAllowed}` : "");
    for (const key of seen.flaky) this.#remarks.push(`Flaky, without a vote: ${key}`);
    if (run === "U" && seen.broken.length > 0) this.#refuseOldJudge(seen);
    // What A lost may still turn out to be the tests that the change rewrote.
    if (run === "A" && seen.broken.length > 0 && changedJudge(this.#case.sides).length === 0)
      this.#refuseOldJudge(seen);
  }

  asItIs(b: AsItIs, a: UnderOldJudge): void {
    this.#b = b;
    this.#record("B", b.seen, new Set(b.flaky.map(({ name }) => name)));
    for (const check of b.flaky)
      this.refuse({
        kind: "flaky",
        key: `flaky:${check.name}`,
        text: `${check.name} failed and then passed on the same tree: it is flaky.`,
      });
    for (const { check, seen } of b.red) this.refuse(redCause(check, seen));
    if (b.rewritten.length > 0)
      this.refuse({
        kind: "tampering",
        key: `rewritten:${b.rewritten.join(",").slice(0, 150)}`,
        text: `These tests pass only because they were changed; as they were, they still fail: ${listed(b.rewritten)}`,
      });
    if (b.red.length > 0 || b.flaky.length > 0) return;
    if (a.broken.length > 0 || b.missing.length > 0) this.#refuseOldJudge(a, b.missing);
    this.#greenByChangeAlone(b, a);
    this.#rewritesProduct(b, a);
  }

  /** Without names a red check under the old judge and a green one in the candidate is all there is to see. */
  #greenByChangeAlone(b: AsItIs, a: UnderOldJudge): void {
    for (const check of this.#case.checks) {
      const [old, now] = [a.seen.get(check.name), b.seen.get(check.name)];
      if (old === undefined || now === undefined || now.tests !== null) continue;
      if (a.broken.some((each) => each.check.name === check.name)) continue;
      if (!isGreen(old) && isGreen(now) && changedJudge(this.#case.sides).length > 0)
        this.refuse({
          kind: "tampering",
          key: `turned:${check.name}`,
          text: `${check.name} passes only with the protected files that were changed: ${listed(changedPaths(this.#case))}`,
        });
    }
  }

  #rewritesProduct({ seen }: AsItIs, a: UnderOldJudge): void {
    const { sides } = this.#case;
    const product = new Set(sides.changes.filter(({ side }) => side === "product").map(({ path }) => path));
    for (const [name, { left }] of seen) {
      const before = new Set(a.seen.get(name)?.left ?? []);
      const own = left.filter((path) => !before.has(path) && (product.has(path) || sides.base.has(path)));
      if (own.length > 0)
        this.ask(`Running ${name} changes tracked files, so what it tests is not what is committed: ${listed(own)}`);
    }
  }

  /**
   * Old tests that are lost, and the protected tests and fixtures that the change rewrote or removed. Whether these explain
   * those is seen when they are allowed. Null: the change touched none.
   */
  rewrittenTests(): Contradiction | null {
    const files = changedJudge(this.#case.sides)
      .filter(isTestOrExpected)
      .map(({ path }) => path);
    const broken = this.#a?.broken ?? [];
    if (files.length === 0) return null;
    const tests = [...broken.flatMap(({ lost }) => lost), ...(this.#b?.missing ?? [])];
    return { files, tests: tests.length === 0 ? files : [...new Set(tests)] };
  }

  contradicts(allowed: Findings, contradiction: Contradiction): void {
    this.#records.push(...allowed.#records);
    this.#witnesses = allowed.#witnesses;
    this.#strength = allowed.#strength;
    // What only takes away has no new test, and nothing but the old tests speaks against it.
    const isRemoval = removesOnly(this.#case) && !allowed.isRefused;
    if (allowed.#grade() !== "strong" && !isRemoval) {
      this.#remarks.push(
        `With those tests allowed to change it would be ${allowed.#grade()}: ${allowed.#missing.join(" ")}`,
      );
      return;
    }
    this.#canary = allowed.#canary;
    this.#contradiction = contradiction;
    this.#oldJudge = [];
  }

  /** The old judge is content, and its files were rewritten all the same: one question, when everything else is proved. */
  rewrites(files: readonly string[]): void {
    if (files.length === 0 || this.isRefused) return;
    if (this.#grade() !== "strong") {
      this.#missing.push(`Protected files were rewritten: ${listed(files)}. Put them back, or ask for permission.`);
      return;
    }
    this.#contradiction = { files, tests: this.#testsIn(files) };
  }

  /** The tests of rewritten files by name; a file that has none stands for itself. */
  #testsIn(files: readonly string[]): readonly string[] {
    const names = [...(this.#a?.seen.values() ?? [])].flatMap(({ tests }) => [...(tests ?? [])]);
    return files.flatMap((file) => {
      const own = names.filter(([, test]) => test.file === file).map(([key]) => key);
      return own.length === 0 ? [file] : own;
    });
  }

  witnesses(seen: Witnesses): void {
    const { tests, checks, idle } = seen;
    this.#witnesses = [...tests, ...checks];
    const count = tests.length;
    const text = count > 0 ? `${count} new ${count === 1 ? "test fails" : "tests fail"} without the change` : "";
    this.#records.push(
      group(
        "C",
        count + checks.length > 0 ? "red" : "green",
        text ||
          (checks.length > 0
            ? `${checks.join(", ")} fails without the change`
            : "no new test fails without the change"),
      ),
    );
    if (count + checks.length > 0) return;
    const { sides } = this.#case;
    const isProtected = changedCode(sides).length === 0 && changedJudge(sides).length > 0;
    this.#missing.push(
      isProtected
        ? `Nothing but protected files was changed (${listed(changedPaths(this.#case))}), and the new tests come with them. A person has to look.`
        : idle.length > 0
          ? `The new tests pass without the change as well, so they do not test it: ${listed(idle)}. Write a test that fails on the code as it was.`
          : "No new test fails on the code as it was. Add one that does.",
    );
  }

  readersOfText(tests: readonly string[]): void {
    if (tests.length === 0) return;
    this.#missing.push(
      `These tests fail when a comment is added to the code, so they test its text and not what it does: ${listed(tests)}. Call it, and assert what comes out.`,
    );
  }

  strength(found: Strength): void {
    this.#strength = found;
    const { tried, noticed } = found;
    const wanted = this.#case.order.contract.proof.strength;
    this.#records.push(
      group(
        "D",
        tried.length === 0 ? "not-shown" : noticed > 0 ? "noticed" : "not-noticed",
        `${noticed} of ${tried.length} noticed`,
        { count: noticed, of: tried.length },
      ),
    );
    if (tried.length === 0) {
      this.#missing.push("No part of the change could be taken back to see whether a test notices.");
      return;
    }
    const untested = unnoticed(tried);
    const isEnough = noticed > 0 && noticed / tried.length >= wanted;
    if (isEnough && (untested.length === 0 || wanted === 0)) return;
    const alive = isEnough ? untested : tried.filter((each) => !each.noticed).map(({ what }) => what);
    this.#missing.push(
      `The tests do not notice when parts of the change are taken back (${noticed} of ${tried.length} noticed): ${listed(alive)}. Test what those parts do.`,
    );
  }

  otherAnswers(inputs: readonly string[]): void {
    if (inputs.length === 0) return;
    this.#missing.push(
      `Functions that were there before answer otherwise where no test looks: ${listed(inputs)}. Put the old behaviour back, or test the new one.`,
    );
  }

  oldStrength(found: Strength): void {
    this.#strength = found;
    const { tried, noticed } = found;
    this.#records.push(
      group(
        "D",
        tried.length === 0 ? "not-shown" : noticed > 0 ? "noticed" : "not-noticed",
        `${noticed} of ${tried.length} noticed by the old tests`,
      ),
    );
    // Nothing but the old tests says that behaviour was kept, so they have to know all of it.
    const wanted = this.#case.order.contract.proof.strength === 0 ? 0 : tried.length;
    if (noticed > 0 && noticed >= wanted) return;
    this.#missing.push(
      tried.length === 0
        ? "No changed function could be emptied to see whether the old tests notice."
        : `The old tests do not notice when the changed code is emptied (${noticed} of ${tried.length}): ${listed(tried.filter((each) => !each.noticed).map(({ what }) => what))}. Add tests for it first.`,
    );
  }

  inputs(found: Inputs): void {
    const text =
      found.is === "not-shown" ? "not shown" : found.is === "red" ? "other inputs fail" : "other inputs pass as well";
    this.#records.push(
      group("E", found.is === "red" ? "noticed" : found.is === "green" ? "not-noticed" : "not-shown", text),
    );
    if (found.is === "green")
      this.#missing.push(
        `The new tests pass with other inputs, too (${listed(found.tried)}): the answer does not depend on what goes in. Assert exact results.`,
      );
  }

  hidden(found: Hidden): void {
    const text =
      found.is === "passed"
        ? `${found.tests} passed`
        : found.is === "failed"
          ? `${found.tests.length} failed`
          : `not shown: ${found.why}`;
    this.#records.push(group("H", found.is === "passed" ? "green" : found.is === "failed" ? "red" : "not-shown", text));
    if (found.is === "failed")
      this.#missing.push(
        `Tests that another session wrote from the contract alone fail: ${listed(found.tests)}. Do what the criteria say for every input, not only for those that your tests have.`,
      );
  }

  canary(found: Canary): void {
    this.#canary = found;
    const how = found.is === "red" ? "noticed" : found.is === "green" ? "not-noticed" : "not-shown";
    this.#records.push(
      group(
        "K",
        how,
        found.is === "not-shown"
          ? `not shown: ${found.why}`
          : found.is === "red"
            ? "a wrong expectation fails"
            : "a wrong expectation passes",
      ),
    );
    if (found.is === "green")
      this.refuse({
        kind: "tampering",
        key: "canary",
        text: `An old test that was made wrong on purpose (${found.what}) passes over this change and fails without it: the change turns assertions or reports off.`,
      });
  }

  hollow({ noticed, missed }: Hollow): void {
    this.#records.push(
      group(
        "F",
        noticed.length === 0 ? "not-shown" : missed.length === 0 ? "noticed" : "not-noticed",
        `${noticed.length - missed.length} of ${noticed.length} still noticed`,
      ),
    );
    const changed = changedPaths(this.#case);
    if (missed.length > 0)
      this.refuse({
        kind: "tampering",
        key: `hollow:${missed.join(",").slice(0, 150)}`,
        text: `With the protected files that were changed (${listed(changed)}), tests no longer notice when this is emptied: ${listed(missed)}`,
      });
    else if (noticed.length === 0 && changed.length > 0)
      this.#missing.push(
        `Protected files were changed, and nothing shows that the tests still bite: ${listed(changed)}. A person has to look.`,
      );
  }

  result(): Proved {
    const { order, feature, sides, rooms, files, release } = this.#case;
    this.#kindRules();
    const grade = this.#grade();
    const evidence: Evidence = {
      version: 2,
      feature: feature.id,
      label: order.label,
      kind: this.kind,
      depth: order.contract.proof.depth,
      base: order.base,
      candidate: order.candidate,
      order: {
        contract: { checks: order.contract.checks, proof: order.contract.proof, scope: order.contract.scope },
        feature,
      },
      trees: this.#trees,
      runs: this.#records,
      witnesses: this.#witnesses,
      strength: this.#strength === null ? null : { noticed: this.#strength.noticed, tried: [...this.#strength.tried] },
      judge: {
        changed: changedPaths(this.#case),
        released: sides.changes.filter(({ path, side }) => side === "judge" && release(path)).map(({ path }) => path),
        moved: sides.moved.map(({ from, to }) => `${from} → ${to}`),
        left: [],
      },
      grade,
      missing: this.#missing,
      failures: this.#allFailures(),
      contradiction: this.#contradiction,
      ...(order.decided === undefined ? {} : { decided: order.decided }),
      remarks: [...new Set([...this.#remarks, ...this.#smells()])],
      touched: sides.changes.map(({ path }) => path),
      cost: rooms.cost,
    };
    return {
      cut: this.#case.cut.aborted,
      grade,
      proof: keepEvidence(files, evidence),
      checks: this.#records.map(shownOf),
      failures: this.#allFailures(),
      missing: this.#missing,
      contradiction: this.#contradiction,
      notes: [...new Set(this.#remarks)],
    };
  }

  #allFailures(): readonly Cause[] {
    return [...this.#failures, ...this.#oldJudge];
  }

  /** What each kind requires in addition to the runs. */
  #kindRules(): void {
    const { feature, sides, order } = this.#case;
    if (this.isRefused || order.decided !== undefined) return;
    if (feature.kind === "change" && this.kind === "docs" && feature.enough !== "review")
      this.#missing.push(
        "Only documents were changed. Build what the feature asks for; a feature that is about documents needs kind: docs.",
      );
    if (this.kind === "judge")
      this.#missing.push("This feature is about tests or configuration themselves, which a person decides.");
    const unnamed = this.#case.checks.filter(({ name }) => (this.#a?.seen.get(name) ?? null)?.tests === null);
    const config = changedJudge(sides).filter(({ isTest, path }) => !isTest && !this.#case.release(path));
    if (config.length > 0 && unnamed.length > 0)
      this.#missing.push(
        `Configuration was changed, and ${unnamed.map(({ name }) => name).join(", ")} gives no test names to compare by: ${listed(config.map(({ path }) => path))}. A person has to look.`,
      );
    const isShown = this.#canary?.is === "red";
    const nothing = this.#canary !== null && !isShown && (this.#strength === null || this.#strength.noticed === 0);
    if (nothing) this.#missing.push("Neither an altered expectation nor a piece taken back could be shown to matter.");
    const dark = this.#case.checks.every(({ name }) => (this.#a?.seen.get(name) ?? null)?.tests === null);
    if (
      dark &&
      this.#a !== null &&
      this.kind === "change" &&
      order.contract.proof.depth !== "quick" &&
      !isShown &&
      feature.enough !== "review"
    )
      this.#missing.push(
        "The checks give no test names, and no altered expectation was shown to fail. Name a report (checks[].report), or use a runner that gives one.",
      );
  }

  #grade(): Grade {
    const { order, feature } = this.#case;
    if (this.isRefused || this.#contradiction !== null) return "weak";
    if (order.decided !== undefined) return "reviewed";
    if (this.#missing.length > 0) return "weak";
    if (feature.enough === "review") return "reviewed";
    return this.kind === "docs" ? "reviewed" : "strong";
  }

  #refuseOldJudge({ broken }: UnderOldJudge, missing: readonly string[] = []): void {
    const { sides } = this.#case;
    const changed = changedPaths(this.#case);
    for (const { check, seen, lost } of broken) {
      const isTampering = this.#b !== null && changed.length > 0;
      const tests = lost.length === 0 ? "" : ` These tests passed before: ${listed(lost)}`;
      const why = isTampering
        ? `${check.name} (${check.run}) passes only with the protected files that were changed (${listed(changed)}); with those as they were, it fails.`
        : `${check.name} (${check.run}) fails with the tests and configuration as they were, ${endedIn(seen)}.`;
      const either = sides.changes.filter((change) => change.either).map(({ path }) => path);
      const hint =
        either.length === 0
          ? ""
          : `\nIf these are part of the product, name them under product: in loop.yaml: ${listed(either)}`;
      this.#oldJudge.push({
        kind: isTampering ? "tampering" : "check-red",
        key: `old-judge:${check.name}:${lost.length === 0 ? seen.signature : lost.slice(0, 3).join(",")}`.slice(0, 200),
        text: `${why}${tests}${hint}${isTampering ? permissionHint : ""}\n${tailOf(seen)}`,
      });
    }
    if (missing.length > 0)
      this.#oldJudge.push({
        kind: "tampering",
        key: `gone:${missing.slice(0, 3).join(",")}`.slice(0, 200),
        text: `Tests that passed before are gone, skipped or failing in the change: ${listed(missing)}${permissionHint}`,
      });
  }

  /** Protected files are as the change left them, because that was allowed. */
  #isReleased(): boolean {
    return changedJudge(this.#case.sides).some(({ path }) => this.#case.release(path));
  }

  #record(run: RunName, seen: ReadonlyMap<string, Seen>, flaky: ReadonlySet<string> = new Set(), more = ""): void {
    const commands = new Map(this.#case.checks.map((check) => [check.name, check.run]));
    for (const [check, one] of seen)
      this.#records.push({
        run,
        check,
        command: commands.get(check) ?? "",
        how: flaky.has(check) ? "flaky" : isGreen(one) ? "green" : "red",
        text: `${inWords(one)}${flaky.has(check) ? ", and green a second time" : ""}${more}`,
        output: one.output === "" ? null : one.output,
        ms: one.ms,
        ...(one.tests === null ? {} : { passed: passed(one) }),
      });
    for (const { problem, check, leftBehind } of seen.values()) {
      if (problem !== null) this.#remarks.push(problem);
      if (leftBehind > 0) this.#remarks.push(`${check} left ${leftBehind} processes running; they were ended.`);
    }
  }

  /** Added lines that know about tests: a hint for the checker and the report. */
  #smells(): string[] {
    const { sides } = this.#case;
    return changedCode(sides)
      .flatMap(({ path }) =>
        smells(path, sides.base.text(path), sides.candidate.text(path)).map(
          ({ line, what }) => `${path}:${line}: ${what}`,
        ),
      )
      .slice(0, shownMax);
  }
}
