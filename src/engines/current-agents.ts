// The agents that work on a run now: those of its plan, until a person replaces them. Stored separately, so that the
// plan keeps the hash in the journal's first event.
import type { SessionId } from "../core/ids.ts";
import type { Run } from "../core/run.ts";
import type { Settings } from "../formats/config/settings.ts";
import { agentsFile } from "../formats/kept/run-files.ts";
import type { RunFiles } from "../runtime/ports.ts";
import type { Plan } from "./plan.ts";

export type Crew = { readonly agents: Settings["agents"]; readonly env: readonly string[] };
export type CurrentAgents = Crew & {
  /** A session that was cut short belongs to the agent that began it: only that agent can resume it. */
  readonly unfinished: (Crew & { readonly session: SessionId }) | null;
};

const file = "agents.json";

export function readAgents(files: RunFiles, plan: Plan): CurrentAgents {
  const text = files.read(file);
  if (text === null) return { agents: plan.agents, env: plan.env, unfinished: null };
  return agentsFile.mustParse<CurrentAgents>(text, files.path(file));
}

export function replaceAgents(files: RunFiles, current: CurrentAgents, next: Crew, run: Run): CurrentAgents {
  const session = openSession(run);
  const unfinished = session === null ? null : { session, ...crewFor(current, session) };
  const replaced: CurrentAgents = { ...next, unfinished };
  files.write(file, `${JSON.stringify({ version: 1, ...replaced }, null, 2)}\n`);
  return replaced;
}

export function crewFor({ agents, env, unfinished }: CurrentAgents, session: SessionId): Crew {
  return unfinished?.session === session ? { agents: unfinished.agents, env: unfinished.env } : { agents, env };
}

function openSession({ now }: Run): SessionId | null {
  const phase = now.is === "resting" ? now.resume : now;
  return phase.is === "in-session" ? (phase.ticket?.session ?? null) : null;
}
