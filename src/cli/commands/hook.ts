// loop hook start, continue, status, accept, release: a person's side of holding a session.
import { UserError } from "../../core/errors.ts";
import { requestItems } from "../../formats/contract/request-items.ts";
import { acceptAssumed } from "../../hook/accept.ts";
import { beginHold, continueHold, releaseHolds } from "../../hook/begin.ts";
import type { Hold } from "../../hook/hold.ts";
import { releasedText, whereItStands } from "../../hook/prompt.ts";
import { holdsOf, lastEnded } from "../../hook/store.ts";
import { contractText, termsText } from "../../hook/words.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import { limitFlags } from "../limit-flags.ts";
import { settleTrust } from "../trust.ts";
import { isInstalled } from "./hook-install.ts";

export type HookFlags = GlobalFlags & { check?: string[]; criterion?: string[]; iterations?: string; session?: string };

export async function start(request: string, flags: HookFlags): Promise<number> {
  const context = contextOf(flags);
  const session = sessionOf(flags);
  await settleTrust(context, flags);
  const { hold, notices } = await beginHold({
    root: context.root,
    request,
    criteria: [...new Set([...(flags.criterion ?? []), ...requestItems(request)])],
    checks: flags.check ?? [],
    iterations: iterationsOf(flags),
    session,
  });
  for (const notice of notices) context.comment(`${notice}\n`);
  return tell(context, hold, session);
}

export async function goOn(flags: HookFlags): Promise<number> {
  const context = contextOf(flags);
  const session = sessionOf(flags);
  return tell(context, await continueHold(context.root, session, iterationsOf(flags)), session);
}

export async function status(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  if (!context.json) {
    context.answer(`${whereItStands(context.root)}\n`);
    return 0;
  }
  const held = holdsOf(context.root).map(({ session, read }) =>
    read.ok ? { session, ...facts(read.hold) } : { session, broken: read.why },
  );
  const last = lastEnded(context.root);
  const ended =
    last === null ? null : { ending: last.ending, why: last.why, session: last.session, ...facts(last.hold) };
  printAnswer(answers.hookStatus, { held, lastEnded: ended }, 0);
  return 0;
}

/** An agent does not decide that it is done. */
function refuseAgents(what: string, command: "release" | "accept"): void {
  if (!isAgentsShell()) return;
  throw new UserError("not-for-agents", {
    what,
    why: "This shell is an agent's, and an agent does not decide that it is done.",
    next: `A person runs loop hook ${command} in a terminal of their own or, with the plugin, types /loopwright:loop-${command} in the session.`,
  });
}

const isAgentsShell = (): boolean => (process.env["CLAUDECODE"] ?? "") !== "";

export async function accept(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  refuseAgents("Nothing was accepted.", "accept");
  context.answer(`${await acceptAssumed(context.root)}\n`);
  return 0;
}

export async function release(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  refuseAgents("Nothing was released.", "release");
  const released = releaseHolds(context.root);
  if (context.json) printAnswer(answers.hookRelease, { released }, 0);
  else context.answer(`${releasedText(released.length)}\n`);
  for (const { kept } of released) if (kept !== null) context.comment(`What could not be read is kept at ${kept}\n`);
  return 0;
}

function tell(context: Context, hold: Hold, session: string | null): number {
  if (context.json) {
    printAnswer(answers.hookStart, { session, ...facts(hold) }, 0);
    return 0;
  }
  const whose = session === null ? "the next session of claude here" : `session ${session}`;
  const isThere = session !== null || isInstalled(context.root);
  context.comment(
    isThere
      ? `Held: ${whose} may end when the checks are green and it says so itself.\n`
      : "No hook is installed here, so nothing holds a session yet. Run: loop hook install (not needed with the plugin)\n",
  );
  // In an agent's shell, and where its session is named, the agent reads the answer: the contract in its own words.
  const isForAgent = context.isSeed || session !== null || isAgentsShell();
  context.answer(`${isForAgent ? contractText(hold) : termsText(hold)}\n`);
  return 0;
}

const facts = ({ request, criteria, checks, progress, iterationsMax, stops }: Hold) => ({
  request,
  criteria,
  checks: checks.map(({ name, run }) => ({ name, run })),
  iteration: progress.iteration,
  iterationsMax,
  unmet: stops.at(-1)?.unmet ?? [],
});

const iterationsOf = ({ iterations }: HookFlags): number | null =>
  iterations === undefined ? null : (limitFlags({ iterations }).iterations ?? null);

/** Started from within a session, it refers to that session. */
const sessionOf = ({ session }: HookFlags): string | null => session ?? (process.env["CLAUDE_CODE_SESSION_ID"] || null);
