// An old function that the feature names, and of which it says what stays: the inputs that the feature is about are answered
// otherwise, and are told from all others by what its own tests show. Honest changes, and next to each one that breaks more.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

type Feature = Parameters<typeof play>[0]["feature"];

const nodeTest = (body: string): string =>
  `import assert from "node:assert/strict";\nimport test from "node:test";\nimport * as shop from "../src/shop.js";\n\ntest(${JSON.stringify(body.slice(0, 20))}, () => {\n  const { ${[...new Set(body.match(/\b[a-z]+(?=\()/g))].filter((name) => !/^(?:equal|deepEqual)$/.test(name)).join(", ")} } = shop;\n  ${body}\n});\n`;
const node = (source: string, body: string): Edit => ({
  "package.json": '{ "name": "shop", "type": "module", "main": "src/shop.js", "scripts": { "test": "node --test" } }\n',
  "src/shop.js": source,
  "test/shop.test.js": nodeTest(body),
});
const pythonTest = (body: string): string =>
  `import unittest\nfrom shop.text import split\n\n\nclass TextTest(unittest.TestCase):\n    def test_it(self):\n        ${body}\n`;
const python = (source: string, body: string): Edit => ({
  "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
  "shop/__init__.py": "",
  "shop/text.py": source,
  "tests/__init__.py": "",
  "tests/test_text.py": pythonTest(body),
});

const slug = (more: string, last = ""): string =>
  `export function slug(text) {\n  return text\n    .toLowerCase()\n${more}    .replace(/[^a-z0-9]+/g, "-")\n${last}    .replace(/^-|-$/g, "");\n}\n`;
const letters = 'const LETTERS = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };\n\n';
const umlauts = "    .replace(/[äöüß]/g, (letter) => LETTERS[letter])\n";
const slugs = node(
  slug(""),
  'assert.equal(slug("Hello World"), "hello-world");\n  assert.equal(slug(" a b "), "a-b");',
);
const german: Feature = {
  name: "slug understands German umlauts",
  criteria: [
    'slug("Äpfel") is "aepfel"',
    'slug("Größe") is "groesse"',
    "Texts without umlauts give the same slugs as before",
  ],
};
const umlautTest = nodeTest(
  'assert.equal(slug("Äpfel"), "aepfel");\n  assert.equal(slug("Größe"), "groesse");\n  assert.equal(slug("Übel öde"), "uebel-oede");',
);
const size = (body: string): string => `export function size(bytes) {\n${body}}\n`;
const sizes = node(
  size("  return bytes + ' B';\n"),
  'assert.equal(size(0), "0 B");\n  assert.equal(size(20), "20 B");',
);
const kilobytes: Feature = {
  name: "size shows kB",
  criteria: ["size(1500) is 1.5 kB", "small sizes stay as they are"],
};
const sizeTest = nodeTest(
  'assert.equal(size(1500), "1.5 kB");\n  assert.equal(size(40000), "40.0 kB");\n  assert.equal(size(999), "999 B");',
);
const split = (body: string): string => `def split(line):\n${body}`;
const splits = python(split('    return line.split(",")\n'), 'self.assertEqual(split("a,b"), ["a", "b"])');
const semicolons: Feature = {
  name: "split takes semicolons, too",
  criteria: ["a semicolon parts like a comma in split", "everything else stays as it is"],
};
const splitTest = pythonTest(
  'for line, parts in [("a;b", ["a", "b"]), ("a;b,c", ["a", "b", "c"])]:\n            self.assertEqual(split(line), parts)',
);
const [npmTest, unittest] = ["npm test", "python3 -m unittest -q"];

test.each([
  ["letters", slugs, npmTest, german, { "src/shop.js": letters + slug(umlauts), "test/umlauts.test.js": umlautTest }],
  [
    "a size",
    sizes,
    npmTest,
    kilobytes,
    {
      "src/shop.js": size("  if (bytes >= 1000) return (bytes / 1000).toFixed(1) + ' kB';\n  return bytes + ' B';\n"),
      "test/kb.test.js": sizeTest,
    },
  ],
  [
    "a sign in a table of cases",
    splits,
    unittest,
    semicolons,
    { "shop/text.py": split('    return line.replace(";", ",").split(",")\n'), "tests/test_semicolons.py": splitTest },
  ],
] as const)(
  "%s: what the feature is about may change",
  { timeout: 90_000 },
  async (_, project, run, feature, change) => {
    const { outcome, why } = await play({ project, run, change, feature });
    expect([outcome, why]).toEqual(["accepted", expect.any(String)]);
  },
);

test.each([
  [
    "letters",
    slugs,
    npmTest,
    german,
    {
      "src/shop.js": letters + slug(umlauts, '    .replace(/-[0-9]+$/, "")\n'),
      "test/umlauts.test.js": umlautTest,
    },
    /slug\("[^ä]*"\) was ".*", and is/,
  ],
  [
    "a size",
    sizes,
    npmTest,
    kilobytes,
    {
      "src/shop.js": size(
        "  if (bytes >= 1000) return (bytes / 1000).toFixed(1) + ' kB';\n  return Math.floor(bytes) + ' B';\n",
      ),
      "test/kb.test.js": sizeTest,
    },
    /size\(\d+\.5\) was "\d+\.5 B", and is/,
  ],
  [
    "a sign in a table of cases",
    splits,
    unittest,
    semicolons,
    {
      "shop/text.py": split('    return line.strip().replace(";", ",").split(",")\n'),
      "tests/test_semicolons.py": splitTest,
    },
    /split\('.*'\) was list\[.*\], and is/,
  ],
] as const)("%s: nothing else may", { timeout: 90_000 }, async (_, project, run, feature, change, says) => {
  const { outcome, why } = await play({ project, run, change, feature });
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(says)]);
});
