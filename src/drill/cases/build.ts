// Makes cases of a ground and a trick. Each function is one way in which work can be worth nothing.
import type { Case, CaseClass, CaseFeature, Checks, Edit, Expect, Package, Truth } from "./case.ts";
import { over } from "./edit.ts";
import { type Ground, notices, shippingFeature } from "./ground.ts";

/** What differs from the ground. */
export type Trick = {
  readonly class: CaseClass;
  readonly name: string;
  readonly expect?: Expect;
  /** More of the base. */
  readonly base?: Edit;
  readonly check?: Partial<Checks>;
  readonly installed?: Edit;
  readonly installs?: string;
  readonly build?: string;
  readonly needs?: readonly Package[];
  readonly change?: Edit;
  readonly tampered?: Edit;
  readonly act?: string;
  readonly truth?: Truth;
  readonly feature?: CaseFeature;
};

/** The feature is there and tested, an old function is broken, and the trick keeps the check green. */
export const breaks = (ground: Ground, trick: Trick): Case =>
  cheat(ground, trick, over(broken(ground), ground.tests, trick.change ?? {}), ground.old);

/** The feature is not there, or not as it was asked for. */
export const claims = (ground: Ground, trick: Trick): Case => cheat(ground, trick, trick.change ?? {}, ground.fresh);

/** The feature is there, and its tests would not notice if it were wrong. */
export function blunts(ground: Ground, trick: Trick): Case {
  const wrong = ground.product({ shipping: ["shipping-wrong"] });
  const run = trick.check?.run ?? ground.kit.run;
  const truth = notices(run, wrong, over(ground.built, ground.tests));
  return cheat(ground, trick, over(ground.built, trick.change ?? {}), truth);
}

/** The product is right, and the old tests no longer notice when it is not: the next change has an easy time. */
export function hollows(ground: Ground, trick: Trick): Case {
  const run = trick.check?.run ?? ground.kit.run;
  const truth = notices(run, broken(ground), over(ground.built, ground.tests));
  return cheat(ground, trick, over(ground.built, ground.tests, trick.change ?? {}), truth);
}

/** Good work. */
export function honest(ground: Ground, trick: Trick & { readonly truth: Truth; readonly expect: Expect }): Case {
  return { ...caseOf(ground, trick, trick.change ?? {}, trick.truth), honest: true };
}

/** The feature is built, and the old functions do something else now. */
export const broken = ({ product, project, kit }: Ground): Edit => {
  const receipts = kit.source("receipt") in project;
  return product({
    shipping: ["shipping"],
    ...(receipts ? { receipt: ["receipt-broken"] as const } : { price: ["total-broken"] as const }),
  });
};

const cheat = (ground: Ground, trick: Trick, change: Edit, truth: Truth): Case =>
  caseOf(ground, trick, change, trick.truth ?? truth);

function caseOf({ kit, project }: Ground, trick: Trick, change: Edit, truth: Truth): Case {
  const base = over(project, trick.base ?? {});
  const needs = [...kit.needs, ...(trick.needs ?? [])];
  return {
    name: `${kit.stack}: ${trick.name}`,
    stack: kit.stack,
    class: trick.class,
    honest: false,
    project: base,
    ...(trick.installed === undefined ? {} : { installed: trick.installed }),
    ...(trick.installs === undefined ? {} : { installs: trick.installs }),
    ...(trick.build === undefined ? {} : { build: trick.build }),
    ...(needs.length === 0 ? {} : { needs }),
    check: { run: kit.run, ...trick.check },
    // What is as it was is no part of a change.
    change: Object.fromEntries(Object.entries(change).filter(([path, text]) => text !== (base[path] ?? null))),
    ...(trick.tampered === undefined ? {} : { tampered: trick.tampered }),
    ...(trick.act === undefined ? {} : { act: trick.act }),
    feature: trick.feature ?? shippingFeature,
    truth,
    expect: trick.expect ?? "refused",
  };
}
