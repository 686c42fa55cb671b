import { describe, expect, test } from "vitest";
import type { View } from "../view.ts";
import { classify, describeSplit } from "./index.ts";
import type { Kind, Settings } from "./kinds.ts";

type Files = Readonly<Record<string, string>>;

const viewOf = (files: Files): View => ({
  paths: Object.keys(files).sort(),
  text: (path) => (Object.hasOwn(files, path) ? (files[path] ?? null) : null),
});
const plain: Settings = { product: [], tests: [], ours: (path) => path === "loop.yaml" || path.startsWith(".loop/") };
const json = (value: unknown): string => JSON.stringify(value, null, 2);

const importing = (...modules: readonly string[]): string => modules.map((module) => `import "${module}";`).join("\n");

/** Every file of the shape with its expected kind and its text. `either` is a judge that could be product. */
type Shape = { readonly name: string; readonly files: Readonly<Record<string, readonly [Kind | "either", string?]>> };

const shapes: readonly Shape[] = [
  {
    name: "a library of one file with its test next to it",
    files: {
      "package.json": ["mixed", json({ name: "one", main: "index.js", scripts: { test: "node --test" } })],
      "package-lock.json": ["product"],
      "index.js": ["product", `const assert = require("node:assert");\nconst { up } = require("./up");`],
      "up.js": ["product", "exports.up = (s) => s.toUpperCase();"],
      "index.test.js": ["judge", `const one = require("./index.js");`],
      "index.test-d.ts": ["judge", `import one from ".";`],
      "README.md": ["product"],
      ".eslintrc.json": ["judge"],
      "loop.yaml": ["ours"],
    },
  },
  {
    name: "a package without a folder for its code, tested file by file",
    files: {
      "package.json": ["mixed", json({ name: "flat", bin: { flat: "cli.js" } })],
      "cli.js": ["product", `#!/usr/bin/env node\nrequire("./parse");`],
      "parse.js": ["product", "exports.parse = () => 1;"],
      "format.js": ["product", "exports.format = () => 1;"],
      "fake-server.js": ["judge", `const { test } = require("node:test");`],
      "release.js": ["either", "console.log(1)"],
      "test/format.js": ["judge", `require("../format"); require("../fake-server");`],
    },
  },
  {
    name: "TypeScript with tests in src and a build that is not tracked",
    files: {
      "package.json": ["mixed", json({ name: "ts", main: "dist/index.js", types: "dist/index.d.ts", files: ["dist"] })],
      "tsconfig.json": ["judge", "{}"],
      "vitest.config.ts": ["judge", "export default {};"],
      "eslint.config.mjs": ["judge"],
      "src/index.ts": ["product", `export { a } from "./a.js";`],
      "src/a.ts": ["product", "export const a = 1;"],
      "src/a.test.ts": ["judge", importing("vitest", "./a.ts", "./expecting.ts")],
      "src/expecting.ts": ["judge", `import { expect } from "vitest"; export const is = expect;`],
      "src/checked.ts": ["product", `import assert from "node:assert"; export const b = 1;`],
      "src/user.ts": ["product", `import "./checked.ts";`],
      "src/commands/test/index.ts": ["product", "export const run = 1;"],
      "src/ab-test.ts": ["product", "export {};"],
      "src/uses-ab.ts": ["product", importing("./ab-test.js")],
      "src/cli.ts": ["product", `import { run } from "./commands/test/index.ts";`],
      "src/__mocks__/fs.ts": ["judge", "export {};"],
      "src/__snapshots__/a.test.ts.snap": ["judge"],
      "src/locales/de.json": ["product", "{}"],
      "src/app.config.ts": ["product", "export const config = 1;"],
      "src/main.ts": ["product", `import { config } from "./app.config.js";`],
      "src/jest.config.ts": ["judge", ""],
      "scripts/release.mjs": ["either", ""],
      ".github/workflows/ci.yml": ["judge"],
    },
  },
  {
    name: "a monorepo with workspaces",
    files: {
      "package.json": ["mixed", json({ name: "root", private: true, workspaces: ["packages/*"] })],
      "pnpm-lock.yaml": ["product"],
      "pnpm-workspace.yaml": ["judge"],
      "packages/a/package.json": ["mixed", json({ name: "@x/a", main: "dist/index.js" })],
      "packages/a/src/index.ts": ["product", `import { b } from "@x/b";`],
      "packages/a/src/index.spec.ts": ["judge", ""],
      "packages/a/scripts/gen.ts": ["either", ""],
      "packages/b/package.json": ["mixed", json({ name: "@x/b" })],
      "packages/b/index.ts": ["product", `export * from "./util";`],
      "packages/b/util.ts": ["product", "export const b = 1;"],
      "packages/b/tests/util.ts": ["judge", `import { b } from "../util";`],
      "packages/c/index.ts": ["product", "export {};"],
      "packages/b/tests/fixtures/app/package.json": ["judge", json({ name: "app", main: "index.js" })],
      "packages/b/tests/fixtures/app/index.js": ["judge", ""],
      "packages/b/node_modules/left/index.js": ["cache", ""],
    },
  },
  {
    name: "an Express application with folders at the top",
    files: {
      "package.json": ["mixed", json({ name: "app", scripts: { start: "node server.js" } })],
      "server.js": ["product", `require("./handlers/users"); require("./config/db");`],
      "handlers/users.js": ["product", ""],
      "config/db.js": ["product", ""],
      "config/unused.js": ["either", ""],
      "views/index.ejs": ["product"],
      "public/app.css": ["product"],
      "test/app.js": ["judge", `require("../server");`],
      Dockerfile: ["judge"],
      ".env.example": ["judge"],
    },
  },
  {
    name: "a Python package in src",
    files: {
      "pyproject.toml": ["mixed", `[project]\nname = "wc-tool"\ndependencies = ["click"]\n`],
      "uv.lock": ["product"],
      "src/wc_tool/__init__.py": ["product", ""],
      "src/wc_tool/cli.py": ["product", "from wc_tool import core"],
      "src/wc_tool/core.py": ["product", ""],
      "src/wc_tool/templates/page.html": ["product"],
      "src/wc_tool/asserting.py": ["judge", "import pytest"],
      "tests/conftest.py": ["judge", ""],
      "tests/__init__.py": ["judge", ""],
      "tests/test_core.py": ["judge", "from wc_tool.core import count\nfrom wc_tool.asserting import same"],
      "noxfile.py": ["judge", ""],
      "docs/conf.py": ["either", ""],
      "docs/index.rst": ["product"],
      "src/wc_tool/__pycache__/core.cpython-312.pyc": ["cache"],
      "src/wc_tool.egg-info/entry_points.txt": ["cache"],
    },
  },
  {
    name: "a pytest plugin, which ships with pytest",
    files: {
      "pyproject.toml": ["mixed", `[project]\nname = "pytest-x"\ndependencies = ["pytest>=8"]\n`],
      "src/pytest_x/plugin.py": ["product", "import pytest"],
      "tests/test_plugin.py": ["judge", "import pytest"],
    },
  },
  {
    name: "a flat Python package and a module at the top",
    files: {
      "setup.cfg": ["mixed", "[metadata]\nname = shop\n"],
      "requirements.txt": ["product", "flask\n"],
      "requirements/dev.txt": ["product", "pytest\n"],
      "shop/__init__.py": ["product", ""],
      "shop/cart.py": ["product", ""],
      "shop/data/prices.json": ["product"],
      "shop/tests/test_cart.py": ["judge", "from shop.cart import Cart"],
      "tools/lint.py": ["either", ""],
      "tox.ini": ["judge"],
    },
  },
  {
    name: "a library that has constants and nothing else so far",
    files: {
      "package.json": ["mixed", "{}"],
      "src/sum.js": ["product", "export const zero = 0;\n"],
      "test/sum.test.js": ["judge", `import { zero } from "../src/sum.js";\n`],
    },
  },
  {
    name: "expected values that only tests load, beside code",
    files: {
      "package.json": ["mixed", "{}"],
      "src/cases.js": ["judge", "export const cases = [1, 2];\n"],
      "src/sum.js": ["product", "export function sum() {\n  return 0;\n}\n"],
      "test/sum.test.js": ["judge", `import { sum } from "../src/sum.js";\nimport { cases } from "../src/cases.js";\n`],
    },
  },
  {
    name: "a script in Python that tests run, without a manifest",
    files: {
      "cli.py": ["product", "import helpers_of_cli"],
      "helpers_of_cli.py": ["product", ""],
      "report.py": ["product", ""],
      "notes.py": ["either", ""],
      "tests/test_cli.py": [
        "judge",
        `import subprocess\nsubprocess.run(["python", "report.py"])\nfrom cli import main`,
      ],
    },
  },
  {
    name: "a Python folder without __init__ that tests import from",
    files: {
      "words/count.py": ["product", ""],
      "words/split.py": ["product", ""],
      "tests/test_words.py": ["judge", "from words.count import count"],
      "scripts/check.py": ["either", ""],
    },
  },
  {
    name: "a Django project",
    files: {
      "manage.py": ["judge", `os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mysite.settings")`],
      "requirements.txt": ["product", "django\n"],
      "mysite/settings.py": ["product", ""],
      "mysite/urls.py": ["product", ""],
      "mysite/test_settings.py": ["judge", ""],
      "blog/models.py": ["product", ""],
      "blog/migrations/0001_initial.py": ["product", ""],
      "blog/templates/blog/list.html": ["product"],
      "blog/tests.py": ["judge", "from django.test import TestCase"],
      "blog/fixtures/users.json": ["judge"],
      "locale/de/django.po": ["product"],
    },
  },
  {
    name: "a Go module",
    files: {
      "go.mod": ["mixed", "module example.com/tool\n\ngo 1.22\n"],
      "go.sum": ["product"],
      "main.go": ["product", `package main\nimport "example.com/tool/internal/count"`],
      "internal/count/count.go": ["product", "package count"],
      "internal/count/count_test.go": ["judge", `package count\nimport "testing"`],
      "internal/count/words.txt": ["product"],
      "internal/count/testdata/in.txt": ["judge"],
      "internal/asserting/asserting.go": ["judge", `package asserting\nimport "testing"`],
      "internal/count/more_test.go": ["judge", `package count\nimport "example.com/tool/internal/asserting"`],
      "cmd/tool/main.go": ["product", "package main"],
      "scripts/ci.sh": ["either", ""],
      "vendor/github.com/stretchr/testify/assert/assert.go": ["judge", `package assert\nimport "testing"`],
      ".golangci.yml": ["judge"],
      Makefile: ["judge", "test:\n\tgo test ./...\n"],
    },
  },
  {
    name: "a Rust workspace",
    files: {
      "Cargo.toml": ["mixed", `[workspace]\nmembers = ["crates/*"]\n`],
      "Cargo.lock": ["product"],
      "crates/core/Cargo.toml": ["mixed", `[package]\nname = "core"\n`],
      "crates/core/src/lib.rs": ["product", "mod a;\n#[cfg(test)]\nmod support;\n"],
      "crates/core/src/a.rs": ["product", "#[cfg(test)] mod tests { use proptest::prelude::*; }"],
      "crates/core/src/support.rs": ["judge", ""],
      "crates/core/tests/all.rs": ["judge", ""],
      "crates/core/benches/speed.rs": ["judge", ""],
      "crates/core/build.rs": ["judge", ""],
      "crates/cli/Cargo.toml": ["mixed", `[package]\nname = "cli"\n[[bin]]\nname = "cli"\npath = "main.rs"\n`],
      "crates/cli/main.rs": ["product", "mod args;"],
      "crates/cli/args.rs": ["product", ""],
      "target/debug/cli.d": ["cache"],
      "rustfmt.toml": ["judge"],
    },
  },
  {
    name: "a shell project",
    files: {
      "bin/greet.sh": ["product", "#!/bin/sh\n. lib/say.sh\n"],
      "bin/tool": ["product", "#!/usr/bin/env bash\necho hi\n"],
      "lib/say.sh": ["product", ""],
      "test/run.sh": ["judge", `#!/bin/sh\n"$(dirname "$0")/../bin/greet.sh" World\n`],
      "test/golden/greet.txt": ["judge"],
    },
  },
  {
    name: "a shell script at the top that tests run",
    files: {
      greet: ["product", "#!/bin/sh\n. ./messages.sh\n"],
      "messages.sh": ["product", ""],
      "tests/greet.bats": ["judge", `@test "greets" { run "$BATS_TEST_DIRNAME/../greet" World; scripts/compare.sh; }`],
      "scripts/compare.sh": ["either", ""],
      Makefile: ["judge", "test:\n\tbats tests\n"],
    },
  },
  {
    name: "C sources with a Makefile",
    files: {
      Makefile: [
        "judge",
        "OBJS = main.o list.o\nTEST_OBJS = harness.o\nall: tool\ntool: $(OBJS)\n\tcc -o $@ $^\ntest: check.c\n\tcc check.c && ./a.out\n",
      ],
      "main.c": ["product", `#include "list.h"`],
      "list.c": ["product", `#include "list.h"`],
      "list.h": ["product", ""],
      "harness.c": ["either", ""],
      "check.c": ["either", ""],
      "tests/test_list.c": ["judge", `#include "../list.h"`],
      "expected/out.txt": ["judge"],
    },
  },
  {
    name: "a Maven project",
    files: {
      "pom.xml": ["judge", "<project/>"],
      "src/main/java/app/App.java": ["product", ""],
      "src/main/resources/db/V1__init.sql": ["product"],
      "src/main/resources/junit-platform.properties": ["judge"],
      "src/test/java/app/AppTest.java": ["judge", "import org.junit.jupiter.api.Test;"],
      "src/checkstyle/rules.xml": ["either"],
    },
  },
  {
    name: "a .NET solution",
    files: {
      "Shop.sln": ["judge"],
      "src/Shop/Shop.csproj": ["judge", ""],
      "src/Shop/Cart.cs": ["product", ""],
      "src/Shop.Tests/CartFacts.cs": ["judge", "using Xunit;"],
      "src/Shop.Tests/Shop.Tests.csproj": ["judge"],
    },
  },
  {
    name: "a Rails application",
    files: {
      Gemfile: ["mixed", `gem "rails"`],
      "Gemfile.lock": ["product"],
      "config/application.rb": ["product", ""],
      "config/routes.rb": ["product", ""],
      "config/environments/test.rb": ["judge", ""],
      "db/migrate/1_users.rb": ["product", ""],
      "app/models/user.rb": ["product", ""],
      "spec/models/user_spec.rb": ["judge", ""],
      "spec/rails_helper.rb": ["judge", ""],
      Rakefile: ["judge", ""],
    },
  },
  {
    name: "a static site",
    files: {
      "index.html": ["product", `<script src="js/app.js"></script><link href="style.css">`],
      "js/app.js": ["product", ""],
      "style.css": ["product"],
      "tests/app.spec.js": ["judge", ""],
    },
  },
  {
    name: "a project with examples that its tests run",
    files: {
      "package.json": ["mixed", json({ name: "lib", main: "lib/index.js" })],
      "lib/index.js": ["product", ""],
      "examples/basic/package.json": ["mixed", json({ name: "basic" })],
      "examples/basic/src/index.js": ["either", ""],
      "test/examples.js": ["judge", `require("../examples/basic/src/index.js")`],
    },
  },
  {
    name: "tests under names of the project's own",
    files: {
      "package.json": ["mixed", json({ name: "own", scripts: { test: `mocha "src/**/*.check.js"` } })],
      "src/sum.js": ["product", ""],
      "src/sum.check.js": ["judge", `describe("sum", () => {})`],
      "pytest.ini": ["judge", "[pytest]\npython_files = verify_*.py\n"],
      "src/verify_sum.py": ["judge", ""],
    },
  },
];

const kindOf = (files: Shape["files"], settings: Settings = plain): Record<string, string> => {
  const view = viewOf(Object.fromEntries(Object.entries(files).map(([path, [, text]]) => [path, text ?? ""])));
  const classes = classify(view, settings);
  return Object.fromEntries(
    view.paths.map((path) => [path, classes.of(path).either ? "either" : classes.of(path).kind]),
  );
};

describe("the split", () => {
  test.each(shapes)("of $name", ({ files }) => {
    expect(kindOf(files)).toEqual(Object.fromEntries(Object.entries(files).map(([path, [kind]]) => [path, kind])));
  });

  test("is the same when a folder around the project has no manifest", () => {
    const [, , shape] = shapes;
    const moved = Object.fromEntries(Object.entries(shape?.files ?? {}).map(([path, file]) => [`web/${path}`, file]));
    const { "web/.github/workflows/ci.yml": _, ...files } = moved;
    expect(kindOf(files)).toEqual(Object.fromEntries(Object.entries(files).map(([path, [kind]]) => [path, kind])));
  });

  test("in an empty tree everything is judge", () => {
    const classes = classify(viewOf({}), plain);
    expect(classes.of("src/a.js")).toMatchObject({ kind: "judge", either: false });
    expect(classes.roots).toEqual([]);
  });
});

describe("a person's correction", () => {
  const files: Files = {
    "package.json": "{}",
    "src/a.js": "",
    "src/a.test.js": "",
    "src/testing/kit.js": `require("vitest")`,
    "tools/build.js": "",
    "tools/build.test.js": "",
    "tools/vite.config.js": "",
    "tools/package.json": json({ name: "tools" }),
    "tools/node_modules/x.js": "",
    "loop.yaml": "",
    "checks/a.js": "",
  };
  test.each([
    { glob: "tools/**", path: "tools/build.js", kind: "product" },
    { glob: "tools/**", path: "tools/build.test.js", kind: "judge" },
    { glob: "tools/**", path: "tools/vite.config.js", kind: "judge" },
    { glob: "tools/**", path: "tools/package.json", kind: "mixed" },
    { glob: "tools/*.test.js", path: "tools/build.test.js", kind: "product" },
    { glob: "tools/vite.config.js", path: "tools/vite.config.js", kind: "product" },
    { glob: "src/testing/**", path: "src/testing/kit.js", kind: "product" },
    { glob: "**", path: "src/testing/kit.js", kind: "judge" },
    { glob: "**", path: "tools/node_modules/x.js", kind: "cache" },
    { glob: "**", path: "loop.yaml", kind: "ours" },
  ])("product: $glob makes $path $kind", ({ glob, path, kind }) => {
    expect(classify(viewOf(files), { ...plain, product: [glob] }).of(path).kind).toBe(kind);
  });

  test("tests of a check are judge even in a product folder", () => {
    const classes = classify(viewOf(files), { ...plain, tests: ["src/a.js"] });
    expect(classes.of("src/a.js")).toMatchObject({ kind: "judge", rule: "settings", isTest: true });
  });

  test("product wins where both match", () => {
    const classes = classify(viewOf(files), { ...plain, tests: ["src/**"], product: ["src/a.js"] });
    expect(classes.of("src/a.js").kind).toBe("product");
  });
});

describe("reasons", () => {
  const view = viewOf({
    "package.json": json({ name: "x", main: "lib/index.js" }),
    "lib/index.js": `require("../extra")`,
    "extra.js": "",
    "test/a.js": "",
    "node_modules/a/index.js": "",
    "README.md": "",
    "loop.yaml": "",
  });
  const classes = classify(view, plain);

  test("are sentences for people, in both lists", () => {
    const split = describeSplit(classes, view);
    expect(split.product).toEqual([
      { path: "README.md", reason: "a document, by its name" },
      { path: "extra.js", reason: "lib/index.js imports it" },
      { path: "lib/index.js", reason: "an entry of package.json" },
      { path: "package.json", reason: "a manifest: its dependencies are product, everything else is protected" },
    ]);
    expect(split.protected.map(({ path }) => path)).toEqual(["package.json", "test/a.js"]);
  });

  test("tracked caches are listed", () => {
    expect(classes.caches).toEqual(["node_modules/a/index.js"]);
  });

  test("documents and tests are marked", () => {
    expect(classes.of("README.md")).toMatchObject({ isDocument: true, isTest: false });
    expect(classes.of("test/a.js")).toMatchObject({ isDocument: false, isTest: true });
  });
});
