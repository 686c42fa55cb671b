// Which folders outside of the system's a confined process still sees.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toolchains } from "./toolchains.ts";

let dir = "";
beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-toolchains-")));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

function program(path: string): string {
  const full = join(dir, path);
  fs.mkdirSync(dirname(full), { recursive: true });
  fs.writeFileSync(full, "#!/bin/sh\n", { mode: 0o755 });
  return full;
}

/** With a link to it in a folder on PATH. */
function linked(target: string): string[] {
  const links = join(dir, "links");
  fs.mkdirSync(links);
  fs.symlinkSync(target, join(links, "tool"));
  return toolchains({ homes: [join(dir, "home")], env: { PATH: links } });
}

test("a link on PATH shows where its program was installed", () => {
  expect(linked(program("jdk/bin/java"))).toContain(join(dir, "jdk"));
});

test.each([
  { what: "into a repository", path: "project/bin/tool" },
  { what: "into the home", path: "home/things/bin/tool" },
])("a link $what shows nothing of it", ({ path }) => {
  fs.mkdirSync(join(dir, "project/.git"), { recursive: true });
  const target = program(path);
  expect(linked(target).filter((shown) => target.startsWith(`${shown}/`))).toEqual([]);
});

test("a link that leads to no program is passed over", () => {
  expect(linked(join(dir, "missing"))).toContain(join(dir, "links"));
});
