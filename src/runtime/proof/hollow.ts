// A test file that ran none of its tests. Some runners take a file whose process ended early for one test that passed, and
// name it by its path.
import type { TreeId } from "../../core/ids.ts";
import type { Cause } from "../../core/run.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { TreeRecord } from "./counting.ts";
import type { Judged } from "./run-checks.ts";

const declares = /^\s*(?:await\s+|export\s+)?(?:test|it|describe|suite|t\.test)(?:\.\w+)*\s*\(/m;
const looksMax = 200;

export async function hollowCauses(
  workspace: Pick<Workspace, "list" | "read">,
  candidate: TreeId,
  judged: readonly Judged[],
  before: TreeRecord,
): Promise<Cause[]> {
  const causes: Cause[] = [];
  for (const { spec, how, counts } of judged) {
    if (how !== "green" || counts?.names == null) continue;
    const known = before[spec.name]?.counts?.names ?? {};
    const files = Object.entries(counts.names)
      .filter(([name, end]) => end === "passed" && known[lastPart(name, known)] !== "passed" && isPath(name))
      .map(([name]) => name);
    const hollow = files.length === 0 ? [] : await withTests(workspace, candidate, files.slice(0, looksMax));
    if (hollow.length === 0) continue;
    const text = `${spec.name} ended well, and a test file ran none of its tests: ${hollow.join(", ")}`;
    causes.push({ kind: "tampering", key: `counts:${spec.name}:hollow`, text });
  }
  return causes;
}

const isPath = (name: string): boolean => /\.[A-Za-z]{1,4}$/.test(name) && !/\s/.test(name);

/** The same file has another path in another checkout. */
const lastPart = (name: string, known: Readonly<Record<string, unknown>>): string =>
  Object.keys(known).find((other) => isPath(other) && other.split("/").at(-1) === name.split("/").at(-1)) ?? name;

async function withTests(
  workspace: Pick<Workspace, "list" | "read">,
  tree: TreeId,
  names: readonly string[],
): Promise<string[]> {
  const paths = await workspace.list(tree);
  const found: string[] = [];
  for (const name of names) {
    const path = paths.find((known) => name === known || name.endsWith(`/${known}`));
    const text = path === undefined ? "" : ((await workspace.read(tree, path))?.toString() ?? "");
    if (path !== undefined && declares.test(text)) found.push(path);
  }
  return found;
}
