// Two trees in memory, compared as the loop compares them.
import type { CheckSpec } from "../../src/core/contract.ts";
import { compareWithSeal, openSeal, type SealReport, type Worn } from "../../src/runtime/proof/seal.ts";
import { Trees } from "../../src/testing/world/trees.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";

export type Files = Readonly<Record<string, string>>;

export const check = (change: Partial<CheckSpec> = {}): CheckSpec => ({
  name: "test",
  run: "npm test",
  must: "stay-green",
  timeoutMs: 1000,
  tests: [],
  setup: null,
  bring: [],
  ...change,
});

export const scope = (mayChange: readonly string[] = []) => ({
  mayTouch: [],
  mustNot: [],
  mayChange,
  include: null,
  exclude: [],
});

const trees = new Trees();
export const tree = (files: Files) => trees.keep(new Map(Object.entries(files)));

export const workspace = {
  read: async (id, path) => {
    const text = trees.get(id).get(path);
    return text === undefined ? null : Buffer.from(text);
  },
  list: async (id) => [...trees.get(id).keys()],
  changes: async (from, to) => trees.changes(from, to),
} as Pick<Workspace, "read" | "list" | "changes"> as Workspace;

/** What the seal says of a change; a file that becomes null is deleted. */
export async function change(
  before: Files,
  after: Readonly<Record<string, string | null>>,
  options: { checks?: readonly CheckSpec[]; mayChange?: readonly string[]; origin?: Files; worn?: Worn | null } = {},
): Promise<SealReport> {
  const now = Object.entries({ ...before, ...after }).filter((entry): entry is [string, string] => entry[1] !== null);
  const [base, candidate] = [tree(before), tree(Object.fromEntries(now))];
  const origin = options.origin === undefined ? base : tree(options.origin);
  const rule = await openSeal(
    workspace,
    { checks: options.checks ?? [check()], scope: scope(options.mayChange) },
    origin,
  );
  return compareWithSeal(workspace, rule, { origin, base, candidate }, options.worn);
}
