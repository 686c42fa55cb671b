// When things happened in a run, for the report's timeline. A pure fold over the same events.
import type { RunEvent } from "../core/event.ts";
import type { FeatureId } from "../core/ids.ts";
import { progressIn } from "../core/progresses.ts";
import type { Phase, Role, Run } from "../core/run.ts";

export type Times = {
  /** When the current activity began. */
  readonly since: number;
  readonly lastAt: number;
  readonly spans: readonly Span[];
  readonly marks: readonly Mark[];
};

/** `away`: no process drove the run, or the machine slept; nothing more is known. */
export type SpanKind = "session" | "proving" | "checking" | "waiting" | "resting" | "away";
export type Span = {
  readonly is: SpanKind;
  readonly role: Role | null;
  readonly feature: FeatureId | null;
  readonly from: number;
  readonly to: number;
};
export type Mark = {
  readonly is: "commit" | "refused" | "rolled-back";
  readonly feature: FeatureId | null;
  readonly at: number;
};

export const noTimes: Times = { since: 0, lastAt: 0, spans: [], marks: [] };

/** An endless run must not make its snapshot grow without bound: the oldest go first. */
const kept = 5000;
/** A smaller difference between the two clocks is not worth showing. */
const awayMsMin = 30_000;

export function track(times: Times, before: Run, event: RunEvent, after: Run): Times {
  if (event.type === "begun") return { ...noTimes, since: event.at, lastAt: event.at };
  // A clock that is set back must not make time run backwards in the picture.
  const at = Math.max(event.at, times.lastAt);
  const marked = { ...times, lastAt: at, marks: [...times.marks, ...marksOf(before, event, after, at)].slice(-kept) };
  const was = doing(before.now);
  const away = was === null || idle.has(was.is) ? 0 : at - times.lastAt - Math.max(0, event.sinceMs);
  const seen = away < awayMsMin ? marked : withoutUs(marked, was, times.lastAt, times.lastAt + away);
  if (same(was, doing(after.now)) && !endsSession(event)) return seen;
  return { ...seen, since: at, spans: added(seen.spans, was, seen.since, at) };
}

/** With what is at work and not over yet, as of `now`. */
export const asOf = (times: Times, { now: phase }: Run, now: number): Times =>
  now <= times.lastAt ? times : { ...times, lastAt: now, spans: added(times.spans, doing(phase), times.since, now) };

type Doing = Pick<Span, "is" | "role" | "feature">;

/** Idle time anyway: it does not matter if the process ended during it. */
const idle = new Set<SpanKind>(["waiting", "resting"]);
const kinds: Partial<Record<Phase["is"], SpanKind>> = {
  opening: "checking",
  closing: "checking",
  "in-session": "session",
  proving: "proving",
  waiting: "waiting",
  resting: "resting",
};

/** Null for phases that take almost no time, and for a session that is not reserved yet. */
function doing(now: Phase): Doing | null {
  const is = kinds[now.is];
  if (is === undefined || (now.is === "in-session" && now.ticket === null)) return null;
  return { is, role: now.is === "in-session" ? now.role : null, feature: featureOf(now) };
}

function featureOf(now: Phase): FeatureId | null {
  if (now.is === "waiting") return featureOf(now.resume);
  return "work" in now ? (now.work?.feature ?? null) : null;
}

const same = (a: Doing | null, b: Doing | null): boolean =>
  a?.is === b?.is && a?.role === b?.role && a?.feature === b?.feature;
/** A builder that follows a builder is still a different session. */
const endsSession = (event: RunEvent): boolean => event.type === "session-ended";

/** The activity is known up to the last event; after that no process was running. */
function withoutUs(times: Times, was: Doing | null, from: number, to: number): Times {
  const spans = added(added(times.spans, was, times.since, from), { ...nobody, is: "away" }, from, to);
  return { ...times, since: to, spans };
}
const nobody = { role: null, feature: null } as const;

function added(spans: readonly Span[], what: Doing | null, from: number, to: number): readonly Span[] {
  if (what === null || to <= from) return spans;
  return [...spans, { ...what, from, to }].slice(-kept);
}

function marksOf(before: Run, event: RunEvent, after: Run, at: number): Mark[] {
  const feature = featureOf(before.now);
  const mark = (is: Mark["is"]): Mark[] => [{ is, feature, at }];
  if (event.type === "committed") return mark("commit");
  if (event.type === "rolled-back") return mark("rolled-back");
  const causes = [before, after].map((run) =>
    feature === null ? null : (progressIn(run.progress, feature)?.lastCause ?? null),
  );
  return causes[1] !== null && causes[0] !== causes[1] ? mark("refused") : [];
}
