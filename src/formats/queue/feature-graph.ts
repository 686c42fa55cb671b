// Checks features against each other: duplicate ids, unknown dependencies, and cycles.
import { nearest } from "../text/nearest.ts";

/** A suggestion compares every id, so only the first few problems get one. */
const hintsMax = 20;

type Node = { readonly id: string; readonly dependencies: readonly string[] };

export function graphProblems(features: readonly Node[]): string[] {
  const problems = duplicates(features);
  const byId = new Map(features.map((feature) => [feature.id as string, feature]));
  let hints = hintsMax;
  for (const { id, dependencies } of features) {
    for (const dependency of dependencies) {
      if (byId.has(dependency)) continue;
      const meant = hints-- > 0 ? nearest(dependency, othersThan(id, byId.keys())) : null;
      const hint = meant === null ? "" : `; did you mean ${meant}?`;
      problems.push(`${id} depends on unknown feature ${show(dependency)}${hint}`);
    }
  }
  const cycle = findCycle(features, byId);
  if (cycle !== null) problems.push(`the dependencies go in a circle: ${circle(cycle)}`);
  return problems;
}

function* othersThan(id: string, ids: Iterable<string>): Iterable<string> {
  for (const other of ids) if (other !== id) yield other;
}

/** Ids become file names, and some systems do not distinguish `f001` from `F001`. */
function duplicates(features: readonly Node[]): string[] {
  const seen = new Map<string, string>();
  return features.flatMap(({ id }) => {
    const first = seen.get(id.toLowerCase());
    if (first === undefined) seen.set(id.toLowerCase(), id);
    return first === undefined ? [] : [`duplicate id ${id}${first === id ? "" : ` (as ${first})`}`];
  });
}

/** Depth first with an explicit stack: a chain of a hundred thousand features is legal, and must not overflow. */
function findCycle(features: readonly Node[], byId: ReadonlyMap<string, Node>): string[] | null {
  const done = new Set<string>();
  for (const { id } of features) {
    const trail: { id: string; next: number }[] = done.has(id) ? [] : [{ id, next: 0 }];
    const open = new Set(trail.map((step) => step.id));
    for (let step = trail.at(-1); step !== undefined; step = trail.at(-1)) {
      const dependency = byId.get(step.id)?.dependencies[step.next];
      step.next += 1;
      if (dependency === undefined) {
        done.add(step.id);
        open.delete(step.id);
        trail.pop();
      } else if (open.has(dependency)) {
        const ids = trail.map((each) => each.id);
        return [...ids.slice(ids.indexOf(dependency)), dependency];
      } else if (!done.has(dependency)) {
        trail.push({ id: dependency, next: 0 });
        open.add(dependency);
      }
    }
  }
  return null;
}

function circle(ids: readonly string[]): string {
  const shown = ids.length > 12 ? [...ids.slice(0, 6), "…", ...ids.slice(-5)] : ids;
  return shown.join(" → ");
}

const show = (id: string): string => (/^[\w.-]{1,64}$/.test(id) ? id : JSON.stringify(id.slice(0, 40)));
