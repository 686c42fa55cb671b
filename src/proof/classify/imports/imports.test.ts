import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../testing/cpu-time.ts";
import type { View } from "../../view.ts";
import { importsOf } from "./index.ts";

const viewOf = (files: Readonly<Record<string, string>>): View => ({
  paths: Object.keys(files).sort(),
  text: (path) => files[path] ?? null,
});
const imports = (from: string, text: string, files: Readonly<Record<string, string>>): readonly string[] =>
  importsOf(from, viewOf({ ...files, [from]: text }));

describe("imports", () => {
  test.each([
    ["src/a.ts", `import { b } from "./b";`, "src/b.ts"],
    ["src/a.ts", `import { b } from "./b.js";`, "src/b.ts"],
    ["src/a.ts", `import {\n  b,\n} from "./b.mjs";`, "src/b.mts"],
    ["src/a.ts", `export * from "../c";`, "c/index.tsx"],
    ["src/a.ts", `const b = await ${"import"}("./b")`, "src/b.ts"],
    ["src/a.js", `const b = require('./b')`, "src/b.js"],
    ["src/a.ts", `import data from "./b.json" with { type: "json" };`, "src/b.json"],
    ["src/a.ts", `vi.mock("./b")`, "src/b.ts"],
    ["src/a.ts", `new URL("./worker.js", import.meta.url)`, "src/worker.js"],
    ["test/a.js", `require("..")`, "index.js"],
    ["a/b/test_x.py", "from pkg.core import count, other", "pkg/core.py"],
    ["tests/test_x.py", "from pkg import core", "src/pkg/core.py"],
    ["pkg/a.py", "from . import b", "pkg/b.py"],
    ["pkg/sub/a.py", "from ..b import (\n  x,\n  y,\n)", "pkg/b.py"],
    ["pkg/a.py", "import os, pkg.b as b", "pkg/b.py"],
    ["src/lib.rs", "pub mod b;", "src/b.rs"],
    ["src/a.rs", "mod b;", "src/a/b.rs"],
    ["src/lib.rs", `include_str!("../data.txt")`, "data.txt"],
    ["src/lib.rs", `#[path = "odd.rs"]\nmod b;`, "src/odd.rs"],
    ["test/a.sh", `. "$(dirname "$0")/../lib/b.sh"`, "lib/b.sh"],
    ["test/a.bats", `run ./bin/tool --x`, "bin/tool"],
    ["test/a.c", `#include "../b.h"`, "b.h"],
    ["src/a.c", `#include <b.h>`, "include/b.h"],
    ["spec/a_spec.rb", `require_relative "../lib/b"`, "lib/b.rb"],
    ["test/a.php", `require_once __DIR__ . '/../b.php';`, "b.php"],
    ["index.html", `<script type="module" src="/src/b.js">`, "src/b.js"],
  ])("%s with %j leads to %s", (from, text, to) => {
    expect(imports(from, text, { [to]: "" })).toContain(to);
  });

  test.each([
    ["src/a.ts", `import x from "b";`, "b.ts"],
    ["src/a.ts", `import x from "../../b";`, "b.ts"],
    ["src/lib.rs", "#[cfg(test)]\nmod b;", "src/b.rs"],
    ["a.py", "import b.c", "x/b/c.py"],
    ["a.txt", `import "./b"`, "b.js"],
  ])("%s with %j does not lead to %s", (from, text, to) => {
    expect(imports(from, text, { [to]: "" })).toEqual([]);
  });

  test("of names that tsconfig.json or package.json maps are followed", () => {
    const files = {
      "tsconfig.json": `{ // comment\n "compilerOptions": { "paths": { "@/*": ["./src/*"], "$lib": ["lib/all.ts"] } }, }`,
      "package.json": JSON.stringify({ name: "x", imports: { "#c": "./src/c.js" } }),
      "src/b.ts": "",
      "src/c.ts": "",
      "lib/all.ts": "",
    };
    const text = ["@/b", "$lib", "#c", "@other/b"].map((name) => `import "${name}";`).join("\n");
    expect(imports("src/deep/a.ts", text, files)).toEqual(["src/b.ts", "lib/all.ts", "src/c.ts"]);
  });

  test("of other packages of the workspace are followed", () => {
    const files = {
      "packages/b/package.json": JSON.stringify({ name: "@x/b", main: "dist/index.js" }),
      "packages/b/src/index.ts": "",
    };
    expect(imports("packages/a/src/a.ts", `import "@x/b";`, files)).toEqual(["packages/b/src/index.ts"]);
  });

  test("of a crate in the repository lead to its library", () => {
    const files = { "crates/a-b/Cargo.toml": `[package]\nname = "a-b"\n`, "crates/a-b/src/lib.rs": "" };
    expect(imports("crates/a-b/tests/t.rs", "use a_b::{x, y};", files)).toEqual(["crates/a-b/src/lib.rs"]);
  });

  test("of a Go package lead to all its files", () => {
    const files = { "go.mod": "module x.org/a\n", "b/b.go": "", "b/c.go": "", "b/b_test.go": "", "d/d.go": "" };
    expect(imports("main.go", `import (\n\t"fmt"\n\tb2 "x.org/a/b"\n)`, files)).toEqual(["b/b.go", "b/c.go"]);
  });

  test.each([
    ["a.py", `${"from . import (".repeat(20_000)}`],
    ["a.py", `from ${".".repeat(200_000)}`],
    ["a.ts", `import ${" ".repeat(200_000)}`],
    ["a.ts", `${"import ".repeat(50_000)}`],
    ["a.rs", `${"#[a] ".repeat(50_000)}`],
    ["a.rs", `${"pub ".repeat(50_000)}`],
    ["a.sh", `${"a/".repeat(100_000)}`],
    ["a.sh", `${"$(a ".repeat(50_000)}`],
    ["a.php", `${"require ".repeat(50_000)}`],
    ["a.html", `${"src = ".repeat(50_000)}`],
    ["a.c", `${"# ".repeat(100_000)}`],
  ])("of a hostile %s are found quickly", (path, text) => {
    const start = cpuMs();
    imports(path, text, {});
    expect(cpuMs() - start).toBeLessThan(1_500);
  });
});
