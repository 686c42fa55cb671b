// Where the written records are. They belong to the loop: no other edit to them counts.
import { autoloopNames } from "../../formats/autoloop-yaml.ts";

const names = ["FEATURES.json", "LOOP.md", "PROGRESS.md", "loop-run-log.md", "loop-budget.md"] as const;

export type RecordName = (typeof names)[number];
export const recordPath = (recordsDir: string, name: RecordName): string => `${recordsDir}/${name}`;
export const recordPaths = (recordsDir: string): string[] => names.map((name) => recordPath(recordsDir, name));
export const featuresPath = (recordsDir: string): string => recordPath(recordsDir, "FEATURES.json");
export const isQueue = (path: string): boolean => path.endsWith("/FEATURES.json");
/** The text that statuses are written into; kept in the vault, since anyone can edit the workspace's copy. */
export const featuresSource = "features.json";
/** Inputs that only a person may change. */
export const shapePath = ".loop/shape/SHAPE.md";
export const inputPaths: readonly string[] = ["loop.yaml", ...autoloopNames, shapePath];
/** SHAPE.md as it was when the run began; in the vault, for the final audit. */
export const shapeSource = "shape.md";
/** Everything that is never part of a feature: the loop's own files, and its inputs. */
export const notWork = (recordsDir: string): Set<string> => new Set([...recordPaths(recordsDir), ...inputPaths]);
