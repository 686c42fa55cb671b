// The story of a session for people: what its agent did and said, line by line.
import type { SessionId } from "../../core/ids.ts";
import type { OutputLine, SessionInfo } from "../../engines/engine.ts";
import { visibleText } from "../../formats/text/visible-text.ts";
import type { SessionNote } from "../../report/chronicle.ts";
import type { Story } from "../../report/story.ts";
import { duration, isoTime, money } from "../../report/words/words.ts";
import { deedOf } from "../../runtime/activity.ts";
import { deedText } from "./live.ts";
import type { Paint } from "./paint.ts";

export function sessionHeading(
  { role, feature, attempt, beganAt }: SessionInfo,
  number: number,
  of: number,
  paint: Paint,
): string {
  const about = feature === null ? "the whole run" : `${feature}, attempt ${attempt}`;
  return `${paint.bold(`Session ${number} of ${of}: ${role}, ${about}`)} ${paint.dim(isoTime(beganAt))}`;
}

/** Errors are printed in full; of what has a meaning, only that. */
export function lineText({ stream, text, signs }: OutputLine, paint: Paint): string[] {
  const deeds = signs.flatMap((sign) => deedOf({ tool: null }, sign) ?? []);
  if (stream === "stderr" && deeds.length === 0)
    return text.trim() === "" ? [] : [paint.yellow(`  ! ${visibleText(text)}`)];
  return deeds.flatMap((deed) => {
    if (deed.is !== "said") return [`  ${deed.is === "tool" ? paint.cyan(deedText(deed)) : deedText(deed)}`];
    return visibleText(deed.text)
      .trimEnd()
      .split("\n")
      .map((line) => `  ${line}`);
  });
}

export function noteOf({ chronicle }: Story, session: SessionId): SessionNote | null {
  const notes = [...chronicle.whole, ...chronicle.iterations.flatMap(({ sessions }) => sessions)];
  return notes.find((each) => each.session === session) ?? null;
}

/** How it ended, as the run recorded it. */
export function sessionVerdict(story: Story, { session, isOver }: SessionInfo, paint: Paint): string {
  const note = noteOf(story, session);
  if (note !== null) {
    const says = note.says.trim() === "" ? "" : `: ${visibleText(note.says).trim().slice(0, 2000)}`;
    const how = note.failed ? paint.red(note.how) : paint.green(note.how);
    return `  ${how} after ${duration(note.ms)}, ${money(note.costUsd, note.estimated)}${says}`;
  }
  const isAtWork = !isOver && story.run.now.is === "in-session";
  return paint.dim(isAtWork ? "  It is at work. To follow it: loop logs -f" : "  It was interrupted.");
}
