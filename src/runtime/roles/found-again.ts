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

async function byFile(file: string, line: number | null, { workspace, candidate, base }: Lookup): Promise<Looked> {
  const [, name = file, numbered] = /^(.*?):(\d{1,7})(?::\d+)?$/.exec(file) ?? [];
  const at = line ?? (numbered === undefined ? null : Number(numbered));
  const said = at === null ? short(name) : `${short(name)}:${at}`;
  const paths = await workspace.list(candidate);
  const path = nameOf(name, paths);
  if (path === null) {
    const isOutside = name.startsWith("/") || name.startsWith("~") || made.test(name);
    if (isOutside) return { is: "unverified", text: `${said} (not part of the change)` };
    const wasThere = nameOf(name, await workspace.list(base)) !== null;
    return wasThere
      ? { is: "found", text: `${said} (deleted by the change)` }
      : { is: "false", text: `${said} (there is no such file)` };
  }
  if (at === null) return { is: "found", text: `${said} (found)` };
  const lines = (await workspace.read(candidate, path))?.toString().split("\n").length ?? 0;
  return at <= lines
    ? { is: "found", text: `${said} (found)` }
    : { is: "false", text: `${said} (the file has ${lines} lines)` };
}

/** The path as trees name it; a path inside the evaluator's checkout counts as well. */
function nameOf(name: string, paths: readonly string[]): string | null {
  const path = name.replace(/^(?:\.\/)+/, "");
  if (paths.includes(path)) return path;
  if (!path.startsWith("/")) return null;
  return paths.find((known) => path.endsWith(`/${known}`)) ?? null;
}

const plain = (text: string): string => text.trim().replace(/\s+/g, " ").replace(/^\$ /, "");
const short = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 160);
