// Why is a check red in a clean checkout? Tries what only the person's folder, shell and home have, one run each.
import type { CheckSpec } from "../../core/contract.ts";
import { readTail } from "../../host/process/follow.ts";
import { packagesAt, settingOf, type Tools } from "../case.ts";
import { ChecksInRooms } from "../checks-in-rooms.ts";
import type { ProofContract } from "../prover.ts";
import { isGreen, type Seen } from "../seen.ts";
import type { LoadedTree } from "../trees.ts";
import { type Addition, withAdditions } from "./addition.ts";
import { guess } from "./guess.ts";
import { type Attempt, type Searched, search } from "./search.ts";
import type { Surroundings } from "./surroundings.ts";

export type DiagnosisOrder = {
  readonly check: CheckSpec;
  readonly contract: ProofContract;
  readonly tree: LoadedTree;
  /** The red run. */
  readonly seen: Seen;
  readonly around: Surroundings;
  /** The command that runs before the checks now; "": none. */
  readonly build: string;
  /** What helped another check. */
  readonly known: readonly Addition[];
  readonly onTry?: (trial: Trial) => void;
};
export type Trial = { readonly check: string; readonly number: number; readonly additions: readonly Addition[] };

/** `asked`: it is green when its runner is not asked for test names, which is our fault. */
export type Diagnosis = (Searched | { readonly is: "asked" }) & {
  readonly runs: number;
  readonly ms: number;
  /** Ignored paths that are too large to try; empty where the answer was found without them. */
  readonly untried: readonly string[];
};

/** Of all red checks together. */
export const trialsMax = 25;
export const trialsMsMax = 10 * 60_000;

/** Remaining runs and time; the time between diagnoses does not count. */
export class Budget {
  #runs = 0;
  #ms = 0;

  get runs(): number {
    return this.#runs;
  }

  get msLeft(): number {
    return Math.max(0, trialsMsMax - this.#ms);
  }

  take(): boolean {
    if (this.#runs >= trialsMax) return false;
    this.#runs += 1;
    return true;
  }

  spend(ms: number): void {
    this.#ms += ms;
  }
}

const outputBytesMax = 1 << 20;

export async function diagnose(
  order: DiagnosisOrder,
  tools: Tools,
  budget: Budget,
  cut: AbortSignal,
): Promise<Diagnosis> {
  const { check, contract, tree, seen, around, build, known } = order;
  const before = budget.runs;
  const started = performance.now();
  const signal = AbortSignal.any([cut, AbortSignal.timeout(budget.msLeft)]);
  const attempt: Attempt = async (additions) => {
    if (signal.aborted || !budget.take()) return "over";
    order.onTry?.({ check: check.name, number: budget.runs, additions });
    return tryWith({ check, contract, tree, additions, label: `try-${budget.runs}` }, tools, signal);
  };
  const output = `${seen.tail}\n${readTail(seen.output, outputBytesMax)}`;
  const guesses = guess({ output, tree, around, build, isUnready: seen.how === "unready" });
  const searched = await search({ ...guesses, known }, attempt);
  const found = searched.is === "red" && (await isGreenUnasked(order, tools, budget, signal)) ? asked : searched;
  const ms = Math.round(performance.now() - started);
  budget.spend(ms);
  return { ...found, untried: found.is === "found" ? [] : around.tooLarge, runs: budget.runs - before, ms };
}

const asked = { is: "asked" } as const;

async function isGreenUnasked(
  { check, contract, tree }: DiagnosisOrder,
  tools: Tools,
  budget: Budget,
  signal: AbortSignal,
): Promise<boolean> {
  if (check.browser !== undefined || check.library !== undefined || signal.aborted || !budget.take()) return false;
  const order = { check, contract, tree, additions: [], label: `try-${budget.runs}`, unasked: true } as const;
  return (await tryWith(order, tools, signal)) === "green";
}

type Try = Pick<DiagnosisOrder, "check" | "contract" | "tree"> & {
  readonly additions: readonly Addition[];
  readonly label: string;
  readonly unasked?: true;
};

/** One run of the check in a room with the additions; a repeated try reuses its result. */
export async function tryWith(
  { check, contract: without, tree, additions, ...how }: Try,
  tools: Tools,
  signal: AbortSignal,
): ReturnType<Attempt> {
  const contract = { ...without, proof: withAdditions(without.proof, additions) };
  try {
    await tools.rooms.keep(tree.id, contract.proof, signal);
    const rooms = new ChecksInRooms(settingOf(tools, contract, tree), signal);
    const seen = await rooms.run(check, { ...how, tree: tree.id, ...packagesAt(tree) });
    return seen.how === "cut" ? "over" : isGreen(seen) ? "green" : "red";
  } catch (error) {
    if (signal.aborted) return "over"; // Rooms throw the signal's reason.
    throw error;
  }
}
