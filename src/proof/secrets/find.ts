// Finds secrets in the lines that a change adds: by the providers' formats, and by values that look random.
import { passwordsIn } from "./addresses.ts";
import type { Format } from "./format.ts";
import { formats } from "./formats/index.ts";
import { isPlaceholder } from "./placeholder.ts";
import { insideBlocks, privateKeyAt } from "./private-keys.ts";
import { randomValuesIn } from "./random-values.ts";
import { stretchOf } from "./randomness.ts";
import type { AddedLine, SecretHit, SecretOptions } from "./secret.ts";

/** A line of a bundle can be endless; beyond this it is data. */
const lineLengthMax = 200_000;
/** How far away a provider's name may be from a key without a prefix. */
const nearLines = 2;
/** Every key contains a run of these; most lines do not, and are skipped here. */
const mayHoldKey = /[\w+/=.:~%$@-]{16}|:\/\//;

type Found = Pick<SecretHit, "what" | "sure" | "masked">;

export function findSecrets(lines: readonly AddedLine[], options: SecretOptions): readonly SecretHit[] {
  const inBlock = insideBlocks(lines);
  return lines.flatMap((line, at) => {
    const text = line.text.length > lineLengthMax ? line.text.slice(0, lineLengthMax) : line.text;
    const found = [
      ...keysIn(lines, at, options),
      ...valuesIn(text, {
        around: () => around(lines, at),
        mayBeHash: options.isLockfile(line.path) || inBlock.has(line),
      }),
    ];
    return distinct(found).map((each) => ({ path: line.path, line: line.line, ...each }));
  });
}

function keysIn(lines: readonly AddedLine[], at: number, { isTest }: SecretOptions): Found[] {
  const key = privateKeyAt(lines, at);
  if (key === null) return [];
  const sure = key.whole && !isTest(lines[at]?.path ?? "");
  return [{ what: "private key", sure, masked: "-----BEGIN … PRIVATE KEY-----" }];
}

type Context = { readonly around: () => string; readonly mayBeHash: boolean };

/** The letter of an escape is not part of a word: `"\nghp_…"`. */
const withoutEscapes = (text: string): string => text.replace(/\\[nrt]/g, "  ");
const escaped = /%[0-9A-Fa-f]{2}/;
const decoded = (text: string): string =>
  text.replace(new RegExp(escaped, "g"), (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

function valuesIn(text: string, { around: context, mayBeHash }: Context): Found[] {
  if (!mayHoldKey.test(text)) return [];
  const { found, rest } = byFormat(withoutEscapes(text), context);
  if (escaped.test(text)) found.push(...byFormat(decoded(text), context).found);
  if (mayBeHash) return found;
  const addresses = passwordsIn(rest);
  const bare = addresses.reduce((left, { index, text: whole }) => blanked(left, index, whole.length), rest);
  return [
    ...found,
    ...addresses.map(({ text: whole }) => ({
      what: "password in an address",
      sure: false,
      masked: `${whole.slice(0, whole.indexOf("://"))}://…`,
    })),
    ...randomValuesIn(bare).map(({ text: value }) => ({
      what: "random value",
      sure: false,
      masked: `… (${value.length} characters)`,
    })),
  ];
}

/** Blanks out each match for the rules after it, so that one value is one hit. */
function byFormat(text: string, context: () => string): { found: Found[]; rest: string } {
  const found: Found[] = [];
  let rest = text;
  for (const format of formats) {
    for (const { index, whole, body } of matchesOf(format, rest)) {
      if (format.near !== null && !format.near.test(context())) continue;
      rest = blanked(rest, index, whole.length);
      if (!isExcused(format, body)) found.push({ what: format.what, sure: format.sure, masked: masked(whole, body) });
    }
  }
  return { found, rest };
}

const blanked = (text: string, index: number, length: number): string =>
  `${text.slice(0, index)}${" ".repeat(length)}${text.slice(index + length)}`;

const isExcused = ({ stretchMin }: Format, body: string): boolean =>
  isPlaceholder(body) || stretchOf(body) < stretchMin;

type Match = { readonly index: number; readonly whole: string; readonly body: string };

function matchesOf({ pattern }: Format, text: string): Match[] {
  // Most lines match no format: testing first is cheaper than listing.
  if (text.search(pattern) === -1) return [];
  return [...text.matchAll(pattern)].map((match) => ({
    index: match.index,
    whole: match[0],
    body: match.groups?.["body"] ?? match[0],
  }));
}

/** The public prefix, and the length of the secret. */
const masked = (whole: string, body: string): string =>
  `${whole.slice(0, whole.indexOf(body))}… (${whole.length} characters)`;

function around(lines: readonly AddedLine[], at: number): string {
  const here = lines[at];
  if (here === undefined) return "";
  return lines
    .slice(Math.max(0, at - nearLines), at + nearLines + 1)
    .filter(({ path, line }) => path === here.path && Math.abs(line - here.line) <= nearLines)
    .map(({ text }) => text.slice(0, 2000))
    .join("\n");
}

/** One of each kind per line; a value that only looks random adds nothing to a known secret. */
function distinct(found: readonly Found[]): Found[] {
  const byKind = [...new Map(found.map((each) => [each.what, each])).values()];
  return byKind.some(({ sure }) => sure) ? byKind.filter(({ what }) => what !== "random value") : byKind;
}
