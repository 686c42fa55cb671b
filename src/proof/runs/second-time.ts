// Checks that are green in a clean checkout and red in the same folder afterwards: they meet what the first run left.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import { type At, type Case, look } from "../case.ts";
import { isGreen, type Seen } from "../seen.ts";

export type RedTheSecondTime = { readonly check: CheckSpec; readonly left: readonly string[]; readonly tail: string };

const leftBy = ({ left, ignored }: Seen): readonly string[] => [...left, ...(ignored ?? [])];

/** Only where it leaves more than it did before. */
export const secondAfter = (base: Seen | undefined): Required<At>["second"] => ({
  unlessOnly: base === undefined ? [] : leftBy(base),
});

export async function redTheSecondTime(
  c: Case,
  base: ReadonlyMap<string, Seen>,
  trees: readonly { readonly run: "A" | "B"; readonly tree: TreeId; readonly seen: ReadonlyMap<string, Seen> }[],
): Promise<readonly RedTheSecondTime[]> {
  const found: RedTheSecondTime[] = [];
  for (const { run, tree, seen } of trees)
    for (const check of c.checks) {
      const [once, before] = [seen.get(check.name), base.get(check.name)];
      if (once?.second?.isGreen !== false || before === undefined || !isGreen(before)) continue;
      if (found.some((other) => other.check === check)) continue;
      const judge = run === "A" ? "old" : "new";
      const again = await look(c, check, { run, tree, judge, again: 1, second: "always" });
      if (again.second?.isGreen !== false) continue;
      const old = { run: "base", tree: c.sides.base.id, judge: "old", second: "always" } as const;
      if ((await look(c, check, old)).second?.isGreen !== true) continue;
      const known = leftBy(before);
      found.push({ check, left: leftBy(once).filter((path) => !known.includes(path)), tail: again.second.tail });
    }
  return found;
}
