// Answers that changed because of what the feature is about. What that is, its own calls show: when a call of the feature or of
// its tests is answered as before once a trait is taken away from its input (a letter, a sign, a key, its length), the trait is
// what changes the answer. A call that has the trait, and is answered as before without it, belongs to the change.
import type { Asked, Detail } from "./program.ts";

type Said = (side: "base" | "candidate", detail: Detail) => Promise<string>;
/** The answer to a call as it is, and to it made plainer in each way; empty: that is the same call, or no answer. */
type Row = readonly string[];

/** So many digests fit into what is kept of a check's output. */
const digestsMax = 500;
const rowsMax = 6;

/** Those of the calls, by their numbers, whose answers changed for what the feature is about. */
export async function explainedCalls(
  question: Asked,
  at: number,
  calls: readonly number[],
  said: Said,
): Promise<ReadonlySet<number>> {
  const none = new Set<number>();
  if (question.ask !== "function" || question.witnesses.length === 0 || calls.length === 0) return none;
  const rows = async (detail: Pick<Exclude<Detail, null | readonly unknown[]>, "calls" | "ways">) => {
    const both = [await said("base", { at, ...detail }), await said("candidate", { at, ...detail })];
    const [was, is] = both.map((text) => text.split("|").map((row): Row => row.split(",")));
    return { was: was ?? [], is: is ?? [] };
  };
  const witnesses = await rows({ calls: null, ways: null });
  const isWitness = (number: number): boolean => isChanged(witnesses.was[number]?.[0], witnesses.is[number]?.[0]);
  const changed = [...witnesses.was.keys()].filter(isWitness);
  const together = (witnesses.was[0]?.length ?? 0) - 2;
  const telling = changed.flatMap((number) => tellingIn(witnesses.was[number], witnesses.is[number]));
  const ways = [...new Set(telling)].filter((way) => way !== together);
  if (ways.length === 0) return none;
  const explained = new Set<number>();
  const perRun = Math.floor(digestsMax / (ways.length + 2));
  for (let from = 0; from < Math.min(calls.length, rowsMax * perRun); from += perRun) {
    const some = calls.slice(from, from + perRun);
    const { was, is } = await rows({ calls: some, ways });
    for (const [index, call] of some.entries())
      if (isChanged(was[index]?.[0], is[index]?.[0]) && tellingIn(was[index], is[index]).length > 0)
        explained.add(call);
  }
  return explained;
}

const isChanged = (was = "", is = ""): boolean => was !== "" && is !== "" && was !== is;

/** The ways to make it plainer after which it is answered as before. */
const tellingIn = (was: Row = [], is: Row = []): readonly number[] =>
  was.slice(1).flatMap((digest, way) => (digest !== "" && digest === is[way + 1] ? [way] : []));
