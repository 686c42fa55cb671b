// A run that comes before a new one (engines/resumable.ts), at the command line: it is asked about, or refused.
import { UserError } from "../core/errors.ts";
import type { Resumable } from "../engines/resumable.ts";
import { choose } from "./ask.ts";

export type Resumption = "resume" | "cancel" | "beside" | "neither";

/** `hasRequest`: the person has typed a request, which waits meanwhile. `mayStart`: it can begin in a worktree of its own. */
export async function askResumption(
  says: string,
  { hasRequest, mayStart }: { readonly hasRequest: boolean; readonly mayStart: boolean },
): Promise<Resumption> {
  const said = await choose(
    {
      text: `${says}\nResume it?`,
      choices: [
        "[y]es",
        ...(mayStart ? ["[s]tart the new run, and leave it paused"] : []),
        "[c]ancel it, and start the new run",
        "[n]either",
      ],
      hint: `What it has not proved goes to quarantine when it is cancelled.${hasRequest ? " Resuming it does not start your new request: type that again afterwards." : ""}`,
      // Who has typed a request wants that: Enter resumes nothing that is paid for.
      otherwise: hasRequest ? (mayStart ? "s" : "n") : "y",
    },
    {
      what: "Nothing was started.",
      why: "The question was not answered.",
      next: "loop continue resumes the run, loop cancel gives it up.",
    },
  );
  return said === "c" ? "cancel" : said === "s" ? "beside" : said === "n" ? "neither" : "resume";
}

/** Without a terminal, the run waits for a person: exit code 6. */
export const resumeFirst = ({ says, next }: Resumable): UserError =>
  new UserError("run-to-resume", {
    what: "No new run was started.",
    why: says,
    next: `${next}. Give it up: loop cancel`,
  });
