// The build to compare with: a folder with dist/cli/main.js, or a packed tarball, which is installed temporarily.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

/** The build that `--old` names, or null; a wrong one ends the script. */
export function buildFromOptions() {
  const { values } = parseArgs({ options: { old: { type: "string" } } });
  const old = values.old === undefined ? null : openBuild(values.old);
  if (old?.problem === undefined) return old;
  console.error(old.problem);
  process.exit(64);
}

/** @returns {{ dir: string, remove: () => void } | { problem: string }} */
export function openBuild(given) {
  const path = resolve(given);
  if (!fs.existsSync(path)) return { problem: `${given} does not exist.` };
  if (fs.statSync(path).isFile()) return installed(path);
  if (fs.existsSync(join(path, "dist", "cli", "main.js"))) return { dir: path, remove: () => {} };
  return { problem: `${given} has no dist/cli/main.js. Build it there: npm run build` };
}

function installed(tarball) {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-old-build-"));
  const remove = () => fs.rmSync(dir, { recursive: true, force: true });
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    execFileSync("npm", ["install", "--prefix", dir, ...flags, tarball], { stdio: ["ignore", "ignore", "inherit"] });
  } catch {
    remove();
    return { problem: `${tarball} could not be installed.` };
  }
  return { dir: join(dir, "node_modules", "loopwright"), remove };
}
