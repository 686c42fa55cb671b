// Matches paths against globs. Caches compiled globs: every proof uses the same ones, and compiling is slow.
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
/** A long queue may have different globs for every feature. */
const compiledMax = 200;
