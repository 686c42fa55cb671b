// Settings of the whole process, names of modules that are put together, and letters that look alike are questions.
import { expect, test } from "vitest";
import { sidesBetween } from "../../testing/sides-rig.ts";
import { feature } from "../../testing/world/contracts.ts";
import { ambientQuestions } from "./ambient.ts";

const base = {
  "package.json": '{ "main": "src/clock.js" }',
  "src/clock.js": "export const clock = () => 1;\n",
  "src/clock.py": "def clock():\n    return 1\n",
  "test/clock.test.js": 'import { clock } from "../src/clock.js";\n',
};
const asked = (path: keyof typeof base, line: string, name = "Add report()"): string[] =>
  ambientQuestions({
    sides: sidesBetween(base, { ...base, [path]: `${base[path]}${line}\n` }),
    feature: feature("F1", { name, description: "", criteria: [] }),
  });

test.each([
  ["src/clock.js", 'process.env.TZ = "UTC";', /whole process.*src\/clock\.js:2/],
  ["src/clock.js", "Object.defineProperty(globalThis, 'x', {});", /whole process/],
  ["src/clock.py", "getcontext().prec = 4", /whole process/],
  ["src/clock.py", 'os.environ["LANG"] = "C"', /whole process/],
  ["src/clock.py", 'yaml = import_module("ya" + "ml")', /put together/],
  ["src/clock.js", "export const t\u043etal = 1;", /two alphabets/],
] as const)("in %s, %s is asked about", (path, line, says) => {
  expect(asked(path, line)).toEqual([expect.stringMatching(says)]);
});

test.each([
  ["src/clock.js", 'export const zone = process.env.TZ === "UTC" ? 0 : process.env.TZ;'],
  ["src/clock.js", 'export const name = "Ключ и замок", other = "λ", more = "naïve";'],
  ["src/clock.js", "export const one = await import(name);"],
] as const)("in %s, %s is not", (path, line) => {
  expect(asked(path, line)).toEqual([]);
});

test("a setting that the feature is about is not asked about", () => {
  expect(asked("src/clock.js", 'process.env.TZ = "UTC";', "Set the time zone from the environment file")).toEqual([]);
});
