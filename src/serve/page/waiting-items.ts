// What waits for a person, with what an answer has to name and the change that it is about.
import { gateOf } from "../../core/gates.ts";
import type { TreeId } from "../../core/ids.ts";
import { heldIn } from "../../engines/held-work.ts";
import type { Waiting as Found } from "../../engines/waiting.ts";
import { subjectIn } from "../../engines/waiting.ts";
import type { Overview } from "../../report/overview.ts";
import type { Diff, Place, Waiting } from "../../report/page/view.ts";
import { heldBranch } from "../../report/words/held-branch.ts";
import { addressedTo } from "../../report/words/left.ts";
import { recordPath } from "../../runtime/records/paths.ts";
import { changeBetween } from "../../workspace/git/repository/show-change.ts";

const diffsMax = 64;

/** The change between two objects never changes. */
export class Diffs {
  readonly #known = new Map<string, Diff>();

  /** `without`: files that are left out. */
  async of(root: string, { from, to, key: about }: Range, without: readonly string[]): Promise<Diff | null> {
    const key = `${root} ${about}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = await changeBetween(root, from, to, without);
    if (found === null) return null;
    if (this.#known.size >= diffsMax) this.#known.delete(this.#known.keys().next().value ?? "");
    this.#known.set(key, found);
    return found;
  }
}

export async function waitingItem(place: Place, words: Found, overview: Overview, diffs: Diffs): Promise<Waiting> {
  const { runId, run, isLatest: _, uncommitted, ...about } = words;
  const held = heldIn(run, words.about);
  const gate = words.kind === "gate" ? gateOf(run) : null;
  const range =
    gate !== null
      ? rangeAt(gate.name, overview, run.head?.tree ?? null, uncommitted)
      : held === null
        ? null
        : heldRange(heldBranch(held, words.about), held.tree);
  // The loop writes the queue itself, and gives it back as it was after each session.
  const ours = [recordPath(run.contract.recordsDir, "FEATURES.json")];
  const diff = range === null ? null : await diffs.of(place.root, range, ours);
  return {
    ...about,
    next: addressedTo(runId, words.next),
    place,
    runId,
    run: overview,
    gate,
    tree: held?.tree ?? null,
    subject: subjectIn(run, words),
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

function rangeAt(
  gate: "G1" | "G2" | "G3",
  { iterations }: Overview,
  head: TreeId | null,
  uncommitted: TreeId | null,
): Range | null {
  if (gate === "G1") return null;
  // Work of a failed attempt is in the folder, for the next attempt.
  if (gate === "G2" && iterations.at(-1)?.commit === null)
    return head === null || uncommitted === null
      ? null
      : { from: head, to: uncommitted, key: `${head} ${uncommitted}` };
  return committed(gate === "G2" ? iterations.slice(-1) : iterations);
}

function committed(iterations: Overview["iterations"]): Range | null {
  const commits = iterations.flatMap(({ commit }) => commit ?? []);
  const [first, last] = [commits[0], commits.at(-1)];
  return first === undefined || last === undefined ? null : { from: `${first}^`, to: last, key: `${first} ${last}` };
}
