// Packages that only a candidate's install has, and that a room with the base's versions needs as well.
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { lstatIfExists } from "../../host/disk.ts";

const notPackages = new Set([".bin", ".pnpm", ".cache", ".package-lock.json", ".modules.yaml", ".yarn-integrity"]);

/** Paths below `installed` that are missing in `kept`, as whole packages. */
export function addedPaths(installed: string, kept: string | null, roots: readonly string[]): string[] {
  return roots.flatMap((root) => {
    if (kept === null || lstatIfExists(join(kept, root)) === undefined) return [root];
    const found = fs.existsSync(join(installed, root, "pyvenv.cfg"))
      ? distributions(installed, kept, root)
      : basename(root) === "node_modules"
        ? packages(installed, root)
        : [];
    return found.filter((path) => lstatIfExists(join(kept, path)) === undefined).sort();
  });
}

const namesIn = (dir: string): string[] => (lstatIfExists(dir)?.isDirectory() ? fs.readdirSync(dir) : []);

function packages(installed: string, root: string): string[] {
  const inside = (folder: string): string[] => namesIn(join(installed, folder)).map((name) => `${folder}/${name}`);
  const top = inside(root).filter((path) => !notPackages.has(basename(path)));
  const isScope = (path: string): boolean => basename(path).startsWith("@");
  const scoped = top.filter(isScope).flatMap(inside);
  return [...top.filter((path) => !isScope(path)), ...scoped, ...inside(`${root}/.pnpm`), ...inside(`${root}/.bin`)];
}

/** Files of distributions that the kept environment does not have in any version. */
function distributions(installed: string, kept: string, root: string): string[] {
  const sites = namesIn(join(installed, root, "lib")).map((name) => `${root}/lib/${name}/site-packages`);
  return sites.flatMap((site) => {
    const infos = (dir: string): string[] => namesIn(join(dir, site)).filter((name) => name.endsWith(".dist-info"));
    const known = new Set(infos(kept).map(projectOf));
    const fresh = infos(installed).filter((info) => !known.has(projectOf(info)));
    // A distribution lists its own files.
    const files = fresh.flatMap((info) => recordedIn(join(installed, site, info, "RECORD")));
    const tops = files.map((file) => (file.startsWith("../") ? join(site, file) : `${site}/${file.split("/")[0]}`));
    return [...new Set([...tops, ...fresh.map((info) => `${site}/${info}`)])];
  });
}

const projectOf = (info: string): string => info.slice(0, info.lastIndexOf("-")).toLowerCase();

function recordedIn(record: string): string[] {
  try {
    return fs
      .readFileSync(record, "utf8")
      .split("\n")
      .map((line) => line.split(",")[0]?.replace(/^"|"$/g, "") ?? "")
      .filter((path) => path !== "" && !path.startsWith("/"));
  } catch {
    return [];
  }
}
