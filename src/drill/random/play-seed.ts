// Runs the change of one seed through the prover, finds the truth from the outside, and compares the two.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "../cases/case.ts";
import { NotPlayed, type Played, type PlayOptions, playCase } from "../matrix/play-case.ts";
import { compare } from "./compare.ts";
import { attemptsMax, generate, type RandomChange } from "./generate.ts";
import type { Row } from "./summary.ts";
import { findTruth, looksWell, type Truth } from "./truth.ts";

export type SeedOptions = {
  /** An empty folder for this seed only. */
  readonly dir: string;
  readonly packages: string;
  /** A stack other than the seed's choice. */
  readonly stack?: Stack;
  /** Decides the outcome of a change; omitted: the prover. */
  readonly judge?: (change: RandomChange, options: PlayOptions) => Promise<Played>;
};

export type PlayedSeed = Row & {
  readonly change: RandomChange;
  readonly played: Played | null;
  readonly truth: Truth | null;
};

const byProver: NonNullable<SeedOptions["judge"]> = (change, options) => playCase(change.case, options);

/** The first attempt whose tests pass in the agent's own folder, otherwise the change as it came. */
async function looked(
  seed: number,
  { packages, stack }: SeedOptions,
  place: (name: string) => Promise<string>,
): Promise<RandomChange> {
  const attemptOf = (attempt: number): RandomChange =>
    generate(seed, { attempt, ...(stack === undefined ? {} : { stack }) });
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const change = attemptOf(attempt);
    if (await looksWell(change, { dir: await place(`look-${attempt}`), packages })) return change;
  }
  return attemptOf(0);
}

export async function playSeed(seed: number, options: SeedOptions): Promise<PlayedSeed> {
  const { dir, packages, judge = byProver } = options;
  const place = async (name: string): Promise<string> => {
    const path = join(dir, name);
    await mkdir(path, { recursive: true });
    return path;
  };
  const change = await looked(seed, options, place);
  const way = { committed: change.committed, must: "stay-green", depth: "standard", packages } as const;
  const row = { seed, stack: change.case.stack, operations: change.operations, change };
  const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  let played: Played;
  try {
    played = await judge(change, { ...way, dir: await place("prover") });
  } catch (error) {
    const is = error instanceof NotPlayed ? "undecided" : "crashed";
    return { ...row, outcome: "not-played", finding: { is, why: words(error) }, ms: 0, played: null, truth: null };
  }
  const found = { ...row, outcome: played.outcome, ms: played.ms, played };
  let truth: Truth;
  try {
    truth = await findTruth(change, { dir: await place("truth"), packages });
  } catch (error) {
    // Accepted work must be known to be good: not knowing is as bad as knowing that it is not.
    const is = played.outcome === "accepted" ? "violation" : "undecided";
    return { ...found, finding: { is, why: words(error) }, truth: null };
  }
  return { ...found, finding: await compare(change, played, truth), truth };
}
