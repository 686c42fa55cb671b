// Which words of a contract may name a program, what is kept of what is installed, and when a difference is tampering.
import { describe, expect, test } from "vitest";
import {
  installedCauses,
  keepInstalled,
  programWords,
  readInstalled,
} from "../../src/runtime/proof/dependency-tampering.ts";
import { sealRule } from "../../src/runtime/proof/seal.ts";
import { check, scope, tree, workspace } from "./trees.ts";

describe("words that may name a program", () => {
  const manifest = { "package.json": '{"scripts":{"test":"vitest run && tsc","odd":7}}' };
  test.each([
    { what: "the command's own", spec: { run: "pytest -q" }, files: manifest, is: ["pytest", "-q"] },
    {
      what: "those of its setup, once each",
      spec: { run: "pytest -q", setup: "pip install -q" },
      files: {},
      is: ["pytest", "-q", "pip", "install"],
    },
    {
      what: "those of the package scripts behind it",
      spec: { run: "npm test" },
      files: manifest,
      is: ["npm", "test", "vitest", "run", "tsc"],
    },
    {
      what: "no scripts where there are none",
      spec: { run: "npm test" },
      files: { "package.json": "{}" },
      is: ["npm", "test"],
    },
    {
      what: "no scripts of a broken manifest",
      spec: { run: "pnpm t" },
      files: { "package.json": "{" },
      is: ["pnpm", "t"],
    },
    { what: "no scripts without a manifest", spec: { run: "yarn t" }, files: {}, is: ["yarn", "t"] },
  ])("are $what", async ({ spec, files, is }) => {
    expect(await programWords(workspace, [check(spec)], tree(files))).toEqual(is);
  });
});

test("what is installed is kept once, and read by its name", () => {
  const kept = new Map<string, string>();
  let writes = 0;
  const files = {
    path: (path: string) => path,
    read: (path: string) => kept.get(path) ?? null,
    write: (path: string, text: string) => {
      writes += 1;
      kept.set(path, text);
    },
  };
  const found = { "node_modules/a/index.js": ["stat", "content"] } as const;
  const name = keepInstalled(files, found);
  expect([keepInstalled(files, found), writes]).toEqual([name, 1]);
  expect(readInstalled(files, name)).toEqual(found);
  expect([readInstalled(files, undefined), readInstalled(files, "other")]).toEqual([null, null]);
});

describe("what the checks are run by, changed where it is installed,", () => {
  const rule = sealRule({ checks: [check()], scope: scope() });
  const of = (count: number, content: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`node_modules/a/${at}.js`, ["s", content] as const]));
  const causes = (paths: string[], count = 1) =>
    installedCauses(
      { changes: paths.map((path) => ({ path, kind: "modified", binary: false, lines: 1 })), rule },
      of(count, "old"),
      of(count, "new"),
    );

  test("is tampering, and named", () => {
    expect(causes(["src/a.js"])).toMatchObject([
      { kind: "tampering", key: "dependency-tampering:node_modules/a/0.js", text: expect.stringContaining("a/0.js\n") },
    ]);
    expect(causes([], 7)[0]?.text).toContain("node_modules/a/4.js, and 2 more\n");
    expect(causes([], 5)[0]?.text).toContain("node_modules/a/4.js\n");
  });

  test.each(["package.json", "package-lock.json", "requirements.txt"])("is an upgrade where %s changed", (path) => {
    expect(causes(["src/a.js", path])).toEqual([]);
  });

  test("is nothing where nobody has looked before, or all is the same", () => {
    expect(installedCauses({ changes: [], rule }, null, of(1, "new"))).toEqual([]);
    expect(installedCauses({ changes: [], rule }, of(1, "new"), of(1, "new"))).toEqual([]);
  });
});
