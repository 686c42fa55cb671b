// New functions, and new branches, that say themselves that they are not there yet: no test needs to reach them.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { changedCode } from "../sides.ts";
import { addedTo, bodies } from "../source/index.ts";

const stub =
  /^(?:raise NotImplementedError\b.*|throw new \w*Error\(["'`][^"'`]*not (?:yet )?implemented.*|(?:todo|unimplemented)!\(.*|panic\(["`][^"`]*not (?:yet )?implemented.*)$/i;

/** A method that subclasses define is meant to be like that. */
export function unfinishedQuestions({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  const { base, candidate } = sides;
  const asked = [feature.name, feature.description, ...feature.criteria].join("\n");
  if (/not (?:yet )?implemented|NotImplemented|abstract|interface/i.test(asked)) return [];
  const files = changedCode(sides).filter(({ kind }) => kind !== "deleted");
  const all = files.flatMap(({ path }) => {
    const text = candidate.text(path) ?? "";
    const known = new Set(bodies(path, base.text(path) ?? "").map(({ name }) => name));
    return bodies(path, text).map(({ name, from, to }) => ({
      name,
      path,
      isStub: !known.has(name) && stub.test(bare(text.slice(from, to))),
      isAbstract: /@(?:abc\.)?abstract\w*\s*(?:async )?def[^@]*$/.test(text.slice(0, from)),
    }));
  });
  const isDefinedElsewhere = (name: string): boolean => all.some((one) => one.name === name && !one.isStub);
  const found = all.filter(({ name, isStub, isAbstract }) => isStub && !isAbstract && !isDefinedElsewhere(name));
  const old = files.map(({ path }) => base.text(path) ?? "").join("\n");
  const branches = files.flatMap(({ path }) =>
    branchesIn(path, base.text(path) ?? "", candidate.text(path) ?? "").filter(({ error }) => !old.includes(error)),
  );
  return [
    ...(found.length === 0
      ? []
      : [`It is not finished: ${listed(found.map(({ name, path }) => `${name}() of ${path}`))} only says so.`]),
    ...(branches.length === 0
      ? []
      : [
          `It is not finished, as it says itself: ${listed(branches.map(({ at, error }) => `${at} ${error.slice(0, 80)}`))}. Build that as well; if the feature leaves it out, a person has to look.`,
        ]),
  ];
}

const raised =
  /\braise NotImplementedError\b[^\n]*|\b(?:throw new \w*Error|raise \w*(?:Error|Exception))\(\s*f?(["'`])(?:(?!\1)[^\n])*|\b(?:todo|unimplemented)!\([^\n]*|\bpanic!?\(["`][^\n]*/g;
const later = /not (?:yet )?implemented|\bunimplemented|\bTODO\b|\bFIXME\b|\b(?:comes?|implemented) later\b/;
/** An input that is refused, for good. */
const refuses = /\b(?:un|not )supported|\bunknown\b|\bonly\b|\bcannot\b|\binvalid\b|\bmust\b|\bsubclass/i;

/** In a comment, or after a quote that is open. */
const isText = (before: string): boolean =>
  /^\s*(?:\/\/|#|\*)/.test(before) || (before.match(/["'`]/g)?.length ?? 0) % 2 === 1;

/** Errors that a change puts among other work, with their lines; what a whole function consists of is not one. */
function branchesIn(path: string, before: string, text: string): { readonly at: string; readonly error: string }[] {
  const added = new Set(addedTo(before, text).map(({ line }) => line));
  const stubs = bodies(path, text).filter(({ from, to }) =>
    /^(?:raise|throw|todo!|unimplemented!|panic)[^\n]*$/.test(bare(text.slice(from, to))),
  );
  return Array.from(text.matchAll(raised)).flatMap(({ 0: error, index }) => {
    const line = text.slice(0, index).split("\n").length;
    const start = text.slice(text.lastIndexOf("\n", index) + 1, index);
    const isLater = /NotImplementedError/.test(error)
      ? !refuses.test(error)
      : /^(?:todo|unimplemented)!/.test(error) || later.test(error);
    const isIn = ({ from, to }: { from: number; to: number }): boolean => from <= index && index < to;
    if (!isLater || !added.has(line) || isText(start) || stubs.some(isIn)) return [];
    return [{ at: `${path}:${line}`, error }];
  });
}

/** Without its braces, comments and description. */
const bare = (body: string): string =>
  body
    .replace(/^\s*\{|\}\s*$/g, "")
    .replace(/"""[\s\S]*?"""|^\s*(?:\/\/|#).*$/gm, "")
    .trim();
