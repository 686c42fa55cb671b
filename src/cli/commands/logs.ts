// loop logs: the story of a session, as it was printed by its agent: readable, or raw as JSON.
import { setTimeout as pause } from "node:timers/promises";
import { UserError } from "../../core/errors.ts";
import type { Engine, OutputPlace, Reading, SessionInfo } from "../../engines/engine.ts";
import { findRun } from "../../engines/watch.ts";
import type { Story } from "../../report/story.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { outputLine } from "../json/line-shapes.ts";
import { printLine } from "../json/print.ts";
import { lineText, noteOf, sessionHeading, sessionVerdict } from "../render/logs.ts";

const lookMs = 200;

export async function logs(flags: GlobalFlags & { follow?: boolean; session?: string }): Promise<number> {
  const context = contextOf(flags);
  const { engine } = context;
  const run = await findRun(engine, flags.run);
  const isOver = flags.follow === true ? atRest(engine, run) : () => true;
  const reading = await engine.read(run);
  const first = await firstOf(reading, flags.session, isOver);
  if (first === null) {
    if (!context.json) context.answer(`Run ${run} has had no session yet.\nNext: loop watch\n`);
    return 0;
  }
  for (let number = first; ; number++) {
    await printSession(number, { reading, context, isOver, run });
    if (flags.session !== undefined || !(await hasNext(reading, number, isOver))) return 0;
  }
}

/** True once no more sessions can begin. A run at rest may be about to go on while a process drives it. */
function atRest(engine: Engine, run: string): () => boolean {
  let rests = false;
  const see = async (): Promise<void> => {
    for await (const { type } of engine.subscribe(run))
      if (type === "rest" && !(await engine.read(run)).isDriven) break;
    rests = true;
  };
  see().catch(() => {
    rests = true;
  });
  return () => rests;
}

/** The session's number, from 1: the named one, else the latest. Null: there is none, and none will come. */
async function firstOf(reading: Reading, named: string | undefined, isOver: () => boolean): Promise<number | null> {
  for (;;) {
    const last = isOver();
    const count = (await reading.sessions()).length;
    if (named !== undefined) return numberOf(named, count);
    if (count > 0) return count;
    if (last) return null;
    await pause(lookMs);
  }
}

function numberOf(named: string, count: number): number {
  const number = Number(named);
  if (Number.isInteger(number) && number >= 1 && number <= count) return number;
  throw new UserError("no-such-session", {
    what: "There is no such session.",
    why: `The run has ${count === 0 ? "no sessions" : `sessions 1 to ${count}`}, and ${JSON.stringify(named)} is none of them.`,
    next: count === 0 ? "loop watch" : `loop logs --session ${count}`,
  });
}

async function hasNext(reading: Reading, number: number, isOver: () => boolean): Promise<boolean> {
  for (;;) {
    const last = isOver();
    if ((await reading.sessions()).length > number) return true;
    if (last) return false;
    await pause(lookMs);
  }
}

type Printing = {
  readonly reading: Reading;
  readonly context: Context;
  readonly isOver: () => boolean;
  readonly run: string;
};

async function printSession(number: number, { reading, context, isOver, run }: Printing): Promise<void> {
  const sessions = await reading.sessions();
  const info = sessions[number - 1];
  if (info === undefined) return;
  if (!context.json) context.answer(`${sessionHeading(info, number, sessions.length, context.paint)}\n`);
  let place: OutputPlace | null = null;
  for (;;) {
    const last = isOver();
    const piece = await reading.output(info.session, place);
    place = piece.next;
    for (const line of piece.lines) {
      if (context.json) printLine(outputLine(line, info, number));
      else for (const text of lineText(line, context.paint)) context.answer(`${text}\n`);
    }
    if (piece.lines.length > 0) continue;
    if (last || piece.isOver) break;
    await pause(lookMs);
  }
  if (!context.json)
    context.answer(`${sessionVerdict(await endOf(info, run, context, isOver), info, context.paint)}\n`);
}

/** The run records a session's end shortly after its agent has exited. */
async function endOf(info: SessionInfo, run: string, { engine }: Context, isOver: () => boolean): Promise<Story> {
  for (;;) {
    const last = isOver();
    const { story } = await engine.read(run);
    if (last || noteOf(story, info.session) !== null) return story;
    await pause(lookMs);
  }
}
