// A contract that a run drafted for its own request must not govern later ones. The draft says what the loop wrote in
// each section; a section that still says exactly that is not a person's.
import { type LoopMd, readLoopMd } from "./loop-md.ts";
import { sha256 } from "./sha256.ts";

const sections = ["goal", "scope", "autonomy"] as const;
type Section = (typeof sections)[number];

const mark = /<!-- Drafted by a run\.[^\n]*? goal=(\w{12}) scope=(\w{12}) autonomy=(\w{12}) -->/;

export function markDraft(text: string): string {
  const hashes = hashesOf(readLoopMd(text));
  const says = sections.map((name) => `${name}=${hashes[name]}`).join(" ");
  const line = `<!-- Drafted by a run. A section that you change holds for later runs; the others do not. ${says} -->`;
  return text.replace(/^(# [^\n]*\n)/, (title) => `${title}\n${line}\n`);
}

/** `drafted`: sections that only a run wrote, so that they say nothing. */
export type PersonsLoopMd = LoopMd & { readonly drafted: readonly Section[] };

/** What a person wrote. */
export function readPersonsLoopMd(text: string): PersonsLoopMd {
  const says = readLoopMd(text);
  const [, ...drafted] = mark.exec(text) ?? [];
  const now = hashesOf(says);
  const isOurs = (name: Section): boolean => drafted[sections.indexOf(name)] === now[name];
  return {
    ...says,
    ...(isOurs("goal") ? { goal: null } : {}),
    ...(isOurs("scope") ? { include: null, exclude: [], notes: [] } : {}),
    ...(isOurs("autonomy") ? { autonomy: null } : {}),
    drafted: sections.filter(isOurs),
  };
}

const hashesOf = ({ goal, include, exclude, notes, autonomy }: LoopMd): Record<Section, string> => ({
  goal: short(goal),
  scope: short([include, exclude, notes]),
  autonomy: short(autonomy),
});

const short = (value: unknown): string => sha256(JSON.stringify(value)).slice(0, 12);
