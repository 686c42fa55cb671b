// What waits for a person, with what an answer has to name and the change that it is about.
import { gateOf } from "../../core/gates.ts";
import { heldIn } from "../../engines/held-work.ts";
import type { Waiting as Found } from "../../engines/waiting.ts";
import { questionOf } from "../../engines/waiting.ts";
import type { Overview } from "../../report/overview.ts";
import type { Diff, Place, Waiting } from "../../report/page/view.ts";
import { heldBranch } from "../../report/words/held-branch.ts";
import { addressedTo } from "../../report/words/left.ts";
import { changeBetween } from "../../workspace/git/repository/show-change.ts";

const diffsMax = 64;

/** The change between two objects never changes. */
export class Diffs {
  readonly #known = new Map<string, Diff>();

  async of(root: string, { from, to, key: about }: Range): Promise<Diff | null> {
    const key = `${root} ${about}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = await changeBetween(root, from, to);
    if (found === null) return null;
    if (this.#known.size >= diffsMax) this.#known.delete(this.#known.keys().next().value ?? "");
    this.#known.set(key, found);
    return found;
  }
}

export async function waitingItem(place: Place, words: Found, overview: Overview, diffs: Diffs): Promise<Waiting> {
  const { runId, run, isLatest: _, ...about } = words;
  const held = heldIn(run, words.about);
  const gate = words.kind === "gate" ? gateOf(run) : null;
  const range =
    gate !== null
      ? rangeAt(gate.name, overview)
      : held === null
        ? null
        : heldRange(heldBranch(held, words.about), held.tree);
  const diff = range === null ? null : await diffs.of(place.root, range);
  return {
    ...about,
    next: addressedTo(runId, words.next),
    place,
    runId,
    run: overview,
    gate,
    tree: held?.tree ?? null,
    question: questionOf(run, words),
    diff,
  };
}

/** `key`: what the change is known by. */
type Range = { readonly from: string; readonly to: string; readonly key: string };

/** Its tree is in the vault; the branch is there for people to look at. */
function heldRange(branch: string, tree: string): Range {
  const ref = `refs/heads/${branch}`;
  return { from: `${ref}^`, to: ref, key: `${branch} ${tree}` };
}

function rangeAt(gate: "G1" | "G2" | "G3", { iterations }: Overview): Range | null {
  if (gate === "G1") return null;
  const commits = (gate === "G2" ? iterations.slice(-1) : iterations).flatMap(({ commit }) => commit ?? []);
  const [first, last] = [commits[0], commits.at(-1)];
  return first === undefined || last === undefined ? null : { from: `${first}^`, to: last, key: `${first} ${last}` };
}
