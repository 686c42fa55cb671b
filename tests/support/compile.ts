// Compiles sources into a temporary folder, for tests that run them in another process: Node 20 runs no TypeScript.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Returns the folder that mirrors `src`, with `.js` files in it. `sources` are paths below `src`. */
export function compileForTests(...sources: string[]): string {
  const out = fs.mkdtempSync(join(tmpdir(), "loop-compiled-"));
  const flags = "--ignoreConfig --module nodenext --target es2023 --lib es2023 --types node --skipLibCheck";
  const emit = ["--rewriteRelativeImportExtensions", "--rootDir", join(root, "src"), "--outDir", join(out, "src")];
  const files = sources.map((source) => join(root, "src", source));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, ...flags.split(" "), ...emit, ...files], { cwd: root });
  fs.writeFileSync(join(out, "package.json"), '{"type":"module"}');
  fs.symlinkSync(join(root, "node_modules"), join(out, "node_modules"));
  return join(out, "src");
}
