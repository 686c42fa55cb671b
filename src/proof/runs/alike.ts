// Two products that no test tells apart: the candidate, and the candidate with an old line put back. When their functions give
// the same answers for some 200 variants of each call, too, the line was only written in another way. A program, or what
// reaches the disk, cannot be asked so often: there, a test has to notice.
import type { TreeId } from "../../core/ids.ts";
import type { Case } from "../case.ts";
import { bodies, type Mutant } from "../source/index.ts";
import { everything } from "./answers/meant.ts";
import { compareAnswers } from "./side-by-side.ts";

export async function isAlike(c: Case, tree: TreeId, mutated: TreeId, mutant: Mutant): Promise<boolean> {
  const { changed, compared } = await compareAnswers(withMutantAsBase(c, mutated, mutant), tree, everything);
  return changed.length === 0 && functionsWith(c, mutant).some((name) => compared.includes(name));
}

/** The functions that the line is in. */
function functionsWith({ sides: { candidate } }: Case, { path, text }: Mutant): readonly string[] {
  const [was, is] = [text ?? "", candidate.text(path) ?? ""];
  const from = [...was].findIndex((char, at) => char !== is[at]);
  return bodies(path, was).flatMap((body) => (body.from <= from && from <= body.to ? [body.name] : []));
}

/** The case of a change that only writes this line in another way. */
function withMutantAsBase(c: Case, mutated: TreeId, { path, text }: Mutant): Case {
  const { candidate, changes } = c.sides;
  const base = { ...candidate, id: mutated, text: (of: string) => (of === path ? text : candidate.text(of)) };
  const own = changes
    .filter((change) => change.path === path)
    .map((change) => ({ ...change, kind: "modified" as const }));
  return { ...c, sides: { ...c.sides, base, changes: own } };
}
