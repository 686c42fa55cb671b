// The diff of held work: a hint for the next builder, and what a person is shown when they have to decide.
export const heldDiff = (feature: string): string => `held/${feature}.diff`;

/** The part of a diff that is about these files, without git's own header lines; null: it is about none of them. */
export function diffOf(diff: string, files: readonly string[]): string | null {
  const parts = diff
    .split(/^(?=diff --git )/m)
    .filter((part) => pathsOf(part).some((path) => files.includes(path)))
    .map((part) => part.slice(Math.max(0, part.search(/^--- /m))).trimEnd());
  return parts.length === 0 ? null : parts.join("\n");
}

/** Without the parts about the loop's own files: they are nobody's work. */
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
