// Builds dist: tsc for the TypeScript, and a copy of the few plain programs that are started as processes of their own.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
rmSync(join(root, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
copyPrograms("src");
chmodSync(join(root, "dist", "cli", "main.js"), 0o755);

function copyPrograms(dir) {
  for (const name of readdirSync(join(root, dir))) {
    const path = join(dir, name);
    if (statSync(join(root, path)).isDirectory()) copyPrograms(path);
    else if (name.endsWith(".mjs")) cpSync(join(root, path), join(root, "dist", path.slice("src/".length)));
  }
}
