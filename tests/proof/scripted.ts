// Checks that end as they are told, over trees in memory: what is looked at is what a proof does with them.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CheckOrder, CheckResult } from "../../src/checks/check.ts";
import type { CheckSpec } from "../../src/core/contract.ts";
import { checkpointId, featureId, type TreeId } from "../../src/core/ids.ts";
import type { Ports } from "../../src/runtime/ports.ts";
import type { Proving } from "../../src/runtime/proof/proving.ts";
import type { CheckedTree, Judged } from "../../src/runtime/proof/run-checks.ts";
import type { SealReport } from "../../src/runtime/proof/seal.ts";
import { sealRule } from "../../src/runtime/proof/seal.ts";
import { contractOf, feature } from "../../src/testing/world/contracts.ts";
import type { LaidFile } from "../../src/workspace/workspace.ts";
import { check, scope, tree, workspace } from "./trees.ts";

export type Ending = Partial<CheckResult> & { readonly prints?: string };
type Checkout = { readonly tree: TreeId; readonly bring: readonly string[]; readonly lay?: readonly LaidFile[] };

/** Each command ends as its list says, one after the other; what is not listed passes. */
export class Scripted {
  readonly dir: string = fs.mkdtempSync(join(tmpdir(), "loop-scripted-"));
  readonly orders: CheckOrder[] = [];
  readonly checkouts: Checkout[] = [];
  readonly notes: string[] = [];
  readonly ports: Ports;
  disposed = 0;

  constructor(endings: Readonly<Record<string, readonly Ending[]>> = {}) {
    this.ports = {
      run: "r1",
      workspace: {
        ...workspace,
        scratch: async (_: string, of: TreeId, options: { bring: string[]; lay?: readonly LaidFile[] }) => {
          this.checkouts.push({ tree: of, ...options });
          return { dir: this.dir, tree: of, dispose: async () => void this.disposed++ };
        },
      },
      checks: { run: async (order: CheckOrder) => this.#end(order, endings[order.command] ?? []) },
      files: { path: (path: string) => join(this.dir, path) },
      note: (about: string, text: string) => void this.notes.push(`${about}: ${text}`),
    } as unknown as Ports;
  }

  /** The commands that were run, in order. */
  get ran(): string[] {
    return this.orders.map(({ command }) => command);
  }

  #end(order: CheckOrder, endings: readonly Ending[]): CheckResult {
    const times = this.orders.filter(({ command }) => command === order.command).length;
    this.orders.push(order);
    const { prints = "", ...ending } = endings[times] ?? {};
    fs.mkdirSync(dirname(order.outputFile), { recursive: true });
    fs.writeFileSync(order.outputFile, prints);
    return { ...ended(order.name, "passed"), ...ending };
  }

  remove(): void {
    fs.rmSync(this.dir, { recursive: true, force: true });
  }
}

export const ended = (name: string, how: CheckResult["how"]): CheckResult => ({
  name,
  how,
  exitCode: how === "passed" ? 0 : 1,
  ms: 1,
  tail: "",
  signature: "",
  leftBehind: 0,
});

export const judged = (spec: CheckSpec, how: Judged["how"], more: Partial<Judged> = {}): Judged => ({
  spec,
  how,
  result: ended(spec.name, how === "green" ? "passed" : "failed"),
  ...more,
});

export const where = (change: Partial<CheckedTree> = {}): CheckedTree => ({
  on: "candidate",
  tree: tree({ "src/a.js": "now" }),
  label: "F1-i1",
  ...change,
});

export const untouched: SealReport = {
  lay: [],
  layWithTests: [],
  changed: [],
  deleted: [],
  rewritten: [],
  welcome: [],
  renamed: [],
  steering: [],
  locks: [],
  released: [],
  added: [],
  worn: null,
  wornAfter: null,
};

/** A candidate of F1 that answers for `own` beside every check that must stay green. */
export function proving(
  scripted: Scripted,
  change: Partial<Proving> & { readonly own?: readonly string[] } = {},
): Proving {
  const { own = [], specs = [check()], ...more } = change;
  const base = { checkpoint: checkpointId("i1"), tree: tree({ "src/a.js": "before" }), head: null };
  const of = feature("F1");
  return {
    run: { contract: contractOf([of], { checks: specs }) } as unknown as Proving["run"],
    work: { feature: featureId("F1"), iteration: 1, attempt: 1, stage: "implement", mark: base, base },
    feature: of,
    candidate: tree({ "src/a.js": "now", "test/new.test.js": "new" }),
    label: "F1-i1",
    rule: sealRule({ checks: [check()], scope: scope() }),
    changes: [],
    specs,
    isOwn: (name) => own.includes(name),
    ports: scripted.ports,
    cut: new AbortController().signal,
    ...more,
  };
}
