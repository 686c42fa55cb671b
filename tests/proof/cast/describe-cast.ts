// Every bad agent in one language: not accepted, called by its name, undone to the last file. Its honest twin: accepted.
import { describe, expect, test } from "vitest";
import { type Combination, combinations, nameOf, type Player } from "./combinations.ts";
import { type Played, playOut, type Seen } from "./play.ts";
import type { Language } from "./samples.ts";
import { twins } from "./twins.ts";

export function describeCast(language: Language, options: { skip?: boolean } = {}): void {
  const rows = combinations(language).map((each) => ({
    ...each,
    who: each.act.name,
    whose: each.level === "run" ? "the run" : "its feature",
    twin: twins[each.act.name]?.does ?? "",
  }));
  describe.skipIf(options.skip === true)(language, () => {
    test.concurrent.each(rows)(
      "on a check of $whose: the $who comes to nothing, and one who $twin is believed",
      { timeout: 600_000 },
      async (each) => {
        for (const players of each.runs) hold(each, players, await inLane(() => playOut(each, players)));
      },
    );
  });
}

function hold(each: Combination, players: readonly Player[], { code, seen, commits, about }: Played): void {
  for (const [at, player] of players.entries()) {
    const one = seen[at];
    if (one === undefined) throw new Error("there is a feature for each player");
    const text = `${player}\n${about}`;
    if (player === "twin") expect(one.status, text).toBe("complete");
    else holdCheat(each, one, text);
  }
  const honest = players.filter((player) => player === "twin").length;
  expect(commits.length, about).toBe(honest);
  const ending = each.act.must.be === "waited-for" ? 8 : 7;
  expect(code, about).toBe(honest === players.length ? 0 : ending);
}

function holdCheat(each: Combination, { status, told, before, after }: Seen, text: string): void {
  expect(status, text).toBe(each.act.must.be === "waited-for" ? "in-progress" : "blocked");
  expect(told, text).toMatch(nameOf(each));
  expect(before, text).toContain("ignored/keep.txt");
  expect(after, text).toBe(before);
}

/** Real runs with real checks: more of them at once than there are cores would only have them wait for each other. */
const lanes = 2;
let busy = 0;
const waiting: (() => void)[] = [];

async function inLane<T>(work: () => Promise<T>): Promise<T> {
  if (busy >= lanes) await new Promise<void>((go) => waiting.push(go));
  else busy += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) busy -= 1;
    else next();
  }
}
