// How well random values are distinguished from ordinary ones: measured on generated keys and on every line at hand.
import * as fs from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Choices, seeded } from "../../testing/world/random.ts";
import { findSecrets } from "./find.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const options = { isTest: () => false, isLockfile: () => false };
const hitsIn = (text: string) => findSecrets([{ path: "src/a.js", line: 1, text }], options);
const isHit = (text: string): boolean => hitsIn(text).length > 0;

const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const alphabets = { base64: `${alnum}+/`, base64url: `${alnum}-_`, hex: "0123456789abcdef", alphanumeric: alnum };
const lengths = { base64: [32, 44, 64], base64url: [32, 43, 64], hex: [32, 40, 64], alphanumeric: [32, 40, 48, 64] };
const places: readonly ((name: string, key: string) => string)[] = [
  (name, key) => `const ${name} = "${key}";`,
  (name, key) => `  ${name}: '${key}',`,
  (name, key) => `${name} = "${key}"`,
  (name, key) => `${name}: ${key}`,
  (name, key) => `${name.toUpperCase()}=${key}`,
  (name, key) => `{"${name}": "${key}"}`,
];
const names = ["apiKey", "secret_token", "password", "value", "x", "config", "service_credentials"];
const prefixes = ["", "", "acme_", "live-", "prod_key_", "myapp_secret_"];

const one = <T>(choose: Choices, list: readonly T[]): T => list[choose.below(list.length)] as T;

/** Like those of a key generator: random, with base64 padding. */
function key(choose: Choices, kind: keyof typeof alphabets): string {
  const length = one(choose, lengths[kind]);
  const text = Array.from({ length }, () => one(choose, [...alphabets[kind]])).join("");
  return kind === "base64" && length === 44 ? `${text.slice(0, 43)}=` : text;
}

describe("of a thousand keys", () => {
  test.each(Object.keys(alphabets) as (keyof typeof alphabets)[])("in %s, at least 95 % are found", (kind) => {
    const choose = seeded(1000 + kind.length);
    const lines = Array.from({ length: 1000 }, () =>
      one(choose, places)(one(choose, names), `${one(choose, prefixes)}${key(choose, kind)}`),
    );
    expect(lines.filter(isHit).length).toBeGreaterThanOrEqual(950);
  });
});

/** Text that people write; images, programs and archives are not read line by line. */
const binary = /^\.(?:png|jpe?g|gif|ico|woff2?|ttf|eot|wasm|node|gz|tgz|zip|br|pdf|so|exe|dll|snap|bin)$/i;
/** Left out by the rule too: hashes of lockfiles. Source maps are data in base64. */
const isLeftOut = (path: string): boolean => /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$|\.lock$|\.map$/.test(path);
/** In a bundle, one line is a whole file. */
const lineLengthMax = 1000;

function filesBelow(dir: string, isSkipped: (name: string) => boolean): string[] {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return isSkipped(entry.name) ? [] : filesBelow(path, isSkipped);
    return entry.isFile() && !binary.test(extname(entry.name)) && !isLeftOut(path) ? [path] : [];
  });
}

function linesOf(path: string): string[] {
  const bytes = fs.readFileSync(path);
  if (bytes.length > 2 << 20 || bytes.subarray(0, 8000).includes(0)) return [];
  return bytes
    .toString()
    .split("\n")
    .filter((line) => line.trim() !== "" && line.length <= lineLengthMax);
}

/** Evenly spread over all lines, and the same ones each time. */
function sampled(files: readonly string[], every: number): string[] {
  return files.flatMap((path, file) => linesOf(path).filter((_, at) => (file + at) % every === 0));
}

describe("of ordinary lines", () => {
  test.each([
    { where: "of this repository", dir: root, every: 2 },
    { where: "of its dependencies", dir: fs.realpathSync(join(root, "node_modules")), every: 25 },
  ])(
    "$where, under 1 % are asked about, and none refuses",
    ({ dir, every }) => {
      const skipped = new Set(["node_modules", "dist", ".git", "coverage", ".stryker"]);
      const files = filesBelow(dir, (name) => dir === root && skipped.has(name)).sort();
      const lines = sampled(files, every);
      expect(lines.length).toBeGreaterThan(20_000);
      const hits = lines.map(hitsIn).filter((found) => found.length > 0);
      expect(hits.length).toBeLessThan(0.01 * lines.length);
      expect(hits.flat().filter(({ sure }) => sure)).toEqual([]);
    },
    120_000,
  );
});
