// How large a change may be before a person should review it first, and which files do not belong in one.

import type { Cause } from "../../core/cause.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Change, Workspace } from "../../workspace/workspace.ts";
import { isLockfile } from "../classify/index.ts";
import { allowed, type Touched } from "./scope.ts";

const linesMax = 5000;
const filesMax = 200;
const binaryBytesMax = 1 << 20;
const looksMax = 50;

/** Paths that the contract names have no limit; programs write lockfiles. */
export async function sizeCauses(
  workspace: Pick<Workspace, "read">,
  candidate: TreeId,
  touched: Touched,
): Promise<Cause[]> {
  const { contract, feature, release } = touched;
  const { names } = allowed(contract, feature);
  const counted = touched.changes.filter(
    ({ path, side }) => !names(path) && !release(path) && !isLockfile(path) && side !== "cache",
  );
  const lines = counted.reduce((all, change) => all + change.lines, 0);
  const causes: Cause[] = [];
  if (lines > linesMax || counted.length > filesMax) {
    const largest = counted
      .toSorted((a, b) => b.lines - a.lines)
      .slice(0, 5)
      .map(({ path, lines: own }) => `${path} (${own})`);
    const text = `The change is too large to prove: ${lines} lines in ${counted.length} files (at most ${linesMax} and ${filesMax}). Largest: ${largest.join(", ")}\nIf it has to be, name the paths under scope.may_touch in loop.yaml.`;
    causes.push({ kind: "scope", key: "scope:size", text });
  }
  const blobs: string[] = [];
  for (const change of counted.filter(({ kind, binary }) => kind === "added" && binary).slice(0, looksMax)) {
    const why = await objection(workspace, candidate, change);
    if (why !== null) blobs.push(`${change.path} (${why})`);
  }
  if (blobs.length > 0) {
    const text = `Binary files were added: ${blobs.join(", ")}\nIf they belong there, name them under scope.may_touch in loop.yaml.`;
    causes.push({ kind: "scope", key: `scope:binary:${blobs.join(",").slice(0, 200)}`, text });
  }
  return causes;
}

/** ELF, Windows, Mach-O in both byte orders, Java classes and universal binaries, WebAssembly. */
const programs = ["7f454c46", "4d5a", "cffaedfe", "cefaedfe", "feedface", "feedfacf", "cafebabe", "0061736d"];

async function objection(
  workspace: Pick<Workspace, "read">,
  candidate: TreeId,
  { path }: Change,
): Promise<string | null> {
  const content = await workspace.read(candidate, path);
  if (content === null) return null;
  const head = content.subarray(0, 4).toString("hex");
  if (programs.some((magic) => head.startsWith(magic))) return "a program";
  return content.length > binaryBytesMax ? `${(content.length / (1 << 20)).toFixed(1)} MB` : null;
}
