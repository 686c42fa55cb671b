import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../testing/cpu-time.ts";
import { mixManifest } from "./mix.ts";
import { scanToml } from "./toml.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

describe("package.json", () => {
  const judge = json({ name: "a", scripts: { test: "vitest" }, dependencies: { a: "1" }, type: "module" });

  test("takes dependencies from the product and everything else from the judge", () => {
    const product = json({
      name: "b",
      scripts: { test: "true" },
      dependencies: { a: "2", b: "1" },
      type: "commonjs",
      devDependencies: { c: "3" },
      jest: {},
    });
    expect(mixManifest("package.json", product, judge)).toBe(
      json({
        name: "a",
        scripts: { test: "vitest" },
        dependencies: { a: "2", b: "1" },
        type: "module",
        devDependencies: { c: "3" },
      }),
    );
  });

  test("keeps the judge's text where the dependencies are the same", () => {
    const odd = `{ "name" : "a",\n\n\t"dependencies": {"a":"1"} }`;
    expect(mixManifest("package.json", json({ dependencies: { a: "1" }, scripts: { test: "x" } }), odd)).toBe(odd);
  });

  test("keeps the judge's indentation and newlines", () => {
    const tabs = `{\r\n\t"name": "a",\r\n\t"dependencies": {}\r\n}\r\n`;
    expect(mixManifest("package.json", json({ dependencies: { b: "1" } }), tabs)).toBe(
      `{\r\n\t"name": "a",\r\n\t"dependencies": {\r\n\t\t"b": "1"\r\n\t}\r\n}\r\n`,
    );
  });

  test.each([
    { what: "the product's is no JSON", product: "{", judge, mixed: judge },
    { what: "the product's is a list", product: "[]", judge, mixed: judge },
    { what: "the judge's is no JSON", product: judge, judge: "{", mixed: "{" },
    { what: "the product has none", product: null, judge, mixed: judge },
    { what: "the judge has none", product: judge, judge: null, mixed: null },
  ])("is the judge's where $what", ({ product, judge: ours, mixed }) => {
    expect(mixManifest("packages/x/package.json", product, ours)).toBe(mixed);
  });

  test("never takes another key from the product", () => {
    const keys = fc.constantFrom(
      "scripts",
      "jest",
      "vitest",
      "type",
      "exports",
      "main",
      "bin",
      "imports",
      "workspaces",
      "__proto__",
      "toString",
      "dependencies",
      "devDependencies",
    );
    const manifest = fc.dictionary(keys, fc.oneof(fc.string(), fc.dictionary(fc.string(), fc.string())));
    fc.assert(
      fc.property(manifest, manifest, (theirs, ours) => {
        const isOther = ([key]: [string, unknown]): boolean => !/dependencies$/i.test(key);
        const mixed: unknown = JSON.parse(mixManifest("package.json", json(theirs), json(ours)) ?? "null");
        expect(Object.entries(mixed ?? {}).filter(isOther)).toEqual(
          Object.entries(JSON.parse(json(ours))).filter(isOther),
        );
      }),
    );
  });
});

const cargo = `[package]
name = "a" # the name
[dependencies]
serde = "1"

[dev-dependencies]
insta = { version = "1" }

[profile.test]
opt-level = 0
`;

describe("TOML", () => {
  test("Cargo.toml takes its dependency tables from the product, in place", () => {
    const product = `[package]
name = "b"
build = "evil.rs"
[dependencies]
serde = { version = "2", features = [
  "derive", # ]
] }
[dependencies.rand]
version = "1"
[target.'cfg(unix)'.dependencies]
libc = "0.2"
[profile.test]
opt-level = 3
debug-assertions = false
`;
    expect(mixManifest("Cargo.toml", product, cargo)).toBe(`[package]
name = "a" # the name
[dependencies]
serde = { version = "2", features = [
  "derive", # ]
] }
[dependencies.rand]
version = "1"
[target.'cfg(unix)'.dependencies]
libc = "0.2"
[profile.test]
opt-level = 0
`);
  });

  test("pyproject.toml takes single keys and whole tables", () => {
    const judge = `[project]
name = "a"
dependencies = ["x"]
scripts = { a = "a:main" }

[tool.pytest.ini_options]
addopts = "-q"
`;
    const product = `[project]
name = "b"
dependencies = [
  "x>=2",
  "y", # why
]
[project.optional-dependencies]
dev = ["z"]
[tool.uv]
dev-dependencies = ["w"]
package = false
[dependency-groups]
test = ["pytest"]
[tool.pytest.ini_options]
addopts = "-p no:terminal"
`;
    expect(mixManifest("pyproject.toml", product, judge)).toBe(`[project]
name = "a"
dependencies = [
  "x>=2",
  "y", # why
]
scripts = { a = "a:main" }

[tool.pytest.ini_options]
addopts = "-q"
[project.optional-dependencies]
dev = ["z"]
[dependency-groups]
test = ["pytest"]
[tool.uv]
dev-dependencies = ["w"]
`);
  });

  test("drops tables that the product no longer has", () => {
    expect(mixManifest("Cargo.toml", `[package]\nname = "a"\n[dependencies]\nserde = "1"\n`, cargo)).not.toContain(
      "insta",
    );
  });

  test.each([
    ["a heading inside a text", `[dependencies]\na = """\n[profile.test]\nopt-level = 3\n"""\n`],
    ["a text that ends in five quotes", `[dependencies]\na = """x"""""\n[profile.test]\nopt-level = 3\n`],
    ["a list over lines", `[dependencies]\na = { features = ["[profile.test]",\n"]" , '''\n[x]\n'''] }\n`],
    ["a key in quotes", `["dependencies"]\n"a.b" = '1'\n`],
  ])("reads %s", (_, product) => {
    const mixed = mixManifest("Cargo.toml", product, cargo) ?? "";
    expect(mixed).toContain("a");
    const profile = scanToml(mixed)?.filter(({ path }) => path[0] === "profile");
    expect(profile?.map(({ entries }) => entries.map(({ path, value }) => [path.at(-1), value]))).toEqual([
      [["opt-level", "0"]],
    ]);
  });

  test.each([
    ["an escape that hides a key", `["depend\\u0065ncies"]\na = 1\n`],
    ["an open text", `[dependencies]\na = "x\n`],
    ["an open list", `[dependencies]\na = [1, 2\n`],
    ["a lone carriage return", `[dependencies]\na = 1\r[profile.test]\ropt-level = 3\n`],
    ["two values on a line", `[dependencies]\na = 1 b = 2\n`],
    ["no TOML at all", `{"dependencies": {}}`],
  ])("does not read %s", (_, product) => {
    expect(mixManifest("Cargo.toml", product, cargo)).toBe(cargo);
  });

  test("never changes anything but dependencies, for any text of the product", () => {
    const line = fc.constantFrom(
      "[dependencies]",
      "[package]",
      "[profile.test]",
      "[[bin]]",
      "[dev-dependencies.x]",
      `a = "1"`,
      `b = """`,
      `"""`,
      "c = [",
      "]",
      "opt-level = 3",
      `d = '''`,
      `'''`,
      `e = { x = "]" }`,
      "# [x]",
      `f = "\\""`,
      "",
      `dependencies.g = "1"`,
      `"dependencies" = {}`,
      "  h = 1 # x",
      "path = '../x'",
    );
    const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.join("\n"));
    const rest = (toml: string): unknown =>
      scanToml(toml)?.flatMap(({ entries }) =>
        entries.filter(({ path }) => !/dependencies$/.test(path[0] ?? "")).map(({ path, value }) => [path, value]),
      );
    fc.assert(
      fc.property(text, (product) => {
        expect(rest(mixManifest("Cargo.toml", product, cargo) ?? "")).toEqual(rest(cargo));
      }),
      { numRuns: 500 },
    );
  });

  test("reads any text in bounded time", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("[", "]", "{", "}", '"', "'", "=", "\n", "a", ".", "#", ",", "\\", " ") }),
        (text) => {
          mixManifest("pyproject.toml", text, cargo);
        },
      ),
    );
    const start = cpuMs();
    mixManifest("pyproject.toml", `a = ${"[".repeat(200_000)}`, cargo);
    mixManifest("pyproject.toml", `a = """${'"" '.repeat(100_000)}`, cargo);
    expect(cpuMs() - start).toBeLessThan(2_000);
  });
});

describe("other manifests", () => {
  test("go.mod takes its requirements from the product", () => {
    const judge = `module example.com/a\n\ngo 1.22\n\nrequire (\n\tx.org/a v1.0.0\n)\n\nreplace x.org/a => ./a\n`;
    const product = `module example.com/b\n\ngo 1.99\n\nrequire x.org/a v1.1.0\nrequire (\n\tx.org/b v1.0.0 // indirect\n)\n\nreplace x.org/testify => ./evil\n`;
    expect(mixManifest("go.mod", product, judge)).toBe(
      `module example.com/a\n\ngo 1.22\n\nrequire x.org/a v1.1.0\nrequire (\n\tx.org/b v1.0.0 // indirect\n)\n\nreplace x.org/a => ./a\n`,
    );
  });

  test("setup.cfg takes install_requires and extras from the product", () => {
    const judge = `[metadata]\nname = a\n\n[options]\ninstall_requires =\n    x\npackages = find:\n\n[tool:pytest]\naddopts = -q\n`;
    const product = `[metadata]\nname = b\n[options]\ninstall_requires =\n    x>=2\n    y\n[options.extras_require]\ndev = z\n[tool:pytest]\naddopts = -x\n`;
    expect(mixManifest("setup.cfg", product, judge)).toBe(
      `[metadata]\nname = a\n\n[options]\ninstall_requires =\n    x>=2\n    y\npackages = find:\n\n[tool:pytest]\naddopts = -q\n[options.extras_require]\ndev = z\n`,
    );
  });

  test.each([
    { what: "a plain list", theirs: `["x>=2", 'y']`, mixed: `["x>=2", 'y']` },
    { what: "a call", theirs: `open("x").read().split()`, mixed: `["x"]` },
    { what: "a list with a call in it", theirs: `["x", __import__("os").system("true")]`, mixed: `["x"]` },
  ])("setup.py takes $what or leaves it", ({ theirs, mixed }) => {
    const setup = (requires: string): string =>
      `from setuptools import setup\nsetup(name="a", install_requires=${requires})\n`;
    expect(mixManifest("setup.py", setup(theirs), setup(`["x"]`))).toBe(setup(mixed));
  });

  test("a Gemfile takes plain gems from the product and leaves groups where they are", () => {
    const judge = `source "https://rubygems.org"\ngem "rails", "~> 7.0"\ngem "old"\ngroup :test do\n  gem "rspec"\nend\n`;
    const product = `source "https://evil.example"\ngem "rails", "~> 7.1"\ngroup :test do\n  gem "rspec", require: false\nend\ngem "pg"\ngem "x", "#{system("true")}"\nsystem "true"\n`;
    expect(mixManifest("Gemfile", product, judge)).toBe(
      `source "https://rubygems.org"\ngem "rails", "~> 7.1"\ngroup :test do\n  gem "rspec", require: false\nend\ngem "pg"\n`,
    );
  });

  test("composer.json keeps its scripts and autoload", () => {
    const judge = json({ require: { a: "1" }, scripts: { test: "phpunit" }, autoload: {} });
    const product = json({ require: { a: "2" }, scripts: { test: "true" }, "require-dev": { b: "1" } });
    expect(JSON.parse(mixManifest("composer.json", product, judge) ?? "")).toEqual({
      require: { a: "2" },
      scripts: { test: "phpunit" },
      autoload: {},
      "require-dev": { b: "1" },
    });
  });

  test("a requirements list comes from the product as a whole", () => {
    expect(mixManifest("requirements-dev.txt", "b\n", "a\n")).toBe("b\n");
    expect(mixManifest("requirements.txt", null, "a\n")).toBeNull();
  });

  test("a file that is not a manifest comes from the judge", () => {
    expect(mixManifest("Makefile", "a", "b")).toBe("b");
  });
});
