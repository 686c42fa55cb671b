// Which folders outside of the system's a confined process still sees.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keysOfToolchains, toolchains } from "./toolchains.ts";

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
  program("jdk/lib/jvm");
  expect(linked(program("jdk/bin/java"))).toContain(join(dir, "jdk"));
});

test.each(["data/backup.sh", "data/bin/backup"])("a link to %s shows the file alone", (path) => {
  const target = program(path);
  program("data/customers");
  const shown = linked(target);
  expect(shown).toContain(target);
  expect(shown.filter((each) => target.startsWith(`${each}/`))).toEqual([]);
});

test("a folder on PATH that is no package shows nothing next to it", () => {
  const bin = dirname(program("data/bin/backup"));
  const shown = () => toolchains({ homes: [], env: { PATH: bin } });
  expect(shown()).toContain(bin);
  expect(shown()).not.toContain(dirname(bin));
  program("data/lib/backup");
  expect(shown()).toContain(dirname(bin));
});

test("of a folder for Go, its programs and what it fetched are shown, and not the repositories in it", () => {
  const bin = dirname(program("home/go/bin/tool"));
  program("home/go/src/private/secret");
  program("home/go/pkg/mod/x");
  const homes = [join(dir, "home")];
  for (const env of [{ PATH: bin }, { GOPATH: join(dir, "home/go") }, {}])
    expect(
      toolchains({ homes, env })
        .filter((path) => path.startsWith(join(dir, "home/go")))
        .toSorted(),
    ).toEqual(expect.arrayContaining([join(dir, "home/go/bin"), join(dir, "home/go/pkg")]));
  const shown = toolchains({ homes, env: { PATH: bin, GOPATH: join(dir, "home/go") } });
  expect(shown.filter((path) => join(dir, "home/go/src/private").startsWith(path))).toEqual([]);
});

test("Go itself, in the home, is shown with its library", () => {
  const bin = dirname(program("home/sdk/go1.22/bin/go"));
  program("home/sdk/go1.22/src/fmt/print");
  expect(toolchains({ homes: [join(dir, "home")], env: { PATH: bin } })).toContain(join(dir, "home/sdk/go1.22"));
});

test("no folder at the top of the machine is shown as a whole", () => {
  const shown = toolchains({ homes: [], env: { PATH: "/data:/data/bin:/srv/shims" } });
  expect(shown).toEqual(expect.arrayContaining(["/data/bin", "/srv/shims"]));
  expect(shown.filter((path) => path === "/data" || path === "/srv")).toEqual([]);
});

test("cargo's keys are masked wherever its folder is, also under the name that a link leads to", () => {
  const real = program("disk/cargo/credentials.toml");
  fs.symlinkSync(join(dir, "disk/cargo"), join(dir, "cargo"));
  const keys = keysOfToolchains({ homes: ["/home/me"], env: { CARGO_HOME: join(dir, "cargo") } });
  expect(keys).toEqual(
    expect.arrayContaining(["/home/me/.cargo/credentials", join(dir, "cargo/credentials.toml"), real]),
  );
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
