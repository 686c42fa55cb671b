// Looks up the evidence that an evaluator names: a file and line in the judged tree, or a check that the loop ran
// itself.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import type { RunShown } from "../../core/proof.ts";
import type { Evidence } from "../../formats/reply/reply.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** found: the claim is true. unverified: the loop cannot tell. false: the claim is wrong. */
export type Looked = { readonly is: "found" | "unverified" | "false"; readonly text: string };

export type Lookup = {
  readonly workspace: Pick<Workspace, "list" | "read">;
  readonly candidate: TreeId;
  readonly base: TreeId;
  readonly checks: readonly CheckSpec[];
  readonly seen: readonly RunShown[];
  /** Where the evaluator saw the tree: absolute paths in its reply may begin with one of these. */
  readonly folders: readonly string[];
};

export async function lookUp(evidence: Evidence, lookup: Lookup): Promise<Looked> {
  if ("command" in evidence) return byCommand(evidence.command, lookup);
  if ("file" in evidence) return byFile(evidence.file, evidence.line, lookup);
  return { is: "unverified", text: `${short(evidence.note)} (words only)` };
}

/** Commands that an evaluator writes are never run. A check of the contract was already run. */
function byCommand(command: string, { checks, seen }: Lookup): Looked {
  const said = plain(command);
  const check = checks.find(({ name, run }) => said === plain(run) || said === name);
  if (check === undefined)
    return { is: "unverified", text: `${short(command)} (not a check of the contract: not run again)` };
  // The evaluator's checkout is the change as it would be committed. The old tests may be red if some of them may
  // change.
  const of = (wanted: RunShown["run"]): RunShown[] =>
    seen.filter(({ run, check: name }) => name === check.name && run === wanted);
  const runs = of("B").length > 0 ? of("B") : of("A");
  const red = runs.find(({ outcome }) => outcome !== undefined && outcome !== "green");
  // It may be red because of other features, so the verdict's claim is neither confirmed nor false.
  if (red !== undefined && check.must === "turn-green")
    return { is: "unverified", text: `${short(command)} (it has yet to turn green)` };
  if (red !== undefined) return { is: "false", text: `${short(command)} (the loop saw it ${red.outcome})` };
  if (runs.length === 0) return { is: "unverified", text: `${short(command)} (the loop did not run it)` };
  return { is: "found", text: `${short(command)} (the loop saw it green)` };
}

/** Output of a build or an install is in no tree. */
const made =
  /^(?:node_modules|dist|build|out|target|coverage|tmp|\.venv|venv|\.next|\.cache|vendor|_build|__pycache__)(?:\/|$)/;

async function byFile(file: string, line: number | null, lookup: Lookup): Promise<Looked> {
  const { workspace, candidate, base, folders } = lookup;
  const [, given = file, numbered] = /^(.*?):(\d{1,7})(?::\d+)?$/.exec(file) ?? [];
  const at = line ?? (numbered === undefined ? null : Number(numbered));
  const said = at === null ? short(given) : `${short(given)}:${at}`;
  const name = inFolder(given, folders);
  const path = nameOf(name, await workspace.list(candidate));
  const isElsewhere = name.startsWith("/") || name.startsWith("~");
  if (path === null) {
    if (isElsewhere || made.test(name)) return { is: "unverified", text: `${said} (not part of the change)` };
    const wasThere = nameOf(name, await workspace.list(base)) !== null;
    return wasThere
      ? { is: "found", text: `${said} (deleted by the change)` }
      : { is: "false", text: `${said} (there is no such file)` };
  }
  if (at === null) return { is: "found", text: `${said} (found)` };
  const lines = linesIn((await workspace.read(candidate, path))?.toString() ?? "");
  if (at <= lines) return { is: "found", text: `${said} (found)` };
  // Another file of that name may be meant.
  if (isElsewhere) return { is: "unverified", text: `${said} (not a line of ${path})` };
  return { is: "false", text: `${said} (the file has ${lines} ${lines === 1 ? "line" : "lines"})` };
}

/** A path in a folder where the evaluator saw the tree, as trees name it. */
function inFolder(name: string, folders: readonly string[]): string {
  const folder = folders.find((each) => name.startsWith(`${each}/`));
  return (folder === undefined ? name : name.slice(folder.length + 1)).replace(/^(?:\.\/)+/, "");
}

/** A path in a folder that is gone by now, such as an earlier checkout's, means the file that has most of it. */
function nameOf(path: string, paths: readonly string[]): string | null {
  if (paths.includes(path)) return path;
  if (!path.startsWith("/")) return null;
  const fitting = paths.filter((known) => path.endsWith(`/${known}`));
  return fitting.reduce<string | null>((best, each) => (each.length > (best?.length ?? 0) ? each : best), null);
}

/** A newline ends a line, and begins none. An empty file is shown with one. */
const linesIn = (text: string): number => Math.max(1, text.replace(/\n$/, "").split("\n").length);

const plain = (text: string): string => text.trim().replace(/\s+/g, " ").replace(/^\$ /, "");
const short = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 160);
