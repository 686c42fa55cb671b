// A run that was paused or interrupted comes before a new one: it holds the folder, and part of it is paid for.
import { UserError } from "../core/errors.ts";
import { progressIn } from "../core/progresses.ts";
import type { Engine } from "../engines/engine.ts";
import { standingOf } from "../report/state.ts";
import type { Story } from "../report/story.ts";
import { unprovedInFolder } from "../report/words/left.ts";
import { cost, featureCount } from "../report/words/words.ts";
import { ask } from "./ask.ts";

/** A sentence about the latest run if it should be resumed or cancelled first; null: nothing is in the way. */
export async function resumableRun(engine: Engine): Promise<{ readonly run: string; readonly says: string } | null> {
  const [run] = await engine.runs();
  if (run === undefined) return null;
  const { story, isDriven, worktree } = await engine.read(run);
  // A process that was killed before it recorded the beginning has left nothing to resume.
  const isBegun = story.chronicle.run !== "";
  return isDriven || !isBegun || !isCutShort(story)
    ? null
    : { run, says: saysOf(story, worktree === undefined ? "the folder" : "its worktree") };
}

/** A gate, a question or an inbox is no reason to wait: the person may well want something else first. */
function isCutShort(story: Story): boolean {
  const { state, outcome } = standingOf(story.run, false);
  if (state === "over") return false;
  return state !== "waits-for-you" || outcome?.kind === "cap" || unprovedInFolder(story).length > 0;
}

function saysOf(story: Story, where: string): string {
  const { run, chronicle } = story;
  const { done, total } = featureCount(run);
  const names = unprovedInFolder(story).map((id) => `${id}, attempt ${progressIn(run.progress, id)?.attempts ?? 1}`);
  const work = names.length === 0 ? "" : ` Its unproved work (${names.join("; ")}) is in ${where}.`;
  const { why } = standingOf(run, false);
  return `Run ${chronicle.run} can be resumed. ${why} ${done} of ${total} done, ${cost(run.spent)}.${work}`;
}

export type Resumption = "resume" | "cancel" | "neither";

export async function askResumption(says: string): Promise<Resumption> {
  const text = `${says}
  1  resume it
  2  cancel it, and start the new run; its unproved work goes to quarantine
  3  neither`;
  const wrong = (answer: string): string | null => (/^[123]$/.test(answer) ? null : "Type 1, 2 or 3.");
  const [answer] = await ask([{ text, otherwise: "1", wrong }], {
    what: "Nothing was begun.",
    why: "The question was not answered.",
    next: "loop continue resumes the run, loop cancel gives it up.",
  });
  return answer === "2" ? "cancel" : answer === "3" ? "neither" : "resume";
}

/** Without a terminal, the run waits for a person: exit code 6. */
export const resumeFirst = (says: string): UserError =>
  new UserError(
    "run-to-resume",
    { what: "No new run was started.", why: says, next: "Resume it: loop continue. Give it up: loop cancel" },
    { exitCode: 6 },
  );
