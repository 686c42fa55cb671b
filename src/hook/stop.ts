// The Stop hook: may this session end? On any error the answer is no, with a reason, but not forever.
import * as fs from "node:fs";
import { openWorkspace } from "../workspace/open.ts";
import { blockCap, type Decision, decide, type Seen, type Unmet } from "./decide.ts";
import { readExitSignal } from "./exit-signal.ts";
import type { Hold } from "./hold.ts";
import type { HookInput } from "./input.ts";
import { type Judgement, judge } from "./judge.ts";
import { lockPatiently } from "./lock.ts";
import { refuseBroken, refuseUnjudged, troubleOf } from "./refuse.ts";
import { firstLine } from "./steps.ts";
import { endHold, mirrorHold, readHold, whatBecameOfMirror, writeHold } from "./store.ts";
import { forgetRefusals } from "./tally.ts";
import {
  type Answer,
  answerText,
  asksText,
  assumesText,
  blockText,
  brokenOffText,
  metText,
  objectionsOwed,
} from "./words.ts";

export type StopOrder = {
  readonly input: HookInput;
  /** The hold's file. */
  readonly file: string;
  /** The CLI kills a hook that takes longer, and the session then ends: it fails open. */
  readonly withinMs: number;
  readonly env: NodeJS.ProcessEnv;
};

/** The reply to the CLI, as text. Never throws. */
export async function answerStop(order: StopOrder): Promise<string> {
  const askedAt = Date.now();
  const cut = AbortSignal.timeout(order.withinMs);
  try {
    const read = readHold(order.file);
    if (!read.ok) return fs.existsSync(order.file) ? answerText(refuseBroken(order, read.why)) : "";
    const lock = await lockPatiently(read.hold.root, cut);
    try {
      return await answerHeld(order, askedAt, cut);
    } finally {
      await lock.release();
    }
  } catch (error) {
    return answerText(refuseUnjudged(order, error));
  }
}

/** Under the lock: another hook may have answered, or a person may have released the session, in the meantime. */
async function answerHeld(order: StopOrder, askedAt: number, cut: AbortSignal): Promise<string> {
  const { file } = order;
  const read = readHold(file);
  if (!read.ok) return fs.existsSync(file) ? answerText(refuseBroken(order, read.why)) : "";
  const { hold } = read;
  // Two hooks may be installed, for example by a plugin and by hand: one stop is one iteration, and gets one answer.
  if (hold.answer !== null && hold.answer.at >= askedAt) return hold.answer.text;
  const seen = await look(hold, order, cut);
  const decision = decide(hold.progress, seen, { iterationsMax: hold.iterationsMax, blocksMax: blockCap(order.env) });
  if (!fs.existsSync(file)) return ""; // A person released it in the meantime.
  const text = answerText(settle(file, hold, seen, decision));
  forgetRefusals(file);
  return text;
}

async function look(hold: Hold, { input, file }: StopOrder, cut: AbortSignal): Promise<Seen> {
  const signal = readExitSignal(input.message, hold.criteria);
  const became = whatBecameOfMirror(file, hold);
  const edited: Unmet[] =
    became === null
      ? []
      : [
          {
            key: `state-${became}`,
            text: `.loop/hook/state.json was ${became === "edited" ? "edited" : "removed"} by somebody. It was put back; only Loopwright writes it.`,
          },
        ];
  const owed: Unmet[] = hold.owesObjections ? [{ key: "objections", text: objectionsOwed }] : [];
  const { tree, unmet } = await judged(hold, cut);
  return { signal, tree, unmet: [...edited, ...owed, ...unmet] };
}

/** A failure to judge is a reason like any other: it is reported, counted, and eventually trips a breaker. */
async function judged(hold: Hold, cut: AbortSignal): Promise<Omit<Judgement, "tree"> & { tree: string | null }> {
  try {
    const workspace = await openWorkspace({ root: hold.root, kind: hold.kind });
    return await judge(hold, workspace, cut);
  } catch (error) {
    const { what, why, next } = troubleOf(error);
    return {
      tree: null,
      unmet: [{ key: `unjudged:${firstLine(why)}`, text: `The work could not be judged. ${what} ${why} ${next}` }],
    };
  }
}

/** Records the decision and returns the answer. */
function settle(file: string, hold: Hold, seen: Seen, decision: Decision): Answer {
  const at = Date.now();
  const told = (answer: Answer, after: Hold): Answer => {
    const text = answerText(answer);
    const kept: Hold = { ...after, answer: { at, text } };
    writeHold(file, kept);
    mirrorHold(file, kept);
    return answer;
  };
  switch (decision.is) {
    case "met": {
      const text = metText(hold, seen.tree ?? "");
      endHold(file, hold, "met", text);
      return { tell: text };
    }
    case "asks":
      return told({ tell: asksText(decision.question) }, { ...hold, owesObjections: false, assumes: null });
    case "assumes": {
      const { criteria, unmet } = decision;
      // The stop is no iteration: nothing is left that the session could do.
      const after = record(hold, seen, { progress: hold.progress, unmet }, at);
      const assumes = seen.tree === null ? null : { criteria: [...criteria], tree: seen.tree };
      return told({ tell: assumesText(criteria) }, { ...after, assumes });
    }
    case "broken-off": {
      const after = record(hold, seen, decision, at);
      endHold(file, after, "breaker", decision.why);
      return { tell: brokenOffText(decision.why, decision.breaker, decision.unmet, after) };
    }
    case "blocked": {
      const after = record(hold, seen, decision, at);
      return told({ block: blockText(after, decision.unmet) }, after);
    }
  }
}

function record(
  hold: Hold,
  seen: Seen,
  { progress, unmet }: Pick<Extract<Decision, { progress: unknown }>, "progress" | "unmet">,
  at: number,
): Hold {
  const stop = {
    at,
    iteration: progress.iteration,
    tree: progress.tree,
    unmet: unmet.map(({ text }) => firstLine(text)),
    unticked: [...seen.signal.unticked],
  };
  return { ...hold, progress, stops: [...hold.stops, stop], assumes: null };
}
