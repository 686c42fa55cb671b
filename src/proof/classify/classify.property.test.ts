import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "../../testing/cpu-time.ts";
import type { View } from "../view.ts";
import { classify } from "./index.ts";
import type { Settings } from "./kinds.ts";

type Files = Readonly<Record<string, string>>;

const viewOf = (files: Files): View => ({
  paths: Object.keys(files).sort(),
  text: (path) => (Object.hasOwn(files, path) ? (files[path] ?? null) : null),
});
const plain: Settings = { product: [], tests: [], ours: (path) => path === "loop.yaml" };

const importing = (...modules: readonly string[]): string => modules.map((module) => `import "${module}";`).join("\n");

const paths = [
  "package.json",
  "pyproject.toml",
  "Cargo.toml",
  "go.mod",
  "setup.cfg",
  "Makefile",
  "tsconfig.json",
  "vitest.config.ts",
  "loop.yaml",
  "README.md",
  "index.js",
  "index.test.js",
  "src/a.ts",
  "src/b.ts",
  "src/a.test.ts",
  "src/testing/kit.ts",
  "lib/c.js",
  "helpers.js",
  "scripts/x.sh",
  "bin/tool",
  "pkg/__init__.py",
  "pkg/mod.py",
  "tests/test_pkg.py",
  "tests/helpers.py",
  "packages/a/package.json",
  "packages/a/index.ts",
  "packages/a/test/t.ts",
  "main.go",
  "main_test.go",
  "src/lib.rs",
  "src/tests.rs",
  "node_modules/x/index.js",
  "examples/e/src/a.js",
  "a.c",
  "a.h",
  "data/x.json",
  "unittest.py",
];
const texts = [
  "",
  "{",
  "{}",
  `{"name":"x","main":"index.js","files":["**","lib"]}`,
  `{"name":"@x/a","exports":{".":{"import":"./src/a.ts"}}}`,
  importing("./b", "../lib/c"),
  importing("vitest", "./a"),
  `import assert from "node:assert";`,
  `require("./helpers"); require("./lib/c")`,
  "from pkg import mod\nimport helpers",
  "import pytest",
  `[project]\nname = "pkg"`,
  `[package]\nname = "a"\n[lib]\npath = "lib.rs"`,
  "module x.org/a",
  `#!/bin/sh\n. scripts/x.sh\n./bin/tool`,
  "all: a.o\n\tcc a.c\n",
  "#[cfg(test)] mod tests; mod b;",
  `[metadata]\nname = pkg`,
  `{"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/*"]}}}`,
  `#include "a.h"`,
  "\u0000",
];
const anyTree: fc.Arbitrary<Files> = fc.dictionary(fc.constantFrom(...paths), fc.constantFrom(...texts), {
  maxKeys: 16,
});

test("every file of any tree has a class, and a reason to show", () => {
  fc.assert(
    fc.property(anyTree, (files) => {
      const classes = classify(viewOf(files), plain);
      for (const path of Object.keys(files)) {
        const found = classes.of(path);
        expect(found.reason).not.toBe("");
        if (found.either) expect(found.kind).toBe("judge");
        if (found.isDocument) expect(found.kind).toBe("product");
        if (found.isTest) expect(found.kind).toBe("judge");
      }
    }),
    { numRuns: 300 },
  );
});

test("no candidate can change the class of a file of the base", () => {
  fc.assert(
    fc.property(anyTree, anyTree, fc.array(fc.constantFrom(...paths)), (base, changes, removed) => {
      const classes = classify(viewOf(base), plain);
      const before = Object.keys(base).map((path) => classes.of(path));
      const candidate = Object.fromEntries(
        Object.entries({ ...base, ...changes }).filter(([path]) => !removed.includes(path)),
      );
      const added = classes.added(viewOf(candidate));
      for (const path of Object.keys(candidate)) added(path);
      expect(Object.keys(base).map((path) => classes.of(path))).toEqual(before);
      for (const path of Object.keys(base))
        if (classes.of(path).kind === "judge") expect(added(path).kind).not.toBe("product");
    }),
    { numRuns: 300 },
  );
});

test("new tests and new settings are never product, whatever imports them", () => {
  const never = [
    "x.test.ts",
    "vitest.config.ts",
    "conftest.py",
    "tests/a.py",
    "src/__mocks__/a.ts",
    ".env",
    "src/package.json",
    "Makefile",
    "x_test.go",
  ];
  fc.assert(
    fc.property(anyTree, anyTree, fc.constantFrom(...never), fc.constantFrom(...texts), (base, changes, path, text) => {
      fc.pre(!Object.hasOwn(base, path));
      const all = Object.values(never)
        .map((to) => importing(`./${to}`, `../${to}`))
        .join("\n");
      const files = Object.fromEntries(Object.keys({ ...base, ...changes }).map((each) => [each, all]));
      const added = classify(viewOf(base), plain).added(viewOf({ ...files, [path]: text }));
      expect(added(path).kind).not.toBe("product");
    }),
    { numRuns: 300 },
  );
});

test("ten thousand files are split within seconds", () => {
  const files = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [
      `packages/p${at % 50}/src/m${at}.ts`,
      importing(`./m${at + 50}`, `@x/p${(at + 1) % 50}`),
    ]),
  );
  const manifests = Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`packages/p${at}/package.json`, `{"name":"@x/p${at}"}`]),
  );
  const start = cpuMs();
  const classes = classify(viewOf({ ...files, ...manifests }), plain);
  classes.added(viewOf({ ...files, ...manifests, "packages/p0/src/new.ts": "" }))("packages/p0/src/new.ts");
  expect(cpuMs() - start).toBeLessThan(8_000);
});
