// What an earlier check left in a scratch folder: everything, ignored or not, that is not part of the checkout.
import * as fs from "node:fs";
import { foldersOf } from "./folders-of.ts";

/** Removes everything not in `paths` (in latin1), except the folder's own `.git`. */
export function removeLeftovers(dir: string, paths: readonly string[]): void {
  const files = new Set(paths);
  const folders = foldersOf(paths);
  const base = Buffer.from(`${dir}/`).toString("latin1");
  const bytes = (path: string) => Buffer.from(base + path, "latin1");
  const walk = (inside: string) => {
    for (const entry of fs.readdirSync(bytes(inside), { withFileTypes: true, encoding: "latin1" })) {
      const path = inside + entry.name;
      if (path === ".git") continue;
      if (entry.isDirectory() && folders.has(path)) walk(`${path}/`);
      else if (entry.isDirectory() || !files.has(path)) fs.rmSync(bytes(path), { recursive: true, force: true });
    }
  };
  walk("");
}
