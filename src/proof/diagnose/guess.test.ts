// The order in which additions are guessed.
import { describe, expect, test } from "vitest";
import { entryOf } from "./addition.ts";
import { type Clues, guess } from "./guess.ts";

const treeOf = (files: Readonly<Record<string, string>>): Clues["tree"] => ({
  paths: Object.keys(files).sort(),
  text: (path) => files[path] ?? null,
});
const clues = (given: Partial<Clues>): Clues => ({
  output: "",
  tree: treeOf({}),
  around: { files: [], env: [], home: [], tooLarge: [] },
  build: "",
  isUnready: false,
  ...given,
});
const around = (given: Partial<Clues["around"]>) => ({ files: [], env: [], home: [], tooLarge: [], ...given });
const scripts = (names: readonly string[]): string =>
  JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, "true"])) });

describe("everything", () => {
  test("begins with what the output names, then settings, then what the code names", () => {
    const { everything } = guess(
      clues({
        output:
          "Error: ENOENT: no such file or directory, open '/home/me/shop/fixtures/prices.json'\nAPI_ADDRESS is not set",
        tree: treeOf({ "src/a.js": 'read("local.json"); process.env.REGION', ".gitignore": "unused.txt" }),
        around: around({
          files: ["unused.txt", "local.json", ".env.test", "fixtures/prices.json"],
          env: ["EDITOR", "REGION", "API_ADDRESS"],
          home: [".toolrc"],
        }),
      }),
    );
    expect(everything.map(entryOf)).toEqual([
      "fixtures/prices.json",
      "API_ADDRESS",
      ".env.test",
      "REGION",
      "local.json",
      "unused.txt",
      "EDITOR",
      ".toolrc",
      "..",
    ]);
  });

  test.each([
    { output: "Cannot find module './generated/client' from 'src/a.js'", path: "src/generated/" },
    { output: "at /home/me/shop/packages/a/dist/index.js:3", path: "packages/a/dist/" },
    { output: "ImportError: cannot import name 'x' from 'shop/_version.py'", path: "shop/_version.py" },
  ])("finds $path in: $output", ({ output, path }) => {
    const files = ["a-first", path, "z-last"];
    expect(guess(clues({ output, around: around({ files }) })).everything[0]).toEqual({ is: "file", path });
  });

  test("does not take part of a word for a name", () => {
    const { everything } = guess(
      clues({ output: "distance and REGIONAL", around: around({ files: ["b", "dist/"], env: ["REGION"] }) }),
    );
    expect(everything.map(entryOf)).toEqual(["b", "dist/", "REGION", ".."]);
  });
});

describe("builds", () => {
  const tree = treeOf({
    "package.json": scripts(["test", "prepare", "lint", "build", "build:docs", "generate", "start"]),
  });

  test("are guessed where the output says that something is missing", () => {
    const { builds, makers } = guess(clues({ tree, output: "Error: Cannot find module '../generated/x.js'" }));
    expect(builds.map(entryOf)).toEqual(["npm run generate", "npm run build", "npm run build:docs", "npm run prepare"]);
    expect(makers).toEqual(builds);
  });

  test("are not tried first for a failed assertion", () => {
    expect(guess(clues({ tree, output: "AssertionError: 1 == 2" })).builds).toEqual([]);
  });

  test.each([
    { lock: "pnpm-lock.yaml", first: "pnpm run generate" },
    { lock: "yarn.lock", first: "yarn run generate" },
  ])("are run as $lock says", ({ lock, first }) => {
    const locked = treeOf({ "package.json": scripts(["generate"]), [lock]: "" });
    expect(guess(clues({ tree: locked, output: "ENOENT" })).builds.map(entryOf)).toEqual([first]);
  });

  test("come before the current build, and after no build at all where the current one failed", () => {
    const { builds } = guess(clues({ tree, build: "npm run build", isUnready: true }));
    expect(builds.map(entryOf).slice(0, 2)).toEqual(["", "npm run generate && npm run build"]);
  });

  test("are found in a Makefile", () => {
    const made = treeOf({ Makefile: "generate: a\n\tsh a\nbuild := x\ntest:\n\ttrue\n" });
    expect(guess(clues({ tree: made, output: "no such file" })).builds.map(entryOf)).toEqual(["make generate"]);
  });
});
