// What a change removes: whole files, public functions and names, keys of data, execute permission. No test uses them,
// so nothing shows that they may be removed.
import type { Case } from "../case.ts";
import { isLockfile } from "../classify/index.ts";
import { listed } from "../findings/said.ts";
import { bodies, wordsIn } from "../source/index.ts";
import { keysOf, lostRows } from "./data-keys.ts";
import { entries, exportedNames, publicNames } from "./public-names.ts";

type Changed = Pick<Case, "sides" | "feature">;
type Gone = { readonly names: readonly string[]; readonly what: string; readonly isAsked: boolean };

/** One question; null: everything removed was moved elsewhere, or the feature says to remove it. */
export function removalQuestion(changed: Changed): string | null {
  if (changed.feature.kind === "judge") return null;
  const gone = removed(changed).filter(({ isAsked }) => !isAsked);
  if (gone.length === 0) return null;
  return `It removes or changes what no test needs: ${listed(gone.map(({ what }) => what))}. Put it back, unless the feature asks for that; then a person has to look.`;
}

/** The names that the change removes, when the feature says to remove every one of them. */
export function askedRemovals(changed: Changed): readonly string[] {
  const gone = removed(changed);
  return gone.every(({ isAsked }) => isAsked) ? gone.flatMap(({ names }) => names) : [];
}

function removed({ sides, feature }: Changed): Gone[] {
  const { base, candidate, changes, moved } = sides;
  const from = new Set(moved.map((move) => move.from));
  const product = changes.filter(({ side, isNew }) => side === "product" && !isNew);
  const files = product.filter(({ kind, path }) => kind === "deleted" && !from.has(path)).map(({ path }) => path);
  const kept = product.filter(({ kind }) => kind === "modified").map(({ path }) => path);
  const isDocument = new Set(product.filter((change) => change.isDocument).map(({ path }) => path));
  const now = changes.filter(({ side, kind }) => side === "product" && kind !== "deleted").map(({ path }) => path);
  const was = (path: string): string => base.text(path) ?? "";
  const is = (path: string): string => candidate.text(path) ?? "";
  const words = now.map((path) => wordsIn(path, is(path)));
  const named = new Set(product.flatMap(({ path }) => insides(path, was(path)).map(({ name }) => name)));
  const bodiesNow = now
    .flatMap((path) => insides(path, is(path)))
    .filter(({ name }) => !named.has(name))
    .map(({ inside }) => inside);
  // It still exists under a new name.
  const isRenamed = (path: string, name: string): boolean =>
    insides(path, was(path)).some((one) => one.name === name && bodiesNow.includes(one.inside));
  const functions = kept.flatMap((path) =>
    publicNames(path, was(path))
      .filter((name) => !words.some((known) => known.has(name)) && !isRenamed(path, name))
      .map((name) => ({ name, what: `${name}${path.endsWith(".d.ts") ? "" : "()"} of ${path}` })),
  );
  const exported = new Set(now.flatMap((path) => exportedNames(path, is(path))));
  const names = kept.flatMap((path) =>
    exportedNames(path, was(path))
      .filter((name) => !exported.has(name) && !isRenamed(path, name))
      .map((name) => ({ name, what: `the export ${name} of ${path}` })),
  );
  // Programs write lockfiles.
  const keys = kept
    .filter((path) => !isLockfile(path))
    .flatMap((path) => {
      const left = keysOf(path, is(path));
      const gone = left === null ? [] : [...(keysOf(path, was(path)) ?? [])].filter((key) => !left.has(key));
      return gone.map((key) => ({ name: key, what: `${key} of ${path}` }));
    });
  const rows = kept
    .filter((path) => !isLockfile(path) && !isDocument.has(path))
    .flatMap((path) =>
      lostRows(path, was(path), is(path)).map((name) => ({ name, what: `the line ${name} of ${path}` })),
    );
  const chosen = kept.flatMap((path) => {
    const left = new Set(entries(path, is(path)));
    return entries(path, was(path))
      .filter((name) => !left.has(name) && !words.some((known) => known.has(name)))
      .map((name) => ({ name, what: `the entry ${name} of ${path}` }));
  });
  const modes = product.filter(({ mode }) => mode === true).map(({ path }) => path);
  const once = new Set(functions.map(({ name }) => name));
  const namesOf = (path: string): string[] => [...publicNames(path, was(path)), ...exportedNames(path, was(path))];
  const isFileAsked = (path: string): boolean =>
    isToGo(feature, path) || (namesOf(path).length > 0 && namesOf(path).every((name) => isToGo(feature, name)));
  const gone = [
    ...functions,
    ...names.filter(({ name }) => !once.has(name)),
    ...keys,
    ...rows,
    ...chosen.filter(({ name }) => !once.has(name)),
    ...modes.map((path) => ({ name: path, what: `the mode of ${path}` })),
  ];
  return [
    ...files.map((path) => ({ names: [path, ...namesOf(path)], what: path, isAsked: isFileAsked(path) })),
    ...gone.map(({ name, what }) => ({ names: [name], what, isAsked: isToGo(feature, name) })),
  ];
}

/** The feature itself says to remove it, or to call it something else. */
function isToGo({ name: title, description, criteria }: Case["feature"], name: string): boolean {
  const asked = [title, description, ...criteria].join("\n");
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const itself = `(?<![\\w/])${escaped}(?![\\w/])`;
  const said = (order: string, after = ""): boolean =>
    new RegExp(`\\b(?:${order})\\b[^.\\n]*${itself}${after}`, "i").test(asked);
  const isGone = new RegExp(
    `${itself}[^.,;\\n]*\\b(?:is|are|be)\\s+(?:gone|removed|deleted|dropped)\\b|${itself}[^.,;\\n]*\\bno longer exists?\\b`,
    "i",
  );
  return said("remove|delete|drop|get rid of") || said("rename", "[^.\\n]*\\b(?:to|into|as)\\b") || isGone.test(asked);
}

const insides = (path: string, text: string): { name: string; inside: string }[] =>
  bodies(path, text).map(({ name, from, to }) => ({ name, inside: text.slice(from, to).replace(/\s+/g, " ").trim() }));
