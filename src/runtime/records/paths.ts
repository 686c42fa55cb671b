// Where the written records are. They belong to the loop: no other edit to them counts.
import { autoloopNames } from "../../formats/config/autoloop-yaml.ts";

/** Where the records are in a repository that keeps none: below .loop, which git ignores. */
export const ownRecordsDir = ".loop/records";
/** Where they are if the repository has the contract or the queue there. */
export const keptRecordsDir = "docs";

const names = ["FEATURES.json", "LOOP.md", "PROGRESS.md", "loop-run-log.md", "loop-budget.md"] as const;

export type RecordName = (typeof names)[number];
export const recordPath = (recordsDir: string, name: RecordName): string => `${recordsDir}/${name}`;
export const recordPaths = (recordsDir: string): string[] => names.map((name) => recordPath(recordsDir, name));
export const featuresPath = (recordsDir: string): string => recordPath(recordsDir, "FEATURES.json");
/** Without a folder: of a run that keeps its records anywhere. */
export const isQueue = (path: string, recordsDir?: string): boolean =>
  recordsDir === undefined ? path.endsWith("/FEATURES.json") : path === featuresPath(recordsDir);
/** The text that statuses are written into; kept in the vault, since anyone can edit the workspace's copy. */
export const featuresSource = "features.json";
/** For agents and stop hooks to read. */
export const statePath = ".loop/state.json";
/** That of another loop, as it was when the run began; in the vault. */
export const othersState = "before/state.json";
/** Inputs that only a person may change. */
export const shapePath = ".loop/shape/SHAPE.md";
export const inputPaths: readonly string[] = ["loop.yaml", ...autoloopNames, shapePath];
/** A contract, a queue or a budget of the repository's own would count from the next run on, so only a person may add one. */
const addedByPeople: readonly string[] = (["LOOP.md", "FEATURES.json", "loop-budget.md"] as const).map((name) =>
  recordPath(keptRecordsDir, name),
);
/** Where a person would write the queue, if there is none yet. */
export const personsQueue = (path: string): string =>
  path === featuresPath(ownRecordsDir) ? featuresPath(keptRecordsDir) : path;
export const isInIgnored = (recordsDir: string): boolean => recordsDir === ownRecordsDir;
/** The files that the loop writes, and those that configure it. */
export const guardedPaths = (recordsDir: string): string[] => [
  ...recordPaths(recordsDir),
  ...inputPaths,
  ...(isInIgnored(recordsDir) ? addedByPeople : []),
];
/** SHAPE.md as it was when the run began; in the vault, for the final audit. */
export const shapeSource = "shape.md";
/** Everything that is never part of a feature: the loop's own files, and its inputs. */
export const notWork = (recordsDir: string): Set<string> => new Set([...guardedPaths(recordsDir), statePath]);
