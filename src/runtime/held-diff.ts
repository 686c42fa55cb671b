// The diff of held work: a hint for the next builder, and shown to the person who decides.
export const heldDiff = (feature: string): string => `held/${feature}.diff`;

/** The part of a diff that concerns these files, without git's header lines; null if there is none. */
export function diffOf(diff: string, files: readonly string[]): string | null {
  const parts = diff
    .split(/^(?=diff --git )/m)
    .filter((part) => pathsOf(part).some((path) => files.includes(path)))
    .map((part) => part.slice(Math.max(0, part.search(/^--- /m))).trimEnd());
  return parts.length === 0 ? null : parts.join("\n");
}

/** Removes the parts about the loop's own files: they are not part of the work. */
export const withoutOurs = (diff: string, ours: ReadonlySet<string>): string =>
  diff
    .split(/^(?=diff --git )/m)
    .filter((part) => {
      const paths = pathsOf(part);
      return paths.length === 0 || !paths.every((path) => ours.has(path));
    })
    .join("");

const pathsOf = (part: string): string[] =>
  Array.from(part.matchAll(/^(?:---|\+\+\+) "?[ab]\/(.*?)"?\t?$/gm), ([, path = ""]) => path);
