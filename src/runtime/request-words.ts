// Similar requests: work that is requested again and again could be done without an agent.

/** Words without meaning for the request. */
const empty = new Set(
  "a an and are as at be but by can could do does for from has have in into is it its me my of on or our please so that the their them then there these they this to us want was we when which will with would you your".split(
    " ",
  ),
);

/** The words that identify a request, sorted, each once: numbers are one word, plurals are singular. */
export const wordsOf = (text: string): string[] =>
  meaning(
    text
      .toLowerCase()
      .normalize("NFKC")
      .replace(/v?\d+(?:[.\d-]*\d)?/g, " # ")
      .match(/[\p{L}\p{M}]+|#/gu),
  );

/** The same of a fact, where another number is another fact. */
export const factWordsOf = (text: string): string[] =>
  meaning(
    text
      .toLowerCase()
      .normalize("NFKC")
      .match(/[\p{L}\p{M}\p{N}]+(?:[.-]\p{N}+)*/gu),
  );

function meaning(words: readonly string[] | null): string[] {
  const kept = (words ?? []).filter((word) => !empty.has(word)).map(singular);
  return [...new Set(kept)].sort();
}

const singular = (word: string): string => (/[^su]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word);

/**
 * The minimum similarity of two requests: the share of words they have in common of all that either has. "Add a French
 * translation of the help page" and the same with Dutch have 4 of 6 (0.67); "Add a login page" and "Add a help page"
 * have 2 of 4 (0.5), and are different work. The threshold lies between the two.
 */
const alikeMin = 0.6;
/** One word, such as "continue", does not describe any work. */
const wordsMin = 2;

/** How many of the requests are similar to this one. */
export function alike(requests: readonly string[], request: string): number {
  const wanted = wordsOf(request);
  if (wanted.length < wordsMin) return 0;
  return requests.filter((other) => share(wordsOf(other), wanted) >= alikeMin).length;
}

function share(a: readonly string[], b: readonly string[]): number {
  const common = a.filter((word) => b.includes(word)).length;
  const all = a.length + b.length - common;
  return all === 0 ? 0 : common / all;
}

/** The third one makes it a pattern. */
export function patternHint(nth: number, run: string): string | null {
  if (nth < 3) return null;
  return `This is the ${ordinal(nth)} request like this. The steps are in \`loop show ${run}\`; a script or a check could do it without an agent.`;
}

function ordinal(number: number): string {
  const teens = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${teens ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th")}`;
}
