// Which folders of toolchains get a layer for each session.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toolCaches } from "./tool-caches.ts";

let home = "";
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-caches-")));
  for (const name of ["go/bin", "go/pkg", "go/src", ".cargo", "moved/mod"])
    fs.mkdirSync(join(home, name), { recursive: true });
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const found = (env: Record<string, string>): string[] =>
  toolCaches(env, home).map((path) => path.slice(home.length + 1));

test("the usual ones of Go and cargo", () => {
  expect(found({})).toEqual(["go/bin", "go/pkg", ".cargo"]);
});

test("where variables name others, those, each once", () => {
  const moved = join(home, "moved");
  expect(found({ GOPATH: `${moved}:/other`, GOMODCACHE: join(moved, "mod"), CARGO_HOME: moved })).toEqual(["moved"]);
});

test("neither one that is missing or a link, nor the home itself", () => {
  fs.rmSync(join(home, ".cargo"), { recursive: true });
  fs.symlinkSync(join(home, "moved"), join(home, ".cargo"));
  expect(found({ GOPATH: home, GOMODCACHE: join(home, "none") })).toEqual([]);
});
