// Stilted phrases in what we write: the words that CONTRIBUTING.md asks to leave out, counted per 1,000 words.

/** Each has a plain word: no one, another, again, next to, separate, resume, is missing, duplicate. */
export const stilted = [
  /\bnobody\b/gi,
  /\bsomebody\b/gi,
  /\bwhoever\b/gi,
  /\banew\b/gi,
  /\bmend(?:s|ed|ing)?\b/gi,
  /\bbeside\b/gi,
  // "a room of its own", but not "the duration of its own effect".
  /\bof (?:its|their|his|her|our) own\b(?!\s+(?!(?:with|yet|that|and|or|which|in|also)\b)[a-z])/gi,
  /\blets? go of\b/gi,
  /\bgo(?:es)? on with\b/gi,
  /\bis told as\b/gi,
  /\bhow manieth\b/gi,
  /\bfrom begin to end\b/gi,
  /\b(?:is|are|was|were) (?:not )?there (?:twice|any more)\b/gi,
  /\bwhich (?:is|are) not there\b/gi,
  /\bwhat (?:is|was) not there\b/gi,
  /\bwithout a word\b/gi,
  /\bput right\b/gi,
];

/** @param {string} text @returns {{ words: number, found: string[] }} `found`: each phrase with a few words around it. */
export function stiltedIn(text) {
  const found = stilted.flatMap((phrase) =>
    [...text.matchAll(phrase)].map(({ index, 0: word }) =>
      text.slice(Math.max(0, index - 40), index + word.length + 30).replace(/\s+/g, " "),
    ),
  );
  return { words: (text.match(/[A-Za-z][A-Za-z'’-]*/g) ?? []).length, found };
}

/** Whole-line and block comments; those at the end of a line are too rare to matter. */
export function commentsIn(code) {
  const lines = code.match(/^[ \t]*(?:\/\/|\/?\*).*$/gm) ?? [];
  return lines.map((line) => line.replace(/^[ \t]*(?:\/\/|\/\*+|\*\/?)|\*\/$/g, "")).join("\n");
}

/** The titles of tests: the first text after `test(`, `describe(`, or the table of a `test.each`. */
export function titlesIn(code) {
  const plain = [...code.matchAll(/\b(?:test|describe|behaves)(?:\.\w+)*\(\s*(["`])(.*?)\1/g)].map((match) => match[2]);
  const tables = [...code.matchAll(/^\s*\]\)\(\s*(["`])(.*?)\1/gm)].map((match) => match[2]);
  return [...plain, ...tables].join("\n");
}

/** Prose of a document: without code, and without what is quoted from elsewhere. */
export const proseIn = (markdown) => markdown.replaceAll(/```[\s\S]*?```/g, "").replaceAll(/`[^`\n]*`/g, "");
