// Values in a line that look random and match no format: keys that a person has to be asked about.
import { isAlphabet, isPlaceholder } from "./placeholder.ts";
import { randomStretch, stretchOf } from "./randomness.ts";

/** A value in the characters of base64, base64url or hexadecimal; dots and quotes end it. */
const value = /[A-Za-z0-9_+/-]{20,}={0,2}/g;
/** Longer ones are data. */
const lengthMax = 512;

export type RandomValue = { readonly index: number; readonly text: string };

export function randomValuesIn(text: string): RandomValue[] {
  const bare = text.replace(dataAddress, (found) => " ".repeat(found.length));
  return [...bare.matchAll(value)].flatMap((found) => {
    const [run] = found;
    if (run.length > lengthMax || stretchOf(run) < randomStretch) return [];
    if (isPlaceholder(run) || isAlphabet(run) || uuid.test(run)) return [];
    return isDigest(text.slice(Math.max(0, found.index - contextLength), found.index), run)
      ? []
      : [{ index: found.index, text: run }];
  });
}

const uuid = /(?:^|[/_-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Images and source maps in a URL. */
const dataAddress = /data:[^\s"'`<>()]{1,200};base64,[A-Za-z0-9+/=%_-]*/gi;

const contextLength = 60;
const hex = /^[0-9a-f]{32,128}$/i;
/** In a URL or a reference: `…/commit/<id>`, `owner/action@<id>`, `image@sha256:<hash>`. */
const endsInHash = /(?:^|\/)(?:commits?|blob|tree|raw|compare)\/[0-9a-f]{7,40}(?:$|\/)/i;
const hashBefore = /(?:^|[^A-Za-z0-9])(?:sha-?(?:1|224|256|384|512)|md5|h1)[:=-]["']?$/i;
const hashPrefix = /^(?:sha(?:1|256|384|512)-|sha(?:1|256|384|512)_)/i;
const name = /([A-Za-z_$][\w$-]*)["'`\])]{0,2}\s{0,8}(?:[:=,(]|=>|\s|\.\.)[\s"'`([]{0,6}$/;
const hashWords =
  /^(?:sha\d*|md5|hash(?:es)?|digest|checksum|checksums|commit|commits|rev|revision|tree|blob|oid|etag|integrity|fingerprint|crc|parent|prev|ref|object|head|base|origin|from|merge)$/i;
/** `sha256("abc"), "ba78…"`: the expected result of a hash function. */
const hashCall = /\b(?:sha-?\d*|md5|blake\w*|hash|digest|checksum|crc\d*|hmac)\w*\s*\(/i;
const secretWords =
  /^(?:secret|secrets|key|keys|token|tokens|password|passwd|pass|auth|credential|credentials|bearer|salt)$/i;

/** Hashes and git ids are as random as keys; the text before them tells, and a secret's name wins. */
function isDigest(before: string, run: string): boolean {
  if (endsInHash.test(run) || hashBefore.test(before) || hashPrefix.test(run)) return true;
  if (/[@#]$/.test(before) && hex.test(run)) return true;
  const words = (name.exec(before)?.[1] ?? "").replace(/([a-z])([A-Z])/g, "$1 $2").split(/[\s_$-]+/);
  if (words.some((word) => secretWords.test(word))) return false;
  if (hex.test(run) && hashCall.test(before)) return true;
  const isHashLike = hex.test(run) || /^[A-Za-z0-9+/]{27,88}={1,2}$/.test(run);
  return isHashLike && words.some((word) => hashWords.test(word));
}
