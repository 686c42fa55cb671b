// Contracts of every shape: features with dependencies and priorities, limits on and off, stages, autonomy.
import {
  type Contract,
  defaultProofTerms,
  type Feature,
  type FeatureStatus,
  type GateName,
  type IntakeNote,
  type Stage,
} from "../../core/contract.ts";
import { type FeatureId, featureId } from "../../core/ids.ts";
import type { Limits } from "../../core/limits.ts";
import { type Choices, pick } from "./random.ts";

/** Limits that no small run reaches. */
export const looseLimits: Limits = {
  costUsdMax: 100,
  sessionCostUsdMax: 5,
  tokensMax: null,
  sessionsMax: null,
  iterationsMax: 50,
  commitsMax: 50,
  activeMsMax: 24 * 3_600_000,
  reworkMax: 2,
  roundsMax: 3,
  sessionMsMax: 1_800_000,
  silenceMsMax: 300_000,
  checkMsMax: null,
  windowPercentMax: null,
};

/** A minimal contract. */
export function contractOf(features: readonly Feature[], change: Partial<Contract> = {}): Contract {
  return {
    version: 1,
    request: "Make it work.",
    features,
    checks: [],
    limits: looseLimits,
    autonomy: "L2",
    stages: ["implement"],
    scope: { mayTouch: [], mustNot: [], mayChange: [], include: null, exclude: [] },
    recordsDir: "docs",
    onLimit: "wait",
    handoverPercent: 90,
    gates: [],
    fullAutoAnswers: false,
    intake: null,
    followUp: { of: null, depth: 0, depthMax: 3 },
    proof: defaultProofTerms,
    ...change,
  };
}

/** A feature with everything that the change leaves out. */
export function feature(id: string, change: Partial<Feature> = {}): Feature {
  return {
    id: featureId(id),
    name: `Feature ${id}`,
    priority: 1,
    status: "not-started",
    description: "",
    criteria: [`${id} works`],
    dependencies: [],
    checks: [],
    mayTouch: [],
    kind: "change",
    mayChange: [],
    enough: "proof",
    designDoc: null,
    ...change,
  };
}

/** An arbitrary feature. */
export function anyFeature(choose: Choices, id: string, dependencies: readonly FeatureId[]): Feature {
  const criteria = Array.from({ length: 1 + choose.below(4) }, (_, index) => `${id} does ${index}`);
  const status = pick<FeatureStatus>(choose, [
    "not-started",
    "not-started",
    "not-started",
    "needs-rework",
    "in-progress",
    "blocked",
    "complete",
    "existing",
  ]);
  return feature(id, { priority: choose.below(4), status, criteria, dependencies });
}

/** An arbitrary contract. */
export function anyContract(choose: Choices): Contract {
  const count = 1 + choose.below(5);
  const features: Feature[] = [];
  for (let at = 0; at < count; at++) {
    const dependencies = features.map(({ id }) => id).filter(() => choose.below(4) === 3);
    features.push(anyFeature(choose, `F${at}`, dependencies));
  }
  const stages: Stage[] = ["implement"];
  if (choose.below(4) === 3) stages.push("test");
  if (choose.below(4) === 3) stages.push("plan");
  if (choose.below(4) === 3) stages.push("audit");
  const planned = stages.includes("plan") && choose.below(2) === 1;
  return contractOf(planned ? [] : choose.below(2) === 1 ? features.reverse() : features, {
    stages,
    autonomy: pick(choose, ["L2", "L2", "L1", "L3"]),
    gates: pick<GateName[]>(choose, [[], [], ["G1"], ["G2"], ["G3"], ["G1", "G2", "G3"]]),
    fullAutoAnswers: choose.below(4) === 3,
    intake: choose.below(4) === 3 ? riskyIntake : null,
    followUp: { of: null, depth: choose.below(3), depthMax: 2 },
    limits: anyLimits(choose),
    proof: { ...defaultProofTerms, depth: pick(choose, ["standard", "standard", "deep"]) },
  });
}

const riskyIntake: IntakeNote = {
  score: 8,
  shape: "tool",
  workflow: "build",
  rule: "Look first.",
  reversibility: "1",
};

function anyLimits(choose: Choices): Limits {
  return {
    ...looseLimits,
    costUsdMax: pick(choose, [100, 3, 10.5, null]),
    sessionCostUsdMax: pick(choose, [5, 1, 0.7]),
    tokensMax: pick(choose, [null, null, 3000]),
    sessionsMax: pick(choose, [null, 3, 12, 40]),
    iterationsMax: pick(choose, [50, 10, 3, 1, null]),
    commitsMax: pick(choose, [50, 2, 1, null]),
    activeMsMax: pick(choose, [24 * 3_600_000, 300_000, null]),
    reworkMax: choose.below(4),
    roundsMax: 1 + choose.below(3),
  };
}
