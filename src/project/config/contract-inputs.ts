// What people wrote down before a run begins: flags, loop.yaml, docs/LOOP.md and SHAPE.md. The most specific one wins,
// and the origin of each value is kept, so that it can be shown.

import { type LoopYaml, mergeLoopYaml } from "../../formats/config/loop-yaml.ts";
import { checkCeilings, type Settings, settle } from "../../formats/config/settings.ts";
import { forbidden, isProhibition, type LoopMd } from "../../formats/contract/loop-md.ts";
import { type PersonsLoopMd, readPersonsLoopMd } from "../../formats/contract/loop-md-mark.ts";
import { readShapeMd, type ShapeMd } from "../../formats/contract/shape-md.ts";
import { type Caps, capsInBudget, lowest, type WrittenCaps } from "../../formats/contract/written-caps.ts";
import { untestable } from "../../proof/rules/must-not.ts";
import { guardedPaths, recordPath, shapePath } from "../../runtime/records/paths.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { runDir, runFiles } from "../runs/home.ts";
import { listRuns } from "../runs/list-runs.ts";
import { isWord, noticesOf, refuseContradictions, refuseNotText, refuseWrongCaps } from "./contract-problems.ts";
import { type Reader, readConfiguration } from "./read-once.ts";
import { type Layers, readLayers } from "./settings.ts";

export type Inputs = {
  readonly layers: Layers;
  readonly recordsDir: string;
  readonly loopMd: LoopMdFile | null;
  readonly shape: { readonly text: string; readonly says: ShapeMd } | null;
  readonly budget: BudgetFile | null;
};

/** `says` is what a person wrote into it: caps of an earlier run say nothing. */
export type BudgetFile = { readonly path: string; readonly says: WrittenCaps };

/** `says` is what a person wrote: a draft of an earlier run says nothing. */
export type LoopMdFile = { readonly path: string; readonly text: string; readonly says: PersonsLoopMd };

/** Where each value came from, in words that a person knows. */
export type Origins = Readonly<Record<"autonomy" | "include" | "exclude" | "checks" | "agents" | "limits", string>> & {
  readonly mustNot: readonly string[];
};
export type Agreed = { readonly settings: Settings; readonly from: Origins; readonly notices: readonly string[] };

/** Writes nothing. `configuration` is the workspace's. */
export function readInputs(
  root: string,
  disk: Reader,
  flags: LoopYaml,
  configuration = readConfiguration(root, disk),
): Inputs {
  const layers = readLayers(configuration, flags, disk);
  const recordsDir = settle(mergeLoopYaml(layers.user, layers.workspace, flags)).recordsDir;
  refuseNotText(
    root,
    guardedPaths(recordsDir).filter((guarded) => disk.read(guarded)?.includes("\ufffd") === true),
  );
  const path = recordPath(recordsDir, "LOOP.md");
  const text = disk.read(path);
  const shapeText = disk.read(shapePath);
  const budgetPath = recordPath(recordsDir, "loop-budget.md");
  const budget = disk.read(budgetPath);
  return {
    layers,
    recordsDir,
    loopMd: text === null ? null : { path, text, says: readPersonsLoopMd(text) },
    shape: shapeText === null ? null : { text: shapeText, says: readShapeMd(shapeText) },
    budget: budget === null ? null : { path: budgetPath, says: capsInBudget(budget) },
  };
}

/** The inputs as they will be once the loop has written a contract, for a project that has none. */
export function withDraft(inputs: Inputs, draft: () => string): Inputs {
  if (inputs.loopMd !== null) return inputs;
  const text = draft();
  return { ...inputs, loopMd: { path: recordPath(inputs.recordsDir, "LOOP.md"), text, says: readPersonsLoopMd(text) } };
}

/** The criteria of SHAPE.md, each with its required verification, if stated. */
export const shapeCriteria = ({ shape }: Inputs): string[] =>
  (shape?.says.criteria ?? []).map(({ text, verification }) =>
    verification === null ? text : `${text} (verified by ${verification})`,
  );

/**
 * The goal as context for a different request; a goal that was itself the request of an earlier run says nothing about
 * this one.
 */
export function goalAsContext(root: string, { loopMd }: Inputs, request: string | null): string | null {
  const goal = loopMd?.says.goal ?? null;
  if (loopMd === null || goal === null || request === null || same(goal, request)) return null;
  const vault = vaultDirFor(root);
  const isOld = listRuns(root).some((run) =>
    same(runFiles(runDir(vault, run)).read("request.md")?.replace(/\r\n?/g, "\n") ?? "", goal),
  );
  return isOld ? null : `For context, the goal of the contract in ${loopMd.path}:\n${goal}`;
}

/**
 * Merges the inputs. `queue` has the ids that a scope can name; null if the work is a feature made from the request,
 * which LOOP.md cannot have meant, so that its scope is ignored.
 */
export function agree(inputs: Inputs, queue: readonly string[] | null, yesReally: boolean): Agreed {
  const { layers, loopMd, shape } = inputs;
  if (loopMd !== null) refuseContradictions(loopMd, queue);
  const said = loopMd === null ? {} : yamlOf(loopMd.says, queue);
  refuseWrongCaps(inputs);
  const { user, workspace, flags } = layers;
  const files = withCaps(workspace, capsSaid(inputs));
  const settled = settle(mergeLoopYaml(mergeLoopYaml(user, said, {}), files, flags));
  checkCeilings(settled.limits, yesReally);
  const mustNots = [
    ...settled.scope.mustNot.map((text) => ({
      text: forbidden(text),
      from: configured(layers, (yaml) => yaml.scope?.must_not),
    })),
    ...(loopMd?.says.notes ?? [])
      .filter(isProhibition)
      .map((text) => ({ text: forbidden(text), from: loopMd?.path ?? "" })),
    // A condition, in the words of its document: "no message is shown" is what must not become true. Only where a rule
    // knows that the negation forbids, as in "no new dependency", it is left out as in the others.
    ...(shape?.says.mustNot ?? []).map((text) => ({
      text: untestable([text]).length === 0 ? forbidden(text) : text,
      from: shapePath,
    })),
  ].filter(({ text }, at, all) => all.findIndex((other) => same(forbidden(other.text), forbidden(text))) === at);
  const from = (key: (yaml: LoopYaml) => unknown) => originOf(layers, said, loopMd?.path ?? "", key);
  const autonomyFrom = from((yaml) => yaml.autonomy);
  // A contract that names no level was written for a person who looks after each iteration.
  const isUnsaid = loopMd !== null && !loopMd.says.drafted.includes("autonomy") && autonomyFrom === "default";
  return {
    settings: {
      ...settled,
      ...(isUnsaid ? { autonomy: "L1" } : {}),
      scope: { ...settled.scope, mustNot: mustNots.map(({ text }) => text) },
    },
    from: {
      autonomy: isUnsaid ? `${loopMd.path}, which names no level` : autonomyFrom,
      include: from((yaml) => yaml.scope?.features?.include),
      exclude: from((yaml) => yaml.scope?.features?.exclude),
      checks: from((yaml) => yaml.checks),
      agents: from((yaml) => yaml.agents?.maker),
      limits: limitsFrom(inputs, files),
      mustNot: mustNots.map((each) => each.from),
    },
    notices: noticesOf(inputs, queue, settled.checks),
  };
}

type Said = { readonly path: string; readonly caps: Caps };

const capsSaid = ({ loopMd, budget }: Inputs): Said[] => [
  ...(loopMd === null ? [] : [{ path: loopMd.path, caps: loopMd.says.limits.caps }]),
  ...(budget === null ? [] : [{ path: budget.path, caps: budget.says.caps }]),
];

/** A cap that is lower in one of the workspace's files was lowered by somebody who wants it to hold. */
function withCaps(workspace: LoopYaml, said: readonly Said[]): LoopYaml {
  const least = Object.entries(lowest(said.map(({ caps }) => caps))).map(([key, value]) => {
    const other = workspace.limits?.[key as keyof Caps];
    return [key, other == null ? value : Math.min(value, other)];
  });
  return least.length === 0
    ? workspace
    : { ...workspace, limits: { ...workspace.limits, ...Object.fromEntries(least) } };
}

/** The most specific source, and the files whose caps hold. */
function limitsFrom(inputs: Inputs, { limits }: LoopYaml): string {
  const { layers } = inputs;
  const most = originOf(layers, {}, "", ({ limits: given }) =>
    Object.keys(given ?? {}).length === 0 ? undefined : given,
  );
  const holding = capsSaid(inputs).filter(({ caps }) =>
    (Object.keys(caps) as (keyof Caps)[]).some(
      (key) => layers.flags.limits?.[key] === undefined && limits?.[key] === caps[key],
    ),
  );
  return [...(most === "default" && holding.length > 0 ? [] : [most]), ...holding.map(({ path }) => path)].join(", ");
}

const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

/** LOOP.md in the terms of loop.yaml. */
function yamlOf({ autonomy, include, exclude }: LoopMd, queue: readonly string[] | null): LoopYaml {
  const features = {
    ...(include === null ? {} : { include: [...include] }),
    ...(exclude.length === 0 ? {} : { exclude: exclude.filter((id) => !isWord(id)) }),
  };
  return {
    ...(autonomy === null ? {} : { autonomy }),
    ...(queue === null || Object.keys(features).length === 0 ? {} : { scope: { features } }),
  };
}

function originOf(layers: Layers, said: LoopYaml, path: string, key: (yaml: LoopYaml) => unknown): string {
  if (key(layers.flags) !== undefined) return "command line";
  if (key(layers.workspace) !== undefined) return layers.workspaceFile;
  if (key(said) !== undefined) return path;
  return key(layers.user) === undefined ? "default" : layers.userFile;
}

const configured = (layers: Layers, key: (yaml: LoopYaml) => unknown): string => originOf(layers, {}, "", key);
