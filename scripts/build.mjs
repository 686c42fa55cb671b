// Builds dist: tsc for the TypeScript, and a copy of the few plain programs that run as separate processes or are
// loaded by a workspace's tools. Built in a temporary folder and then renamed, so that a failed build leaves the last
// one in place.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const beside = join(root, `dist.${process.pid}.tmp`);
try {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", beside], {
    cwd: root,
    stdio: "inherit",
  });
  copyPrograms("src");
  chmodSync(join(beside, "cli", "main.js"), 0o755);
  rmSync(join(root, "dist"), { recursive: true, force: true });
  renameSync(beside, join(root, "dist"));
} catch (error) {
  rmSync(beside, { recursive: true, force: true });
  if (error.status === undefined) throw error;
  process.exit(1); // tsc has printed the errors.
}

function copyPrograms(dir) {
  for (const name of readdirSync(join(root, dir))) {
    const path = join(dir, name);
    const to = join(beside, path.slice("src/".length));
    if (name === "assets")
      cpSync(join(root, path), to, { recursive: true, filter: (from) => !from.includes("__pycache__") });
    else if (statSync(join(root, path)).isDirectory()) copyPrograms(path);
    else if (name.endsWith(".mjs")) cpSync(join(root, path), to);
  }
}
