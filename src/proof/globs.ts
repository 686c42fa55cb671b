// Globs as a question about a path. The same ones are asked about in every proof, and compiling them takes longer than asking.
import picomatch from "picomatch";

export type Matches = (path: string) => boolean;

/** No globs match nothing. */
export function matcher(globs: readonly string[]): Matches {
  if (globs.length === 0) return () => false;
  const key = globs.join("\n");
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const made = picomatch([...globs], { dot: true });
  if (compiled.size >= compiledMax) compiled.clear();
  compiled.set(key, made);
  return made;
}

const compiled = new Map<string, Matches>();
/** A long queue may have globs of its own for every feature. */
const compiledMax = 200;
