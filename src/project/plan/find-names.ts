// Finds names of a request in the workspace: files and folders that are called so, and code that contains them. Reads a
// bounded number of files, follows no links, and runs nothing.
import * as fs from "node:fs";
import { join } from "node:path";
import { readIfExists } from "../../host/disk.ts";
import type { KnownName } from "../../intake/known.ts";
import type { NamesWanted } from "../../intake/names.ts";

const entriesMax = 5000;
const filesReadMax = 300;
const bytesMax = 200_000;
const namesMax = 3;
const skipped = new Set("node_modules vendor target dist build out venv coverage __pycache__".split(" "));
const source =
  /\.(?:[cm]?[jt]sx?|py|rs|go|rb|java|kt|swift|cs|cpp|cc|hpp|c|h|php|vue|svelte|sh|ex|exs|scala|dart|jl|lua|pl)$/;
/** A path that can be shown and typed as it is. */
const plain = /^[\w./@+-]+$/;

export function findNames(root: string, { words, codes }: NamesWanted): KnownName[] {
  if (words.length + codes.length === 0) return [];
  const paths = pathsIn(root);
  const byWord = words.flatMap((word) => {
    const path = paths.find((each) => isCalled(each, word));
    return path === undefined ? [] : [{ name: word, from: path }];
  });
  const found = [...inCode(root, paths, codes), ...byWord];
  return found.slice(0, namesMax);
}

function isCalled(path: string, word: string): boolean {
  const name = path.split("/").at(-1) ?? "";
  const stem = name.slice(0, name.indexOf(".", 1) === -1 ? undefined : name.indexOf(".", 1)).toLowerCase();
  return stem === word || `${stem}s` === word || stem === `${word}s`;
}

/** Nearest to the root first. */
function pathsIn(root: string): string[] {
  const paths: string[] = [];
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined && paths.length < entriesMax; folder = folders.shift()) {
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith(".") || skipped.has(entry.name) || !plain.test(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      if (entry.isDirectory() || entry.isFile()) paths.push(path);
      if (paths.length >= entriesMax) break;
    }
  }
  return paths;
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function inCode(root: string, paths: readonly string[], codes: readonly string[]): KnownName[] {
  const left = new Set(codes);
  const found: KnownName[] = [];
  for (const path of paths.filter((each) => source.test(each)).slice(0, filesReadMax)) {
    if (left.size === 0) break;
    const text = textOf(join(root, path));
    for (const name of left) {
      if (!text.includes(name)) continue;
      left.delete(name);
      found.push({ name, from: path });
    }
  }
  return found;
}

function textOf(path: string): string {
  try {
    return readIfExists(path, bytesMax) ?? "";
  } catch {
    return "";
  }
}
