// Refusals without a judgement: the state is unreadable, or the folder cannot be inspected. Each is counted, and the
// last one is loud.
import { machineTrouble } from "../core/errors.ts";
import { nearestWorkspace } from "../workspace/nearest.ts";
import { blockCap } from "./decide.ts";
import type { HookInput } from "./input.ts";
import { activeFile, mirrorPath, saysHeld } from "./places.ts";
import { holdsOf, removeMirror, setBrokenAside } from "./store.ts";
import { forgetRefusals, mayRefuse } from "./tally.ts";
import { type Answer, answerText } from "./words.ts";

export type Refusal = { readonly input: HookInput; readonly file: string; readonly env: NodeJS.ProcessEnv };

export function refuseBroken({ file, input, env }: Refusal, why: string): Answer {
  const what = `Loopwright holds this session, and its state cannot be read: ${why}.`;
  if (mayRefuse(file, input.again, blockCap(env)))
    return {
      block: `${what} So it cannot tell that the work is done, and the session may not end. Tell the person: loop hook release ends the hold (${file}).`,
    };
  const kept = tried(() => setBrokenAside(file)) ?? file;
  const root = saysHeld(input.session, input.folder);
  if (root !== null) tried(() => removeMirror(root));
  forgetRefusals(file);
  return {
    tell: `Loopwright: NOTHING WAS PROVED, and the session was let go. ${what} It is kept at ${kept}\nNext: git diff, then run the checks yourself.`,
  };
}

/** The workspace is locked, or the disk is full: the hold itself is intact, and stays. */
export function refuseUnjudged({ file, input, env }: Refusal, error: unknown): Answer {
  const { what, why, next } = troubleOf(error);
  const said = `Loopwright holds this session and could not judge the work. ${what} ${why}`;
  if (mayRefuse(file, input.again, blockCap(env)))
    return { block: `${said} ${next} Or, for a person: loop hook release` };
  tried(() => forgetRefusals(file));
  return {
    tell: `Loopwright: NOTHING WAS PROVED, and this stop was let through. ${said}\nNext: ${next} The hold stays; loop hook release ends it.`,
  };
}

export function troubleOf(error: unknown): { what: string; why: string; next: string } {
  const known = machineTrouble(error);
  if (known !== null) return known;
  const why = error instanceof Error ? error.message : String(error);
  return { what: "Something went wrong in Loopwright itself.", why, next: "" };
}

function tried<T>(body: () => T): T | null {
  try {
    return body();
  } catch {
    return null;
  }
}

/** The CLI's message is unreadable, so the session is unknown. That only matters if one is held here. */
export function answerUnknown(folder: string, env: NodeJS.ProcessEnv): string {
  const [held] = holdsOf(nearestWorkspace(folder));
  if (held === undefined) return "";
  const what = "A session is held here, and what the CLI said about this stop cannot be read.";
  const isRefused = mayRefuse(held.file, true, blockCap(env));
  return answerText(
    isRefused
      ? { block: `${what} So the session may not end. For a person: loop hook release` }
      : { tell: `Loopwright: NOTHING WAS PROVED, and this stop was let through. ${what}\nNext: loop doctor` },
  );
}

/** The copy in the workspace says that this session is held, but the hold is missing: it was removed. */
export function answerLost(root: string, input: HookInput, env: NodeJS.ProcessEnv): string {
  const what = `${mirrorPath} says that this session is held, and what Loopwright knew of it is gone.`;
  const file = activeFile(input.session);
  if (mayRefuse(file, input.again, blockCap(env)))
    return answerText({
      block: `${what} So nothing can be proved, and the session may not end. For a person: loop hook release`,
    });
  tried(() => removeMirror(root));
  tried(() => forgetRefusals(file));
  return answerText({
    tell: `Loopwright: NOTHING WAS PROVED, and the session was let go. ${what}\nNext: git diff, then run the checks yourself.`,
  });
}
