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

export const roleName = (role: Role): string => role.replaceAll("-", " ");

export function lanesOf({ features, timeline }: Overview, scale: Scale): Lane[] {
  const { spans, marks } = timeline;
  const touched = new Set<string>([...spans, ...marks].flatMap(({ feature }) => (feature === null ? [] : [feature])));
  const known = features.filter(({ id }) => touched.has(id));
  // A feature that a person has since removed from the queue was still worked on.
  const ids = [...known.map(({ id }) => id), ...[...touched].filter((id) => !known.some((each) => each.id === id))];
  const alone = ids.length > lanesMax ? ids.slice(0, lanesMax - 1) : ids;
  const rest = ids.slice(alone.length);
  const lane = (label: string, title: string, isIn: (feature: string | null) => boolean): Lane => ({
    label,
    title,
    bars: barsOf(
      spans.filter(({ feature }) => isIn(feature)),
      scale,
    ),
    marks: marksOf(
      marks.filter(({ feature }) => isIn(feature)),
      scale,
    ),
  });
  return [
    lane("run", "The run itself", (feature) => feature === null),
    ...alone.map((id) => lane(id, features.find((each) => each.id === id)?.name ?? "", (feature) => feature === id)),
    ...(rest.length === 0
      ? []
      : [
          lane(
            `+${rest.length}`,
            `${rest.length} more features`,
            (feature) => feature !== null && rest.includes(feature),
          ),
        ]),
  ];
}

export const markNames: Readonly<Record<Mark["is"], string>> = {
  commit: "committed",
  refused: "did not count",
  "rolled-back": "rolled back",
};

const markWidth = 13;

/** Overlapping markers are merged into one with a count. A commit always has its own. */
function marksOf(marks: readonly Mark[], scale: Scale): Lane["marks"] {
  const shown: { is: Mark["is"]; x: number; title: string; count: number }[] = [];
  for (const { is, at, feature } of marks) {
    const x = xOf(scale, at);
    const last = shown.at(-1);
    const title = `${feature ?? "run"}: ${markNames[is]}`;
    // A roll-back says more than the failed attempt that it directly follows.
    if (last === undefined || x - last.x >= markWidth || is === "commit" || last.is === "commit")
      shown.push({ is, x, title, count: 1 });
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
  for (const span of spans) {
    const x = xOf(scale, span.from);
    const width = Math.max(barWidthMin, xOf(scale, span.to) - x);
    const look = lookOf(span);
    const name = nameOf(span);
    const ms = span.to - span.from;
    const last = bars.at(-1);
    if (last !== undefined && last.look === look && last.name === name && x < last.x + last.width + 0.5) {
      const [count, all] = [last.count + 1, last.ms + ms];
      const wider = Math.max(last.width, x + width - last.x);
      bars[bars.length - 1] = { ...last, width: wider, count, ms: all, title: `${count} × ${name}, ${duration(all)}` };
    } else bars.push({ look, x, width, name, count: 1, ms, title: `${name}, ${duration(ms)}` });
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
