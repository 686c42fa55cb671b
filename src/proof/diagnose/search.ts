// Finds the smallest addition with which a check is green. Every attempt costs a run, so good guesses come first.
import { type Addition, keyOf } from "./addition.ts";

export type Guesses = {
  /** What helped another check: tried before anything else. */
  readonly known: readonly Addition[];
  /** Commands that may make what the output says is missing: tried first, and where the folder itself is red. */
  readonly builds: readonly Addition[];
  /** Commands that may make an ignored folder, independent of the output. */
  readonly makers: readonly Addition[];
  /** All that the person's folder, shell and home have and the room lacks, the best guess first. */
  readonly everything: readonly Addition[];
};

/** `over`: no time or runs are left, and nothing was run. */
export type Attempt = (additions: readonly Addition[]) => Promise<"green" | "red" | "over">;

export type Searched =
  /** Green with these. `smallest`: none of them can be left out; false if that was not tried to the end. */
  | { readonly is: "found"; readonly additions: readonly Addition[]; readonly smallest: boolean }
  /** Red with everything added. */
  | { readonly is: "red" }
  /** The budget ended before that was known. */
  | { readonly is: "undecided" };

export async function search(guesses: Guesses, attempt: Attempt): Promise<Searched> {
  const trials = new Trials(attempt);
  if (await trials.isGreen(guesses.known)) return { is: "found", additions: guesses.known, smallest: true };
  const found = (await inFolder(guesses, trials)) ?? (await byBuild(guesses, trials));
  if (found === null) return { is: trials.isOver ? "undecided" : "red" };
  return { is: "found", additions: found, smallest: !trials.isOver };
}

class Trials {
  readonly #attempt: Attempt;
  readonly #known = new Map<string, boolean>();
  isOver = false;

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
  }

  /** Tries nothing twice. Without additions it is known to be red; once the budget ends, nothing counts as green. */
  async isGreen(additions: readonly Addition[]): Promise<boolean> {
    const key = JSON.stringify(additions.map(keyOf).sort());
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.isOver || additions.length === 0) return false;
    const result = await this.#attempt(additions);
    if (result === "over") this.isOver = true;
    else this.#known.set(key, result === "green");
    return result === "green";
  }
}

/** Green as in the folder: then the room lacks something that the folder has. */
async function inFolder({ builds, makers, everything }: Guesses, trials: Trials): Promise<readonly Addition[] | null> {
  if (!(await trials.isGreen(everything))) return null;
  for (const build of builds) if (await trials.isGreen([build])) return [build];
  const found = await minimal(everything, (some) => trials.isGreen(some));
  return builtInstead(found, makers, trials);
}

/** Better to build it in each room: a copy of the folder's output would be outdated after the first change. */
async function builtInstead(
  found: readonly Addition[],
  makers: readonly Addition[],
  trials: Trials,
): Promise<readonly Addition[]> {
  const rest = found.filter((one) => one.is !== "file" || !one.path.endsWith("/"));
  if (rest.length === found.length) return found;
  for (const build of makers) if (await trials.isGreen([build, ...rest])) return [build, ...rest];
  return found;
}

/** Builds that do not help alone are tried with everything else: a project can need both. */
const withEverythingMax = 2;

/** Red in the folder as well: it may never have been built there. */
async function byBuild({ builds, everything }: Guesses, trials: Trials): Promise<readonly Addition[] | null> {
  for (const build of builds) if (await trials.isGreen([build])) return [build];
  if (everything.length === 0) return null;
  for (const build of builds.slice(0, withEverythingMax))
    if (await trials.isGreen([build, ...everything]))
      return [build, ...(await minimal(everything, (some) => trials.isGreen([build, ...some])))];
  return null;
}

/**
 * A subset of the items that holds, given that all of them do. Looks for the shortest prefix that holds: its last item
 * is needed, and the items before it are searched the same way. The result has always been tried.
 * None of it can be left out if more items never hurt. An early item is found in a few trials.
 */
export async function minimal<T>(
  items: readonly T[],
  holds: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  const needed: T[] = [];
  let rest = items;
  while (rest.length > 0 && !(needed.length > 0 && (await holds(needed)))) {
    const length = await shortest(rest.length, (some) => holds([...rest.slice(0, some), ...needed]));
    needed.unshift(...rest.slice(length - 1, length));
    rest = rest.slice(0, length - 1);
  }
  return needed;
}

/** The smallest number from 1 to `most` that is enough; `most` is known to be. */
async function shortest(most: number, isEnough: (number: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, 1];
  while (high < most && !(await isEnough(high))) [low, high] = [high, Math.min(high * 2, most)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
