// What a clean checkout hides and a user meets: a second run in the same folder, another time zone, a program started by
// its path.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const load = (body: string): string => `import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

export function entries(text) {
  return text.split(";").map((at) => ({ at: new Date(at) }));
}
${body}`;
const project: Edit = {
  "package.json":
    '{ "name": "log", "type": "module", "main": "src/log.js", "scripts": { "test": "node --test test/*.test.js" } }\n',
  ".gitignore": "node_modules\n.kept\n",
  "src/log.js": load(""),
  "test/log.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { entries } from "../src/log.js";

test("entries", () => assert.equal(entries("2024-01-01")[0].at.getUTCFullYear(), 2024));
`,
};
const tests = `import assert from "node:assert/strict";
import test from "node:test";
import { kept } from "../src/log.js";

test("kept", () => assert.equal(kept("2024-01-01;2025-01-01")[1].at.getUTCFullYear(), 2025));
test("one", () => assert.equal(kept("2023-01-01")[0].at.getUTCFullYear(), 2023));
`;
const keeping = (back: string): string =>
  load(`
export function kept(text) {
  const file = ".kept/" + text.length + ".json";
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"))${back};
  const found = entries(text);
  mkdirSync(".kept", { recursive: true });
  writeFileSync(file, JSON.stringify(found));
  return found;
}
`);
const feature = { name: "Keep entries on disk", criteria: ["kept(text) gives the entries, and keeps them in a file"] };
const playKept = (back: string) =>
  play({ project, run: "npm test", change: { "src/log.js": keeping(back), "test/kept.test.js": tests }, feature });

test("tests that fail on what their first run left", async () => {
  const { grade, why } = await playKept("");
  expect(grade).toBe("weak");
  expect(why).toMatch(/fails when it is run again in the same folder[\s\S]*\.kept/);
}, 120_000);

test("tests that leave something, and pass again", async () => {
  expect(await playKept(".map(({ at }) => ({ at: new Date(at) }))")).toMatchObject({ grade: "strong" });
}, 120_000);

const words: Edit = {
  "test/words.test.js": `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";

const words = (text) => execFileSync(process.execPath, ["bin/words", text], { encoding: "utf8" }).trim();
test("two", () => assert.equal(words("a b"), "2"));
test("four", () => assert.equal(words("a b c d"), "4"));
`,
};
const playWords = (first: string) =>
  play({
    project,
    run: "npm test",
    change: { ...words, "bin/words": `${first}console.log(process.argv[2].split(" ").length);\n` },
    feature: { name: "Add a command", criteria: ["`./bin/words TEXT` prints the number of words"] },
  });

test("a command that cannot be started by its path", async () => {
  const { grade, why } = await playWords("");
  expect(grade).toBe("weak");
  expect(why).toContain("does not begin with #!");
}, 120_000);

test("a command that can", async () => {
  expect((await playWords("#!/usr/bin/env node\n")).grade).toBe("strong");
}, 120_000);

const day = (method: string): string => `${project["src/log.js"]}
export const day = (at) => new Date(at).${method}();
`;
const dayTests = `import assert from "node:assert/strict";
import test from "node:test";
import { day } from "../src/log.js";

test("first", () => assert.equal(day(0), 1));
test("last", () => assert.equal(day(2592000000), 31));
`;
const playDay = (method: string) =>
  play({
    project,
    run: "npm test",
    change: { "src/log.js": day(method), "test/day.test.js": dayTests },
    feature: { name: "Add day(at)", criteria: ["day(at) gives the day of the month, in universal time"] },
  });

test("a day that is right in one time zone only", async () => {
  const { grade, why } = await playDay("getDate");
  expect(grade).toBe("weak");
  expect(why).toMatch(/fails elsewhere \(with TZ=America\/New_York\)/);
}, 120_000);

test("a day that is right everywhere", async () => {
  expect(await playDay("getUTCDate")).toMatchObject({ grade: "strong", why: expect.any(String) });
}, 120_000);

const checked = (guard: string): string =>
  `${project["src/log.js"]}\nexport function isCode(text) {\n  ${guard}\n  return true;\n}\n`;
const playCode = (guard: string) =>
  play({
    project,
    run: "npm test",
    change: {
      "src/log.js": checked(guard),
      "test/code.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { isCode } from "../src/log.js";

test("a code", () => assert.equal(isCode("AB12"), true));
test("no code", () => assert.equal(isCode("ab"), false));
`,
    },
    feature: { name: "Add isCode(text)", criteria: ['isCode("AB12") is true', 'isCode("ab") is false'] },
  });

test("a check that production leaves out", async () => {
  const { grade, why } = await playCode(
    'if (process.env.NODE_ENV !== "production" && !/^[A-Z]{2}[0-9]{2}$/.test(text)) return false;',
  );
  expect(grade).toBe("weak");
  expect(why).toMatch(/fails elsewhere \(with NODE_ENV=production\)/);
}, 120_000);

test("a check that production has, too", async () => {
  expect((await playCode("if (!/^[A-Z]{2}[0-9]{2}$/.test(text)) return false;")).grade).toBe("strong");
}, 120_000);
