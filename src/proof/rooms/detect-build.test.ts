// When a build runs before the checks.
import { expect, test } from "vitest";
import type { View } from "../view.ts";
import { detectBuild } from "./detect-build.ts";

const view = (files: Record<string, string>): View => ({
  paths: Object.keys(files).sort(),
  text: (path) => files[path] ?? null,
});
const manifest = (more: object = {}) =>
  JSON.stringify({
    name: "thing",
    main: "dist/index.js",
    scripts: { build: "tsc -p .", test: "node --test" },
    ...more,
  });
const fromDist = { "test/a.test.js": 'import { a } from "../dist/index.js";' };

test.each([
  {
    what: "tests import the missing folder",
    files: { "package.json": manifest(), ...fromDist },
    build: "npm run build",
  },
  {
    what: "tests import the package by name",
    files: { "package.json": manifest(), "test/a.test.js": 'require("thing")' },
    build: "npm run build",
  },
  {
    what: "pnpm runs it",
    files: { "package.json": manifest(), "pnpm-lock.yaml": "", ...fromDist },
    build: "pnpm run build",
  },
  {
    what: "a member imports an unbuilt member",
    files: {
      "package.json": JSON.stringify({ workspaces: ["packages/*"], scripts: { test: "node --test" } }),
      "packages/a/package.json": manifest({ name: "@x/a" }),
      "packages/b/package.json": JSON.stringify({ name: "@x/b" }),
      "packages/b/src/b.ts": 'import { a } from "@x/a";',
    },
    build: "npm run build --workspaces --if-present",
  },
  {
    what: "one way to import the package is missing",
    files: {
      "package.json": manifest({
        main: "lib/a.js",
        exports: { ".": { require: "./lib/a.js", import: "./dist/a.mjs" } },
      }),
      "lib/a.js": "",
      "test/a.test.js": 'await import("thing")',
    },
    build: "npm run build",
  },
  {
    what: "only its types are missing",
    files: {
      "package.json": manifest({
        main: "lib/a.js",
        exports: { ".": { types: "./dist/a.d.ts", default: "./lib/a.js" } },
      }),
      "lib/a.js": "",
      "test/a.test.js": 'import "thing"',
    },
    build: null,
  },
  {
    what: "tests import the sources",
    files: { "package.json": manifest(), "test/a.test.js": 'import "../src/a.js";' },
    build: null,
  },
  {
    what: "the folder is tracked",
    files: { "package.json": manifest(), "dist/index.js": "", ...fromDist },
    build: null,
  },
  {
    what: "the test script builds itself",
    files: {
      "package.json": manifest({ scripts: { build: "tsc", test: "npm run build && node --test" } }),
      ...fromDist,
    },
    build: null,
  },
  { what: "there is no script for it", files: { "package.json": manifest({ scripts: {} }), ...fromDist }, build: null },
  { what: "there is no manifest", files: fromDist, build: null },
])("$what: $build", ({ files, build }) => {
  expect(detectBuild(view(files as unknown as Record<string, string>))).toBe(build);
});
