// What a run was begun with, kept next to its journal: the contract, the agents, and the version.

import { type Contract, defaultProofTerms } from "../core/contract.ts";
import { Bug } from "../core/errors.ts";
import type { TaskId } from "../core/ids.ts";
import type { NotifySettings, Settings } from "../formats/config/settings.ts";
import { planFile as kept } from "../formats/kept/run-files.ts";
import { sha256 } from "../formats/text/sha256.ts";
import type { Prd } from "../project/queue/prd.ts";
import type { RunFiles } from "../runtime/ports.ts";

export type Plan = {
  /** 1: begun by the first version, whose effects had no keys. It can be viewed, but not driven. */
  readonly version: 1 | 2;
  readonly task: TaskId;
  readonly contract: Contract;
  readonly agents: Settings["agents"];
  readonly env: readonly string[];
  /** Omitted by earlier versions, which sent no notifications. */
  readonly notify?: NotifySettings;
  readonly kind: "git" | "plain";
  /** A usage limit ends the command instead of being waited for. */
  readonly stopAtLimit: boolean;
  /** Its features were made from the request: an amended request makes different features. */
  readonly isDrafted?: boolean;
  readonly prd?: Prd;
  /** The name of the worktree that it works in; left out: the person's folder. */
  readonly worktree?: string;
};

const planFile = "plan.json";

/** Returns the hash that goes into the journal's first event. */
export function writePlan(files: RunFiles, plan: Plan): string {
  const text = `${JSON.stringify(plan, null, 2)}\n`;
  files.write(planFile, text);
  return sha256(text);
}

export function readPlan(files: RunFiles): { plan: Plan; hash: string } {
  const text = files.read(planFile);
  if (text === null) throw new Bug(`the run has no ${planFile}`);
  const plan = kept.mustParse<Plan>(text, files.path(planFile));
  return { plan: { ...plan, contract: asToday(plan.contract) }, hash: sha256(text) };
}

/** Converts a contract written by an earlier version: fields it did not have get the values that applied then. */
export function asToday(contract: Contract): Contract {
  const before = {
    gates: contract.autonomy === "L1" ? (["G2"] as const) : [],
    fullAutoAnswers: false,
    intake: null,
    followUp: { of: null, depth: 0, depthMax: 0 },
    proof: defaultProofTerms,
  };
  return {
    ...before,
    ...contract,
    // With keys in today's order: the agreed features and the file's are compared as text.
    features: contract.features.map((feature) => ({
      ...feature,
      kind: feature.kind ?? "change",
      mayChange: feature.mayChange ?? contract.scope.mayChange,
      enough: feature.enough ?? "proof",
    })),
    limits: {
      ...contract.limits,
      roundsMax: contract.limits.roundsMax ?? 3,
      checkMsMax: contract.limits.checkMsMax ?? null,
    },
  };
}
