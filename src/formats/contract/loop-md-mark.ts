// A contract that a run drafted for its own request must not govern later ones. The draft says what the loop wrote in
// each section; a section that still says exactly that is not a person's.

import { sha256 } from "../text/sha256.ts";
import { type LoopMd, readLoopMd } from "./loop-md.ts";
import { noCaps } from "./written-caps.ts";

const sections = ["goal", "scope", "autonomy", "limits", "described"] as const;
type Section = (typeof sections)[number];

const mark =
  /<!-- Drafted by (?:a run|loop init)\.[^\n]*? goal=(\w+) scope=(\w+) autonomy=(\w+)(?: limits=(\w+) described=(\w+))? -->/;

export const markDraft = (text: string): string =>
  marked(text, "Drafted by a run. A section that you change holds for later runs; the others do not.", sections);

/** A draft whose goal, scope and autonomy are a person's answers. */
export const markAnswered = (text: string): string =>
  marked(text, "Drafted by loop init. Limits hold once you change them here; until then loop.yaml alone has them.", [
    "limits",
    "described",
  ]);

function marked(text: string, note: string, ours: readonly Section[]): string {
  const hashes = hashesOf(readLoopMd(text));
  const says = sections.map((name) => `${name}=${ours.includes(name) ? hashes[name] : "yours"}`).join(" ");
  return text.replace(/^(# [^\n]*\n)/, (title) => `${title}\n<!-- ${note} ${says} -->\n`);
}

/** `drafted`: sections that only a run wrote, so that they say nothing. */
export type PersonsLoopMd = LoopMd & { readonly drafted: readonly Section[] };

/** What a person wrote. */
export function readPersonsLoopMd(text: string): PersonsLoopMd {
  const says = readLoopMd(text);
  const found = mark.exec(text);
  const now = hashesOf(says);
  const isOurs = (name: Section): boolean => {
    if (found === null) return false;
    // An earlier version did not mark the last two, and they were its own.
    return (found[sections.indexOf(name) + 1] ?? now[name]) === now[name];
  };
  return {
    ...says,
    ...(isOurs("goal") ? { goal: null } : {}),
    ...(isOurs("scope") ? { include: null, exclude: [], notes: [] } : {}),
    ...(isOurs("autonomy") ? { autonomy: null } : {}),
    ...(isOurs("limits") ? { limits: noCaps } : {}),
    ...(isOurs("described") ? { described: { trigger: [], verification: [], memory: [], escalation: [] } } : {}),
    drafted: sections.filter(isOurs),
  };
}

const hashesOf = ({ goal, include, exclude, notes, autonomy, limits, described }: LoopMd): Record<Section, string> => ({
  goal: short(goal),
  scope: short([include, exclude, notes]),
  autonomy: short(autonomy),
  limits: short(limits),
  described: short(described),
});

const short = (value: unknown): string => sha256(JSON.stringify(value)).slice(0, 12);
