// What a person's files say about a run, without flags: kept when it begins, so that a later change can be detected.
import type { Limits } from "../../core/limits.ts";
import type { Network, Sandbox, Settings } from "../../formats/config/settings.ts";
import { configuredFile } from "../../formats/kept/run-files.ts";
import type { RunFiles } from "../../runtime/ports.ts";
import { detectChecks } from "../checks/detect.ts";
import { agree, type Inputs, shapeCriteria } from "./contract-inputs.ts";

export type Configured = {
  readonly version: 2;
  readonly limits: Limits;
  readonly agents: Settings["agents"];
  readonly env: readonly string[];
  /** Runs of earlier versions have none. */
  readonly sandbox?: Sandbox;
  readonly network?: Network | null;
  readonly diskGb?: number;
  /** Settings that can no longer change for a run, by the names that people know. */
  readonly frozen: Readonly<Record<string, unknown>>;
};

/** Throws if the files are invalid. Ceilings are checked by the code that applies a change. */
export function configuredBy(root: string, inputs: Inputs): Configured {
  const withoutFlags = { ...inputs, layers: { ...inputs.layers, flags: {} } };
  const { settings } = agree(withoutFlags, null, true);
  const { limits, agents, env, sandbox, network, diskGb, scope, checks, ...others } = settings;
  const says = inputs.loopMd?.says;
  const frozen: Configured["frozen"] = {
    goal: says?.goal ?? null,
    checks: checks ?? detectChecks(root),
    "scope.may_touch": scope.mayTouch,
    "scope.may_change": scope.mayChange,
    must_not: scope.mustNot,
    "scope.features": scope.features,
    "scope of LOOP.md": scopeIn(says),
    "criteria of SHAPE.md": shapeCriteria(inputs),
    autonomy: others.autonomy,
    stages: others.stages,
    continuation: others.continuation,
    records_dir: others.recordsDir,
    sandbox,
    network,
    "limits.disk_gb": diskGb,
    on_limit: others.onLimit,
    context: others.context,
    notify: others.notify,
    product: others.proof.product,
    setup: others.proof.setup,
    build: others.proof.build,
    room: others.proof.room,
    proof: { depth: others.proof.depth, strength: others.proof.strength },
    allow: others.proof.allow,
  };
  return { version: 2, limits, agents, env, sandbox, network, diskGb, frozen };
}

/** A contract that names no features is as good as none: the loop writes such a one itself. */
function scopeIn(says: NonNullable<Inputs["loopMd"]>["says"] | undefined): unknown {
  if (says === undefined || (says.include === null && says.exclude.length === 0)) return null;
  return { include: says.include, exclude: says.exclude };
}

const file = "configured.json";

export function keepConfigured(files: RunFiles, configured: Configured): void {
  files.write(file, `${JSON.stringify(configured, null, 2)}\n`);
}

/** Null: changes cannot be detected. What an earlier version kept has a different shape, is missing, or is damaged. */
export function readConfigured(files: RunFiles): Configured | null {
  const text = files.read(file);
  return text === null ? null : configuredFile.parseIfPossible<Configured>(text);
}
