// What `npm test` does about bubblewrap on a fresh machine: install it, or say what is skipped and why.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

let dir = "";
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-setup-"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const script = fileURLToPath(new URL("../../scripts/setup.mjs", import.meta.url));
const put = (path: string, text: string): void => {
  fs.mkdirSync(dirname(join(dir, path)), { recursive: true });
  fs.writeFileSync(join(dir, path), text, { mode: 0o755 });
};

/** A clone that needs no packages, on a machine with these programs and no others. */
function setup(programs: Readonly<Record<string, string>>): string {
  put("scripts/setup.mjs", fs.readFileSync(script, "utf8"));
  for (const path of ["package-lock.json", "tsconfig.json", "tsconfig.build.json", "src/a.ts", "scripts/build.mjs"])
    put(path, "");
  const others = ["git", "npm", "strace", "chromium", "tmux", "zsh", "fish"].map((name) => [name, "exit 0"] as const);
  for (const [name, text] of [...others, ...Object.entries(programs)]) put(`bin/${name}`, `#!/bin/sh\n${text}\n`);
  for (const [name, to] of [["node", process.execPath] as const, ["sh", "/bin/sh"] as const])
    fs.symlinkSync(to, join(dir, "bin", name));
  const env = { PATH: join(dir, "bin"), HOME: dir };
  const { status, stderr } = spawnSync(process.execPath, [join(dir, "scripts/setup.mjs")], { env, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return stderr;
}

const skipped = "the tests of walls around agents are left out";

test.skipIf(process.getuid?.() !== 0)("root with apt installs it", () => {
  const install = `echo "$@" >> '${dir}/apt'; case "$1" in install) printf '#!/bin/sh\\n' > '${dir}/bin/bwrap'; /bin/chmod +x '${dir}/bin/bwrap' ;; esac`;
  expect(setup({ "apt-get": install })).not.toContain(skipped);
  expect(fs.readFileSync(join(dir, "apt"), "utf8")).toMatch(/^install .*bubblewrap$/m);
});

test("without a way to install it, says what is skipped, and the command", () => {
  expect(setup({ "apt-get": "exit 1" })).toContain(
    `setup: bwrap is missing (Debian: apt-get install bubblewrap): ${skipped}`,
  );
});

test("where it may not start, says what is skipped, and why", () => {
  const blocked = '[ "$1" = --version ] || { echo "bwrap: setting up uid map: Permission denied" >&2; exit 1; }';
  expect(setup({ bwrap: blocked })).toContain(
    `setup: bwrap does not start (bwrap: setting up uid map: Permission denied): ${skipped}`,
  );
});
