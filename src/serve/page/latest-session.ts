// Which session a page shows.
import type { Role, Run } from "../../core/run.ts";
import type { Overview } from "../../report/overview.ts";

/** The session at work, or the one that ended last. */
export type Latest = {
  readonly session: string;
  readonly role: Role;
  readonly title: string;
  readonly isOver: boolean;
};

export function latestSession({ now }: Run, { iterations, sessions, current }: Overview): Latest | null {
  if (now.is === "in-session" && now.ticket !== null) {
    const about = current === null ? "run" : `${current.feature}, attempt ${current.attempt}`;
    return { session: now.ticket.session, role: now.role, title: `${about}, ${now.role}`, isOver: false };
  }
  const it = iterations.at(-1);
  const [inIt, whole] = [it?.sessions.at(-1), sessions.at(-1)];
  if (it !== undefined && inIt !== undefined && inIt.endedAt >= (whole?.endedAt ?? 0))
    return { ...inIt, title: `${it.feature}, attempt ${it.attempt}, ${inIt.role}`, isOver: true };
  return whole === undefined ? null : { ...whole, title: `run, ${whole.role}`, isOver: true };
}
