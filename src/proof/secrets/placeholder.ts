// Values in the place of a secret: repetitions, sequences, words. Only a value that is nothing else is excused: a real
// key with "example" or "1234567" in it is a real key.
import { stretchOf } from "./randomness.ts";

export const isPlaceholder = (value: string): boolean => isMadeUp(value) || isWords(withoutRuns(value));

/** Letters in whole words, a few digits, and nothing random in between. */
function isWords(value: string): boolean {
  const words = value.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const [letters, digits] = [words.join("").length, value.replace(/\D/g, "").length];
  if (digits > digitShareMax * (letters + digits) || letters < wordLengthMean * words.length) return false;
  return stretchOf(value) < (/[a-z]/.test(value) ? wordStretch : capitalsStretch);
}
/** A random value changes its case every two letters or so. */
const wordLengthMean = 3.5;
const digitShareMax = 0.2;
/** Rare words look a little random, too. */
const wordStretch = 5;
/** Capitals alone have no case to change. */
const capitalsStretch = 2.5;

/** Typed by a person, however random it looks: `xxxx`, `abcdef0123456789`, `a1b2c3d4`, `deadbeefdeadbeef`. */
function isMadeUp(value: string): boolean {
  const bare = value.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
  if (new Set(bare).size <= 3 || isRepetition(bare)) return true;
  const [letters, digits] = [bare.replace(/[^a-z]/g, ""), bare.replace(/[^0-9]/g, "")];
  return isSequences(bare) || (isSequences(letters) && isSequences(digits));
}

/** Every character once: an alphabet to choose from. A key of that length repeats some. */
export const isAlphabet = (value: string): boolean => value.length >= 32 && new Set(value).size === value.length;

const unitMax = 8;

function isRepetition(text: string): boolean {
  for (let unit = 1; unit <= Math.min(unitMax, text.length / 2); unit++) {
    if (text.slice(unit) === text.slice(0, -unit)) return true;
  }
  return false;
}

/** `0011aabb` counts as `01ab`; a remainder at the end is too short to be a run. */
function isSequences(text: string): boolean {
  const once = text.replace(/(.)\1+/g, "$1");
  return once.length >= runMin && withoutRuns(once).length < runMin;
}

const rows = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];
const both = (one: string, two: string): string[] => [`${one}${two}`, `${two}${one}`];
const neighbours = new Set(rows.flatMap((row) => [...row].slice(1).flatMap((char, at) => both(row[at] ?? "", char))));
const runMin = 4;

/** The text without runs along the alphabet, the digits or the keyboard, and without repeated characters. */
function withoutRuns(text: string): string {
  const goesOn = (at: number): boolean => {
    const pair = text.slice(at - 1, at + 1).toLowerCase();
    return pair[0] === pair[1] || neighbours.has(pair);
  };
  let rest = "";
  for (let start = 0, end = 1; start < text.length; start = end, end = start + 1) {
    while (end < text.length && goesOn(end)) end += 1;
    if (end - start < runMin) rest += text.slice(start, end);
  }
  return rest;
}
