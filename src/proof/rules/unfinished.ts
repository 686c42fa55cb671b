// New functions that say themselves that they are not there yet: a test can put something else in their place.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { changedCode } from "../sides.ts";
import { bodies } from "../source/index.ts";

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
  if (found.length === 0) return [];
  return [`It is not finished: ${listed(found.map(({ name, path }) => `${name}() of ${path}`))} only says so.`];
}

/** Without its braces, comments and description. */
const bare = (body: string): string =>
  body
    .replace(/^\s*\{|\}\s*$/g, "")
    .replace(/"""[\s\S]*?"""|^\s*(?:\/\/|#).*$/gm, "")
    .trim();
