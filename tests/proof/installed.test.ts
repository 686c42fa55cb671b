// The fingerprint at its edges: which package a program belongs to, how dependencies are found, what is read, and what is not.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { altered, type Fingerprint, fingerprint } from "../../src/runtime/proof/installed.ts";

let dir = "";
beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-installed-")));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

function write(path: string, text = "x"): void {
  fs.mkdirSync(dirname(join(dir, path)), { recursive: true });
  fs.writeFileSync(join(dir, path), text);
}
const manifest = (...names: string[]): string =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, "1"])) });
const link = (name: string, to: string): void => {
  fs.mkdirSync(join(dir, "node_modules/.bin"), { recursive: true });
  fs.symlinkSync(to, join(dir, "node_modules/.bin", name));
};
const found = (...words: string[]): string[] => Object.keys(fingerprint(dir, words)).sort();

describe("the package of a program", () => {
  test.each([
    { what: "plain", home: "node_modules/tool" },
    { what: "with a scope", home: "node_modules/@some/tool" },
    { what: "within another", home: "node_modules/other/node_modules/tool" },
    { what: "kept apart and linked", home: "node_modules/.pnpm/tool@1/node_modules/tool" },
  ])("$what is fingerprinted whole", ({ home }) => {
    write(`${home}/bin/run.js`);
    write(`${home}/lib/deep/a.js`);
    write("node_modules/stranger/a.js");
    link("tool", `../../${home}/bin/run.js`);
    expect(found("tool")).toEqual(["node_modules/.bin/tool", `${home}/bin/run.js`, `${home}/lib/deep/a.js`].sort());
  });

  test("is none for a program that lies in .bin itself, or leads out", () => {
    write("node_modules/.bin/own");
    write("outside/run.js");
    write("outside/other.js");
    link("out", "../../outside/run.js");
    expect(found("own", "out")).toEqual(["node_modules/.bin/out", "node_modules/.bin/own"]);
  });

  test("is none where a file stands in the place of its folder", () => {
    write("node_modules");
    expect(found("tool", "node_modules/tool/run.js")).toEqual([]);
  });

  test("is none for a link that leads nowhere, which is known all the same", () => {
    link("gone", "../gone/run.js");
    expect(found("gone")).toEqual(["node_modules/.bin/gone"]);
  });

  test.each([
    { word: "./node_modules/tool/run.js", is: true },
    { word: "././node_modules/tool/run.js", is: true },
    { word: "node_modules/tool/run.js", is: true },
    { word: "node_modules/../node_modules/tool/run.js", is: false },
    { word: "src/../node_modules/tool/run.js", is: false },
    { word: "other/tool/run.js", is: false },
    { word: "node_modules/tool", is: false },
    { word: "node_modules/tool/none.js", is: false },
  ])("that is named as $word is found: $is", ({ word, is }) => {
    write("node_modules/tool/run.js");
    write("other/tool/run.js");
    expect(found(word)).toEqual(is ? ["node_modules/tool/run.js"] : []);
  });
});

describe("a dependency", () => {
  test("is found beside the package first, then further up, then at the top", () => {
    write("node_modules/tool/run.js");
    write("node_modules/tool/package.json", manifest("near", "far"));
    write("node_modules/tool/node_modules/near/package.json", manifest("far", "beside"));
    write("node_modules/tool/node_modules/beside/package.json", "{}");
    write("node_modules/near/package.json", "{}");
    write("node_modules/far/package.json", "{}");
    expect(found("node_modules/tool/run.js")).toEqual([
      "node_modules/far/package.json",
      "node_modules/tool/node_modules/beside/package.json",
      "node_modules/tool/node_modules/near/package.json",
      "node_modules/tool/package.json",
      "node_modules/tool/run.js",
    ]);
  });

  test("that is no name is not looked for", () => {
    write("node_modules/tool/run.js");
    write("node_modules/tool/package.json", manifest("../../outside", "a/b", "@a", "@scope/ok"));
    write("outside/package.json", "{}");
    write("node_modules/a/b/package.json", "{}");
    write("node_modules/@scope/ok/package.json", "{}");
    expect(found("node_modules/tool/run.js")).toEqual([
      "node_modules/@scope/ok/package.json",
      "node_modules/tool/package.json",
      "node_modules/tool/run.js",
    ]);
  });
});

describe("a Python environment", () => {
  const site = "venv/lib/python3.12/site-packages";
  test("has its programs, what is read at its start, and the modules that are named", () => {
    for (const path of ["bin/python", "bin/python3", "bin/pytest", "bin/other"]) write(`venv/${path}`);
    const kept = [
      "a.pth",
      "sitecustomize.py",
      "usercustomize.py",
      "pytest/a.py",
      "_pytest/a.py",
      "pluggy/a.py",
      "iniconfig/a.py",
    ];
    const left = [
      "a.pth.txt",
      "customize.py",
      "sitecustomize.py.bak",
      "requests/a.py",
      "pytest/__pycache__/a.pyc",
      "deep/a.pth",
    ];
    for (const path of [...kept, ...left]) write(`${site}/${path}`);
    expect(found("pytest", "-q", "a.b")).toEqual(
      ["venv/bin/python", "venv/bin/python3", "venv/bin/pytest", ...kept.map((path) => `${site}/${path}`)].sort(),
    );
    expect(found("requests").filter((path) => path.includes("/site-packages/"))).toEqual(
      ["a.pth", "requests/a.py", "sitecustomize.py", "usercustomize.py"].map((path) => `${site}/${path}`),
    );
  });

  test("without a library is none", () => {
    write("venv/bin/python");
    write("venv/lib/ruby/x");
    expect(found("python")).toEqual([]);
  });
});

describe("what is remembered", () => {
  const path = "node_modules/tool/run.js";

  test("is not read again while its stat is the same, and is when it is another", () => {
    write(path, "one");
    const before = fingerprint(dir, [path]);
    const forged: Fingerprint = { [path]: [before[path]?.[0] ?? "", "remembered"] };
    expect(fingerprint(dir, [path], forged)[path]?.[1]).toBe("remembered");
    expect(fingerprint(dir, [path], { [path]: ["other stat", "remembered"] })).toEqual(before);
  });

  const content = (): string | undefined => fingerprint(dir, [path])[path]?.[1];
  const large = (at: number): string => {
    const text = Buffer.alloc(3 << 20, "x");
    text[at] = 0x79;
    fs.mkdirSync(dirname(join(dir, path)), { recursive: true });
    fs.writeFileSync(join(dir, path), text);
    return content() ?? "";
  };

  test("of a large file are its first and its last 64 KiB, and not what lies between", () => {
    const middle = large(1 << 20);
    expect(large(2 << 20)).toBe(middle);
    for (const at of [0, (64 << 10) - 1, (3 << 20) - (64 << 10), (3 << 20) - 1])
      expect(large(at), String(at)).not.toBe(middle);
  });

  test("of a file up to a megabyte is all of it", () => {
    write(path, "x".repeat(1 << 20));
    const before = content();
    write(path, `${"x".repeat(1 << 19)}y${"x".repeat((1 << 19) - 1)}`);
    expect(content()).not.toBe(before);
  });

  test("of a link is where it leads, not what is there", () => {
    write("node_modules/tool/a.js", "same");
    write("node_modules/tool/b.js", "same");
    link("tool", "../tool/a.js");
    const before = fingerprint(dir, ["tool"]);
    fs.rmSync(join(dir, "node_modules/.bin/tool"));
    link("tool", "../tool/b.js");
    expect(altered(before, fingerprint(dir, ["tool"]))).toEqual(["node_modules/.bin/tool"]);
  });

  test("leaves caches and the packages within out", () => {
    write(path);
    for (const left of [".cache/a", ".cached", "node_modules/x/a.js"]) write(`node_modules/tool/${left}`);
    write("node_modules/tool/x.cache");
    expect(found(path)).toEqual([path, "node_modules/tool/x.cache"]);
  });
});

test("a file that came in is no alteration, unless Python reads it at its start", () => {
  const of = (...paths: string[]): Fingerprint => Object.fromEntries(paths.map((path) => [path, ["s", "c"] as const]));
  const site = "venv/lib/python3.12/site-packages";
  expect(altered(of("a"), of("a", "b", `${site}/x.pth`))).toEqual([`${site}/x.pth`]);
  expect(altered(of(`${site}/x.pth`), of(`${site}/x.pth`))).toEqual([]);
  expect(altered(of("a", "b"), of("b"))).toEqual(["a"]);
});
