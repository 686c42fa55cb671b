// The compiled project, for tests that need a second process of ours: node alone cannot run our sources.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

let known: string | null = null;

/** The folder with `agents/`, `host/`, … as JavaScript. From sources, it is built once per test file. */
export function compiled(): string {
  const here = fileURLToPath(import.meta.url);
  if (here.endsWith(".js")) return dirname(dirname(here));
  known ??= compile(dirname(dirname(here)));
  return known;
}

/** For the end of a test file. A build in use as a library stays. */
export function removeCompiled(): void {
  if (known !== null) rmSync(dirname(known), { recursive: true, force: true });
  known = null;
}

function compile(source: string): string {
  const project = dirname(source);
  const out = mkdtempSync(join(tmpdir(), "loop-compiled-"));
  const tsc = join(project, "node_modules", ".bin", "tsc");
  // Type errors do not matter here, only whether there is output.
  const ran = spawnSync(tsc, ["-p", join(project, "tsconfig.build.json"), "--outDir", join(out, "dist")]);
  if (!existsSync(join(out, "dist", "agents"))) throw new Error(`tsc built nothing: ${ran.stdout}${ran.stderr}`);
  for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".mjs")) cpSync(join(source, file), join(out, "dist", file));
  }
  cpSync(join(project, "package.json"), join(out, "package.json"));
  symlinkSync(join(project, "node_modules"), join(out, "node_modules"));
  return join(out, "dist");
}
