// The content of the timeline: one lane for the run and one for each feature that was worked on, with bars and markers.
import { type Role, sideOf } from "../../core/run.ts";
import type { Overview } from "../overview.ts";
import type { Mark, Span } from "../times.ts";
import { duration } from "../words/words.ts";
import { type Scale, xOf } from "./timeline-scale.ts";

export type Lane = {
  readonly label: string;
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly marks: readonly { readonly is: Mark["is"]; readonly x: number; readonly title: string }[];
};
export type Look = "make" | "judge" | "prove" | "wait";
export type Bar = { readonly look: Look; readonly x: number; readonly width: number; readonly title: string };

/** More lanes than this are unreadable: the last one combines all the others. */
const lanesMax = 40;
const barWidthMin = 2;
/** With more in a lane than this, whatever is alike and in one place is drawn once: a long run has a small picture, too. */
const crowd = 500;

export const roleName = (role: Role): string => role.replaceAll("-", " ");

export function lanesOf({ features, timeline }: Overview, scale: Scale): Lane[] {
  const { spans, marks } = timeline;
  const touched = new Set<string>([...spans, ...marks].flatMap(({ feature }) => (feature === null ? [] : [feature])));
  const known = features.filter(({ id }) => touched.has(id));
  const names = new Map<string, string>(known.map(({ id, name }) => [id, name]));
  // A feature that a person has since removed from the queue was still worked on.
  const ids = [...known.map(({ id }) => id), ...[...touched].filter((id) => !names.has(id))];
  const alone = ids.length > lanesMax ? ids.slice(0, lanesMax - 1) : ids;
  const rest = ids.length - alone.length;
  const own = new Set<string>(alone);
  const laneOf = ({ feature }: Span | Mark): string | null => (feature === null || own.has(feature) ? feature : others);
  const [spansIn, marksIn] = [grouped(spans, laneOf), grouped(marks, laneOf)];
  const lane = (label: string, title: string, key: string | null): Lane => ({
    label,
    title,
    bars: barsOf(spansIn.get(key) ?? [], scale),
    marks: marksOf(marksIn.get(key) ?? [], scale),
  });
  return [
    lane("run", "The run itself", null),
    ...alone.map((id) => lane(id, names.get(id) ?? "", id)),
    ...(rest === 0 ? [] : [lane(`+${rest}`, `${rest} more features`, others)]),
  ];
}

/** No feature has an empty id. */
const others = "";

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string | null): Map<string | null, Item[]> {
  const groups = new Map<string | null, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

export const markNames: Readonly<Record<Mark["is"], string>> = {
  commit: "committed",
  refused: "failed",
  "rolled-back": "rolled back",
};

const markWidth = 13;

/** Overlapping markers are merged into one with a count. A commit has its own unless there are too many. */
function marksOf(marks: readonly Mark[], scale: Scale): Lane["marks"] {
  const isCrowded = marks.length > crowd;
  const shown: { is: Mark["is"]; x: number; title: string; count: number }[] = [];
  for (const { is, at, feature } of marks) {
    const x = xOf(scale, at);
    const last = shown.at(-1);
    const title = `${feature ?? "run"}: ${markNames[is]}`;
    // A roll-back says more than the failed attempt that it directly follows.
    const isOwn = !isCrowded && (is === "commit" || last?.is === "commit");
    if (last === undefined || x - last.x >= markWidth || isOwn) shown.push({ is, x, title, count: 1 });
    else {
      const count = last.count + 1;
      shown[shown.length - 1] = { ...last, is, count, title: `${title}, ${count} marks in one place` };
    }
  }
  return shown;
}

/** Bars too narrow to tell apart are merged into one with a count. */
function barsOf(spans: readonly Span[], scale: Scale): Bar[] {
  const bars: (Bar & { count: number; ms: number; name: string })[] = [];
  const isCrowded = spans.length > crowd;
  const latest = new Map<string, number>();
  for (const span of spans) {
    const x = xOf(scale, span.from);
    const width = Math.max(barWidthMin, xOf(scale, span.to) - x);
    const look = lookOf(span);
    const name = nameOf(span);
    const ms = span.to - span.from;
    const at = isCrowded ? (latest.get(name) ?? -1) : bars.length - 1;
    const last = bars[at];
    if (last !== undefined && last.look === look && last.name === name && x < last.x + last.width + 0.5) {
      const [count, all] = [last.count + 1, last.ms + ms];
      const wider = Math.max(last.width, x + width - last.x);
      bars[at] = { ...last, width: wider, count, ms: all, title: `${count} × ${name}, ${duration(all)}` };
    } else {
      latest.set(name, bars.length);
      bars.push({ look, x, width, name, count: 1, ms, title: `${name}, ${duration(ms)}` });
    }
  }
  return bars;
}

function lookOf({ is, role }: Span): Look {
  if (is === "session") return role !== null && sideOf(role) === "checker" ? "judge" : "make";
  return is === "proving" || is === "checking" ? "prove" : "wait";
}

const nameOf = ({ is, role }: Span): string =>
  ({
    session: role === null ? "session" : roleName(role),
    proving: "proving",
    checking: "running the checks",
    waiting: "waiting",
    resting: "resting",
    away: "not running",
  })[is];
