// Pieces of prompts. A prompt stays the same size however long the run is: long text goes into a file.

/** Text from a repository, an agent or a person, marked as data rather than instructions. */
export function quoted(title: string, text: string, charactersMax: number): string {
  const body =
    text.length > charactersMax
      ? `${text.slice(0, charactersMax)}\n… (${text.length - charactersMax} more characters)`
      : text;
  const fence = "`".repeat(Math.max(3, longestRun(body) + 1));
  return `${title}\n${fence}text\n${body}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), (match) => match[0].length));
}

export const numbered = (prefix: string, lines: readonly string[]): string =>
  lines.map((line, index) => `${prefix}${index + 1}. ${line}`).join("\n");

/** Joins the non-empty sections with blank lines. */
export const sections = (...parts: readonly (string | null)[]): string =>
  `${parts.filter((part) => part !== null && part !== "").join("\n\n")}\n`;
