// The programs that checks are run by, where they are installed beside the project. No tree holds them, so that no seal
// can be laid back over them: they are known by a fingerprint.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";

/** By path from the project: a stat that says whether to look again, and what was in the file. */
export type Fingerprint = Readonly<Record<string, readonly [stat: string, content: string]>>;

const packagesMax = 600;
const filesMax = 20_000;
/** A larger file is known by its size, its beginning and its end. */
const bytesMax = 1 << 20;
const edgeBytes = 64 << 10;

/**
 * The programs of `words` that are installed in `dir`, with everything they depend on. Files that are as `known` by their
 * stat are not read again: a stat cannot be made up, since nobody can set when a file was last changed in any way.
 */
export function fingerprint(dir: string, words: readonly string[], known: Fingerprint = {}): Fingerprint {
  const found: Record<string, readonly [string, string]> = {};
  if (!fs.existsSync(dir)) return found;
  for (const path of [...inNodeModules(dir, words), ...inEnvironments(dir, words)].slice(0, filesMax)) {
    const stat = statOf(join(dir, path));
    if (stat === null) continue;
    const was = known[path];
    found[path] = was !== undefined && was[0] === stat.text ? was : [stat.text, contentOf(join(dir, path), stat)];
  }
  return found;
}

/** Files that hold something else, or are gone. One that came in decides over nothing by itself, but for Python's. */
export function altered(before: Fingerprint, now: Fingerprint): string[] {
  const changed = Object.entries(before).filter(([path, [, content]]) => now[path]?.[1] !== content);
  const added = Object.keys(now).filter((path) => !(path in before) && isReadAtStart(path));
  return [...changed.map(([path]) => path), ...added];
}

type Stat = { readonly text: string; readonly size: number; readonly link: boolean };

function statOf(path: string): Stat | null {
  const stat = lookAt(path);
  if (stat === null || stat.isDirectory()) return null;
  const { ino, size, mtimeMs, ctimeMs, mode } = stat;
  return { text: [ino, size, mtimeMs, ctimeMs, mode].join(" "), size, link: stat.isSymbolicLink() };
}

/** Null: nothing is there, or cannot be, since a file stands in the place of the folder. */
function lookAt(path: string): fs.Stats | null {
  try {
    return fs.lstatSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error; // A machine in trouble is no tampering.
  }
}

function contentOf(path: string, { size, link }: Stat): string {
  const hash = createHash("sha256");
  try {
    if (link) return hash.update(`link ${fs.readlinkSync(path)}`).digest("hex");
    if (size <= bytesMax) return hash.update(fs.readFileSync(path)).digest("hex");
    const fd = fs.openSync(path, "r");
    try {
      const edge = Buffer.alloc(edgeBytes);
      hash.update(String(size));
      for (const at of [0, size - edgeBytes]) hash.update(edge.subarray(0, fs.readSync(fd, edge, 0, edgeBytes, at)));
    } finally {
      fs.closeSync(fd);
    }
    return hash.digest("hex");
  } catch {
    // Whoever took the right to read it away, or the file itself, has changed it.
    return "unreadable";
  }
}

function inNodeModules(dir: string, words: readonly string[]): string[] {
  // By name, as npx and package scripts find it, or by its path.
  const paths = words.flatMap((word) => {
    const plain = word.replace(/^(?:\.\/)+/, "");
    if (/^[\w.-]+$/.test(plain)) return [`node_modules/.bin/${plain}`];
    return plain.startsWith("node_modules/") && !plain.split("/").includes("..") ? [plain] : [];
  });
  const programs = paths.filter((path) => statOf(join(dir, path)) !== null);
  const packages = new Set<string>();
  const queue = programs.flatMap((path) => packageOf(dir, path) ?? []);
  for (let next = queue.shift(); next !== undefined && packages.size < packagesMax; next = queue.shift()) {
    if (packages.has(next)) continue;
    packages.add(next);
    for (const name of dependenciesOf(join(dir, next))) queue.push(...(resolved(dir, next, name) ?? []));
  }
  return [...programs, ...[...packages].flatMap((path) => filesBelow(dir, path, ["node_modules"]))];
}

/** The package that a program belongs to, as a path from the project. */
function packageOf(dir: string, program: string): string | null {
  try {
    const real = fs.realpathSync(join(dir, program));
    const home = fs.realpathSync(join(dir, "node_modules"));
    if (!real.startsWith(`${home}/`)) return null;
    const way = /^((?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(`${real.slice(home.length + 1)}`)?.[1];
    return way === undefined || way.startsWith(".bin") ? null : `node_modules/${way}`;
  } catch {
    return null;
  }
}

function dependenciesOf(folder: string): string[] {
  try {
    const { dependencies = {} } = JSON.parse(fs.readFileSync(join(folder, "package.json"), "utf8")) as Record<
      string,
      object
    >;
    return Object.keys(dependencies).filter((name) => /^(?:@[\w.-]+\/)?[\w.-]+$/.test(name));
  } catch {
    return [];
  }
}

/** As Node looks for it: beside the package, then further up. */
function resolved(dir: string, from: string, name: string): string[] | null {
  for (let at = from; at !== "."; at = dirname(at)) {
    if (at.endsWith("/node_modules") || at === "node_modules") continue;
    const path = `${at}/node_modules/${name}`;
    if (fs.existsSync(join(dir, path, "package.json"))) return [path];
  }
  const path = `node_modules/${name}`;
  return fs.existsSync(join(dir, path, "package.json")) ? [path] : null;
}

/** Python runs these before anything else, whoever put them there. */
const isReadAtStart = (path: string): boolean =>
  /\/site-packages\/(?:[^/]+\.pth|(?:site|user)customize\.py)$/.test(path);

function inEnvironments(dir: string, words: readonly string[]): string[] {
  const names = words.filter((word) => /^\w+$/.test(word));
  return [".venv", "venv"].flatMap((folder) => {
    const programs = ["python", "python3", ...names].map((name) => `${folder}/bin/${name}`);
    const lib = list(join(dir, folder, "lib")).find((name) => name.startsWith("python"));
    if (lib === undefined) return [];
    const site = `${folder}/lib/${lib}/site-packages`;
    const modules = names.flatMap((name) => [name, `_${name}`, ...(name === "pytest" ? ["pluggy", "iniconfig"] : [])]);
    const atStart = list(join(dir, site))
      .map((name) => `${site}/${name}`)
      .filter(isReadAtStart);
    return [...programs, ...atStart, ...modules.flatMap((name) => filesBelow(dir, `${site}/${name}`, ["__pycache__"]))];
  });
}

function filesBelow(dir: string, path: string, skip: readonly string[]): string[] {
  const found: string[] = [];
  const walk = (below: string): void => {
    for (const entry of entriesOf(join(dir, below))) {
      if (found.length >= filesMax || skip.includes(entry.name) || entry.name.startsWith(".cache")) continue;
      const at = `${below}/${entry.name}`;
      if (entry.isDirectory()) walk(at);
      else found.push(at);
    }
  };
  walk(path);
  return found;
}

const list = (path: string): string[] => entriesOf(path).map(({ name }) => name);

function entriesOf(path: string): fs.Dirent[] {
  try {
    return fs.readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
