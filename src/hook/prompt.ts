// The UserPromptSubmit hook: the /loopwright commands that a person types. They cost no tokens, and no agent can issue
// them.
import { UserError } from "../core/errors.ts";
import { nearestWorkspace } from "../workspace/nearest.ts";
import { acceptAssumed } from "./accept.ts";
import { beginHold, continueHold, releaseHolds } from "./begin.ts";
import type { TypedCommand } from "./commands.ts";
import type { HookInput } from "./input.ts";
import { firstLine } from "./steps.ts";
import { holdsOf, lastEnded } from "./store.ts";
import { contractText, statusText } from "./words.ts";

/** The reply to the CLI: a prompt that is answered here goes no further. */
export async function answerPrompt(typed: TypedCommand, input: HookInput): Promise<string> {
  const root = nearestWorkspace(input.folder);
  try {
    switch (typed.is) {
      case "start": {
        const { request, criteria, iterations } = typed;
        const { hold, notices } = await beginHold({
          root,
          request,
          criteria,
          iterations,
          checks: [],
          session: input.session,
        });
        const held = `Loopwright holds this session until it is met: ${firstLine(request)}`;
        return goAhead(contractText(hold), [held, ...notices].join("\n"));
      }
      case "continue": {
        const hold = await continueHold(root, input.session, typed.iterations);
        return goAhead(contractText(hold), `Loopwright holds this session again: ${firstLine(hold.request)}`);
      }
      case "budget":
        return answered(noBudget);
      case "release":
        return answered(releasedText(releaseHolds(root).length));
      case "accept":
        return answered(await acceptAssumed(root));
      case "status":
        return answered(whereItStands(root));
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return answered(`${error.what} ${error.why}\nNext: ${error.next}`);
  }
}

const noBudget = `Nothing was changed. Loopwright does not see what your own session costs, so it cannot cap that.
Next: use --iterations N, or run agents with a cap on cost, in a terminal: loop "…" --budget 25`;

export const releasedText = (count: number): string =>
  count === 0
    ? "No session is held here."
    : "Released: the session may end. Nothing was proved. To go on: loop hook continue";

export function whereItStands(root: string): string {
  const held = holdsOf(root).map(({ session, read }) =>
    read.ok
      ? statusText(read.hold, session)
      : `session ${session}: its state cannot be read (${read.why}). Next: loop hook release`,
  );
  if (held.length > 0) return held.join("\n\n");
  const last = lastEnded(root);
  return last === null
    ? "No session is held here."
    : `No session is held here. The last one, ${last.ending}: ${firstLine(last.hold.request)}\n${last.why}`;
}

const answered = (text: string): string => `${JSON.stringify({ decision: "block", reason: text })}\n`;

const goAhead = (context: string, message: string): string =>
  `${JSON.stringify({ systemMessage: message, hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: context } })}\n`;
