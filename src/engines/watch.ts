// For clients: the items of a subscription, each with the story as it is then.
import { UserError } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import { follow, type Story } from "../report/story.ts";
import { endSentence, nextCommand, nextWork, outcomeOf } from "../report/words/words.ts";
import type { Engine, Item, Reading, Subscription } from "./engine.ts";

export type Seen = { readonly item: Item; readonly story: Story };

export async function* watch(items: Subscription): AsyncGenerator<Seen> {
  let story: Story | null = null;
  for await (const item of items) {
    if (item.type === "story") story = item.story;
    else if (item.type === "event" && story !== null) story = follow(story, item.event);
    if (story !== null) yield { item, story };
  }
}

/** Until the run rests or is over. Null: not within this time. */
export async function comesToRest(engine: Engine, run: string, patienceMs: number): Promise<Story | null> {
  const items = engine.subscribe(run);
  const timer = setTimeout(() => void items.return(), patienceMs);
  try {
    for await (const { item, story } of watch(items)) if (item.type === "rest") return story;
    return null;
  } finally {
    clearTimeout(timer);
    await items.return();
  }
}

/** The run with this name, or the only one with this beginning or end; without a name, the latest. */
export async function findRun(engine: Pick<Engine, "runs">, named?: string): Promise<string> {
  const runs = await engine.runs();
  const found = named === undefined ? runs[0] : onlyOne(runsNamed(runs, named), named);
  if (found !== undefined) return found;
  throw named === undefined ? noRuns() : noSuchRun(named);
}

/** A whole name means one run, also where it is the beginning of another. */
export const runsNamed = (runs: readonly string[], named: string): readonly string[] =>
  runs.includes(named) ? [named] : runs.filter((run) => run.startsWith(named) || run.endsWith(named));

/** Undefined: there is none. A name that fits several runs is never taken for the latest of them. */
export function onlyOne([run, ...others]: readonly string[], named: string): string | undefined {
  if (run === undefined || others.length === 0) return run;
  const shown = [run, ...others].slice(0, shownMax);
  const more = others.length + 1 - shown.length;
  throw new UserError("which-run", {
    what: "Nothing was done.",
    why: `${JSON.stringify(named)} fits ${others.length + 1} runs: ${shown.join(", ")}${more === 0 ? "" : `, and ${more} more`}.`,
    next: "Give more of its name: loop list",
  });
}

const shownMax = 5;

const noRuns = (): UserError => missingRun("No run was ever begun here.", 'loop "what should be done"');

export const noSuchRun = (named: string): UserError => missingRun(`No run here is called ${named}.`, "loop list");

const missingRun = (why: string, next: string): UserError =>
  new UserError("no-such-run", { what: "There is no such run.", why, next });

/** `what`: what was therefore not done. */
export function isOver({ run, chronicle }: Story, what: string): UserError {
  const outcome = outcomeOf(run);
  const { contract } = run;
  return new UserError("run-is-over", {
    what,
    why: `Run ${chronicle.run} is over. ${outcome === null ? "" : endSentence(run, outcome)}`.trim(),
    next: outcome?.kind === "success" ? nextCommand(outcome, contract) : nextWork(contract.recordsDir),
  });
}

/** Older runs are too long ago to be meant without their name. */
const runsMax = 50;

/** The run with this name; without a name, the latest one that is meant, or simply the latest. */
export async function findRunThat(
  engine: Pick<Engine, "runs" | "read">,
  named: string | undefined,
  isMeant: (run: Run, id: string) => boolean,
): Promise<string> {
  if (named !== undefined) return findRun(engine, named);
  for (const id of (await engine.runs()).slice(0, runsMax)) {
    const story = await readIfPossible(engine, id);
    if (story !== null && isMeant(story.run, id)) return id;
  }
  return findRun(engine);
}

/**
 * The run with this name; without a name, the latest that is not over, since runs in several worktrees can be open at once.
 * A run whose follow-up has not begun yet is not over.
 */
export async function findOpenRun(engine: Engine, named?: string): Promise<string> {
  return findRunThat(engine, named, openOnes());
}

/** To be resumed: the latest open run that no process drives, while others work. */
export async function findRestingRun(engine: Engine, named?: string): Promise<string> {
  if (named !== undefined) return findRun(engine, named);
  const isOpen = openOnes();
  let driven: string | null = null;
  for (const id of (await engine.runs()).slice(0, runsMax)) {
    const reading = await readingIfPossible(engine, id);
    if (reading === null || !isOpen(reading.story.run, id)) continue;
    if (!reading.isDriven) return id;
    driven ??= id;
  }
  return driven ?? findRun(engine);
}

/** Asked of the newest run first: what follows a run is newer. */
function openOnes(): (run: Run, id: string) => boolean {
  const followed = new Set<string>();
  return ({ now, contract }, id) => {
    if (contract.followUp.of !== null) followed.add(contract.followUp.of);
    return now.is !== "stopped" || (now.outcome.kind === "followup" && !followed.has(id));
  };
}

/** The story of a run; null if it can no longer be read. */
export const readIfPossible = async (engine: Pick<Engine, "read">, run: string): Promise<Story | null> =>
  (await readingIfPossible(engine, run))?.story ?? null;

/** The run as it is; null if it can no longer be read. */
export async function readingIfPossible(engine: Pick<Engine, "read">, run: string): Promise<Reading | null> {
  try {
    return await engine.read(run);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
