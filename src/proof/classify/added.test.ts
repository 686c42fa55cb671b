import { describe, expect, test } from "vitest";
import type { View } from "../view.ts";
import { classify } from "./index.ts";
import type { NewKind, Settings } from "./kinds.ts";

type Files = Readonly<Record<string, string>>;

const viewOf = (files: Files): View => ({
  paths: Object.keys(files).sort(),
  text: (path) => (Object.hasOwn(files, path) ? (files[path] ?? null) : null),
});
const plain: Settings = { product: [], tests: [], ours: (path) => path === "loop.yaml" };
const json = (value: unknown): string => JSON.stringify(value);

type Case = { readonly kind: NewKind; readonly path: string; readonly text?: string; readonly also?: Files };

function newKind(base: Files, { path, text = "", also = {} }: Omit<Case, "kind">, settings = plain): NewKind {
  return classify(viewOf(base), settings).added(viewOf({ ...base, ...also, [path]: text }))(path).kind;
}

const library: Files = {
  "package.json": json({ name: "x", main: "dist/index.js" }),
  "src/index.ts": "",
  "src/index.test.ts": `import "./index.ts";`,
  "tests/helpers.ts": "",
  "scripts/build.mjs": "",
};

describe("a file that a candidate adds to a library", () => {
  test.each<Case>([
    { kind: "product", path: "src/b.ts" },
    { kind: "product", path: "src/locales/de.json" },
    { kind: "product", path: "src/migrations/002.sql" },
    { kind: "product", path: "server/index.ts" },
    { kind: "product", path: "package-lock.json" },
    { kind: "product", path: "docs/guide.md" },
    { kind: "product", path: "CHANGELOG.md" },
    { kind: "test", path: "src/b.test.ts" },
    { kind: "test", path: "src/b.test-d.ts" },
    { kind: "test", path: "src/__mocks__/fs.ts" },
    { kind: "test", path: "src/setupTests.ts" },
    { kind: "test", path: "tests/__init__.py" },
    { kind: "test", path: "tests/data.json" },
    { kind: "test", path: "conftest.py" },
    { kind: "test", path: "src/conftest.py" },
    { kind: "test", path: "src/quick.check.ts", text: `import { test } from "vitest";` },
    { kind: "other", path: "vitest.config.ts" },
    { kind: "other", path: "src/vitest.workspace.ts" },
    { kind: "other", path: "src/package.json", text: `{"type":"commonjs"}` },
    { kind: "other", path: "src/tsconfig.json" },
    { kind: "other", path: "src/.env" },
    { kind: "other", path: ".github/workflows/x.yml" },
    { kind: "other", path: "Makefile" },
    { kind: "product", path: "src/makefile.py" },
    { kind: "other", path: "scripts/b.mjs" },
    { kind: "other", path: "vendor/x.ts" },
    { kind: "cache", path: "node_modules/vitest/index.js" },
    { kind: "cache", path: "src/node_modules/vitest/index.js" },
    { kind: "cache", path: "src/x.egg-info/entry_points.txt" },
    { kind: "ours", path: "loop.yaml" },
  ])("is $kind: $path", (file) => {
    expect(newKind(library, file)).toBe(file.kind);
  });
});

describe("product that uses a new file", () => {
  test("makes it product, from file to file", () => {
    const also = { "src/index.ts": `import "../extra/a";`, "extra/a.ts": `export * from "./b";` };
    expect(newKind(library, { path: "extra/b.ts", also })).toBe("product");
  });

  test.each([
    { path: "tests/help.ts", specifier: "../tests/help", kind: "test" },
    { path: "src/b.test.ts", specifier: "./b.test", kind: "test" },
    { path: "vite.config.ts", specifier: "../vite.config", kind: "other" },
    { path: "src/testing/kit.ts", specifier: "./testing/kit", kind: "product" },
    { path: "src/ab-test.ts", specifier: "./ab-test", kind: "test" },
    { path: "src/app.config.ts", specifier: "./app.config", kind: "product" },
    { path: "app.config.ts", specifier: "../app.config", kind: "other" },
  ])("leaves $path $kind", ({ path, specifier, kind }) => {
    expect(newKind(library, { path, also: { "src/index.ts": `import "${specifier}";` } })).toBe(kind);
  });

  test("does not count when the importing file is protected", () => {
    const also = { "scripts/build.mjs": `import "../extra/a.ts";`, "src/index.test.ts": `import "../extra/a.ts";` };
    expect(newKind(library, { path: "extra/a.ts", also })).toBe("other");
  });
});

describe("the first code of a project", () => {
  test.each<Case & { readonly base: Files }>([
    { base: { "README.md": "" }, kind: "product", path: "src/a.js" },
    { base: {}, kind: "product", path: "index.js" },
    { base: {}, kind: "product", path: "wc.py", also: { "tests/test_wc.py": "import wc" } },
    { base: {}, kind: "product", path: "words/count.py", also: { "tests/test_wc.py": "from words import count" } },
    { base: {}, kind: "test", path: "tests/test_wc.py", text: "import wc" },
    { base: {}, kind: "product", path: "greet.sh", also: { "test/run.sh": "./greet.sh World" } },
    { base: {}, kind: "product", path: "uuid.go" },
    { base: { "go.mod": "module x.org/a" }, kind: "product", path: "internal/b/b.go" },
    { base: { "package.json": json({ name: "r" }) }, kind: "product", path: "packages/new/src/index.ts" },
    { base: { "package.json": json({ name: "r" }) }, kind: "product", path: "packages/new/index.ts" },
  ])("$path is $kind", ({ base, ...file }) => {
    expect(newKind(base, file)).toBe(file.kind);
  });

  test("is product where tests of the base already import it", () => {
    const base = { "src/a.py": "", "tests/test_rates.py": "from rates.eur import convert" };
    expect(newKind(base, { path: "rates/eur.py" })).toBe("product");
    expect(newKind({ "src/a.py": "" }, { path: "rates/eur.py" })).toBe("other");
  });

  test("is product next to code that tests import", () => {
    const base = { "sum.js": "", "sum.test.js": `require("./sum")`, "tool.test.js": "" };
    expect(newKind(base, { path: "product.js" })).toBe("product");
    expect(newKind(base, { path: "notes.txt" })).toBe("other");
  });
});

test("a new Django app is product as a whole, once the settings name it", () => {
  const base: Files = {
    "manage.py": `setdefault("DJANGO_SETTINGS_MODULE", "site_a.settings")`,
    "site_a/settings.py": `INSTALLED_APPS = []`,
    "blog/models.py": "",
  };
  const app = {
    "billing/__init__.py": "",
    "billing/models.py": "",
    "billing/tests.py": "",
    "billing/templates/a.html": "",
  };
  const settings = { "site_a/settings.py": `INSTALLED_APPS = ["billing.apps.BillingConfig"]`, "billing/apps.py": "" };
  const kinds = Object.keys(app).map((path) => newKind(base, { path, also: { ...app, ...settings } }));
  expect(kinds).toEqual(["product", "product", "test", "product"]);
  expect(newKind(base, { path: "billing/models.py", also: app })).toBe("other");
});

describe("a new file that would shadow an import of the judge", () => {
  const python: Files = {
    "pyproject.toml": `[project]\nname = "x"\ndependencies = ["attrs", "requests>=2"]\n`,
    "src/x/__init__.py": "",
    "helpers.py": "import pytest",
    "tests/test_x.py": "import json, x, helpers",
  };
  test.each<Case>([
    { kind: "other", path: "src/json.py" },
    { kind: "other", path: "src/unittest/__init__.py" },
    { kind: "other", path: "src/pytest.py" },
    { kind: "other", path: "src/requests/__init__.py" },
    { kind: "other", path: "src/json.cpython-312-x86_64-linux-gnu.so" },
    { kind: "other", path: "src/sitecustomize.py" },
    { kind: "other", path: "helpers/__init__.py", also: { "src/x/__init__.py": "import helpers" } },
    { kind: "product", path: "src/x/json.py" },
    { kind: "product", path: "src/x/types.py" },
  ])("$path is $kind", (file) => {
    expect(newKind(python, file)).toBe(file.kind);
  });

  test("a system header is not product", () => {
    const base = { "src/a.c": "#include <assert.h>", "include/a.h": "" };
    expect(newKind(base, { path: "include/assert.h" })).toBe("other");
    expect(newKind(base, { path: "include/b.h" })).toBe("product");
  });

  test("a Ruby library is not product", () => {
    const base = { "lib/a.rb": "", "test/a_test.rb": `require "minitest/autorun"\nrequire "json"` };
    expect(newKind(base, { path: "lib/minitest/autorun.rb" })).toBe("other");
    expect(newKind(base, { path: "lib/json.rb" })).toBe("other");
    expect(newKind(base, { path: "lib/b.rb" })).toBe("product");
  });

  test("a module below baseUrl is not product", () => {
    const base = { "tsconfig.json": `{ "compilerOptions": { "baseUrl": "src", /* */ } }`, "src/a.ts": "" };
    expect(newKind(base, { path: "src/vitest.ts" })).toBe("other");
    expect(newKind(base, { path: "src/chai/index.ts" })).toBe("other");
  });
});

test("settings apply to new files too", () => {
  const settings = { ...plain, product: ["extra/**"], tests: ["checks/**"] };
  expect(newKind(library, { path: "extra/a.ts" }, settings)).toBe("product");
  expect(newKind(library, { path: "extra/a.test.ts" }, settings)).toBe("test");
  expect(newKind(library, { path: "checks/a.ts" }, settings)).toBe("test");
});

test("a file of the base keeps its kind, whatever imports it now", () => {
  const also = { "src/index.ts": `import "../scripts/build.mjs";` };
  expect(newKind(library, { path: "scripts/build.mjs", also })).toBe("other");
});
