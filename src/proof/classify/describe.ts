// The split for people: what a feature may change, and what is protected, each with its reason.
import type { View } from "../view.ts";
import type { Classification } from "./kinds.ts";

export type Shown = { readonly path: string; readonly reason: string };
export type Split = { readonly product: readonly Shown[]; readonly protected: readonly Shown[] };

/** A manifest is in both lists. Caches and the loop's own files are in neither. */
export function describeSplit(classification: Classification, view: View): Split {
  const all = view.paths.map((path) => ({ path, class: classification.of(path) }));
  const shown = (kinds: readonly string[]): readonly Shown[] =>
    all
      .filter((each) => kinds.includes(each.class.kind))
      .map((each) => ({ path: each.path, reason: each.class.reason }));
  return { product: shown(["product", "mixed"]), protected: shown(["judge", "mixed"]) };
}
