// Examples in a feature's own words are run, whatever their form; those that cannot be run are named and asked about.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const slug = (chain: string): string => `export function slug(text) {\n  return text.toLowerCase()${chain};\n}\n`;
const length = "\nexport function size(text) {\n  return text.length;\n}\n";
const head = `import assert from "node:assert/strict";
import test from "node:test";
import { slug } from "../src/text.js";

`;
const project: Edit = {
  "package.json": '{ "name": "text", "type": "module", "main": "src/text.js", "scripts": { "test": "node --test" } }\n',
  "src/text.js": slug('.replaceAll(" ", "-")') + length,
  "test/text.test.js": `${head}test("slug", () => assert.equal(slug("A b"), "a-b"));\n`,
};
const changed = (criterion: string, letter: string) =>
  play({
    project,
    run: "npm test",
    change: {
      "src/text.js": slug(`.replaceAll(" ", "-").replaceAll("ä", "${letter}")`) + length,
      "test/umlaut.test.js": `${head}test("umlaut", () => {\n  assert.equal(slug("ä"), "${letter}");\n  assert.equal(slug("Bär"), "b${letter}r");\n});\n`,
    },
    feature: { name: "slug in src/text.js turns umlauts into plain letters", criteria: [criterion] },
  });

const forms = ['`slug("Äpfel")` gives aepfel', "e.g. Äpfel -> aepfel"];

test.each(forms)("an example that does not hold is told: %s", { timeout: 120_000 }, async (criterion) => {
  const { outcome, why } = await changed(criterion, "a");
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(/Äpfel.*aepfel, but it is "apfel"/)]);
});

test.each(forms)("one that holds is not: %s", { timeout: 120_000 }, async (criterion) => {
  const { outcome, why } = await changed(criterion, "ae");
  expect([outcome, why]).toEqual(["accepted", expect.any(String)]);
});

const shapes = [
  "await settle([async () => 1, async () => { throw new Error('x') }]) is [1, null]",
  "adder(1)(2.5) is 3.5",
  'parse("1.20").minor is 20',
  "[...range(1, 4)] is [1, 2, 3, 4]",
  "DEFAULTS.retries is 7",
  "`human(1536)` → `1.5 KB`",
];
const block =
  '```js\nconst history = new History();\nhistory.add("a");\nhistory.add("b");\nhistory.undo(); // "a"\nassert.equal(history.undo(), undefined);\n```';
const product = (right: boolean): string => `
export async function settle(tasks) {
  return ${right ? "(await Promise.allSettled(tasks.map((task) => task()))).map(({ value }) => value ?? null)" : "Promise.all(tasks.map((task) => task()))"};
}
export const adder = (a) => (b) => a + ${right ? "b" : "Math.floor(b)"};
export function parse(text) {
  const [major, minor] = text.split(".");
  return { major: Number(major), minor: Number(${right ? "minor" : "minor[0]"}) };
}
export function* range(from, to) {
  for (let n = from; n ${right ? "<=" : "<"} to; n++) yield n;
}
export const DEFAULTS = { retries: ${right ? 7 : 3}, wait: 8 };
export function human(bytes) {
  return bytes < 1024 ? bytes + " B" : ${right ? "bytes / 1024" : "Math.round(bytes / 1024)"} + " KB";
}
export class History {
  #items = [];
  add(item) {
    this.#items.push(item);
  }
  undo() {
    this.#items.pop();
    return this.#items.at(${right ? "-1" : "0"}) ?? ${right ? "undefined" : "null"};
  }
}
`;
const productTests = `${head.replace("{ slug }", "{ adder, DEFAULTS, History, human, parse, range, settle }")}test("all", async () => {
  assert.deepEqual(await settle([async () => 1, async () => 2]), [1, 2]);
  assert.equal(adder(1)(2), 3);
  assert.equal(adder(10)(5), 15);
  assert.deepEqual(parse("3.4"), { major: 3, minor: 4 });
  assert.equal([...range(1, 4)][0], 1);
  assert.equal(DEFAULTS.wait, 8);
  assert.equal(human(12), "12 B");
  assert.equal(human(2048), "2 KB");
  const history = new History();
  history.add("a");
  history.add("b");
  assert.equal(history.undo(), "a");
});
`;
const all = (right: boolean) =>
  play({
    project,
    run: "npm test",
    change: { "src/more.js": product(right), "test/more.test.js": productTests.replace("/text.js", "/more.js") },
    feature: { name: "Add src/more.js", description: block, criteria: shapes },
  });

test("every form is told where it does not hold", { timeout: 120_000 }, async () => {
  const { why } = await all(false);
  for (const form of [...shapes, "assert.equal(history.undo(), undefined)"])
    expect(why).toContain(`${form.replaceAll("`", "")}`);
});

test("no form is told where it holds", { timeout: 120_000 }, async () => {
  expect((await all(true)).why).not.toMatch(/examples|Examples/);
});

const counting = (reads: string): string =>
  `import { readFileSync } from "node:fs";\nimport { slug } from "../src/text.js";\n\nconst args = process.argv.slice(2).join(" ");\nconst text = args === "" ? ${reads} : args;\nconsole.log(slug(text.trim()));\n`;
test.each([
  ['""', /echo 'a b' \| node bin\/slug\.js prints a-b, but it prints/],
  ['readFileSync(0, "utf8")', null],
])("a command line with a pipe, of a program that reads %s", { timeout: 120_000 }, async (reads, told) => {
  const tests = `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
const run = (...args) => execFileSync("node", ["bin/slug.js", ...args], { encoding: "utf8" });
test("slug", () => {
  assert.equal(run("a", "b"), "a-b\\n");
  assert.equal(run("c d e"), "c-d-e\\n");
});
`;
  const { why } = await play({
    project,
    run: "npm test",
    change: { "bin/slug.js": counting(reads), "test/slug.test.js": tests },
    feature: {
      name: "Add bin/slug.js",
      criteria: [
        "`node bin/slug.js a b` prints `a-b`",
        "`echo 'a b' | node bin/slug.js` prints `a-b`",
        "`curl x` prints `a-b`",
      ],
    },
  });
  if (told === null) expect(why).not.toContain("own examples");
  else expect(why).toMatch(told);
  expect(why).not.toContain("curl");
});
