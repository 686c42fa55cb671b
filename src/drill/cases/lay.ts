// Lays a case's files on disk, and the packages that it needs.
import { cp, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { Bug } from "../../core/errors.ts";
import type { Edit, Package } from "./case.ts";

export type Place = { readonly folder: string; readonly home: string };

/** Writes and deletes. A path that begins with `~/` is below the home. */
export async function lay(edit: Edit, { folder, home }: Place): Promise<void> {
  for (const [path, text] of Object.entries(edit)) {
    const [root, below] = path.startsWith("~/") ? [home, path.slice(2)] : [folder, path];
    await refuseLinks(root, dirname(below));
    const at = join(root, below);
    await rm(at, { recursive: true, force: true });
    if (text === null) continue;
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
}

/** Packages may be links to those that other projects use: a case must never write through one. */
async function refuseLinks(root: string, below: string): Promise<void> {
  const steps = below.split("/");
  for (const [at] of steps.entries()) {
    const path = join(root, ...steps.slice(0, at + 1));
    const seen = await lstat(path).catch(() => null);
    if (seen?.isSymbolicLink()) throw new Bug(`${path} is a link, and a case would write through it`);
  }
}

const Manifest = z.object({
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
  peerDependencies: z.record(z.string(), z.string()).optional(),
});

async function manifestOf(folder: string): Promise<z.infer<typeof Manifest> | null> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => null);
  return text === null ? null : Manifest.parse(JSON.parse(text));
}

/** Packages that lie inside of another one need what lies next to it, too. */
async function nestedIn(folder: string): Promise<readonly z.infer<typeof Manifest>[]> {
  const inside = join(folder, "node_modules");
  const names = await readdir(inside).catch(() => []);
  const scoped = await Promise.all(
    names.map(async (name) =>
      name.startsWith("@") ? (await readdir(join(inside, name))).map((own) => `${name}/${own}`) : [name],
    ),
  );
  const found = await Promise.all(
    scoped.flat().map(async (name) => {
      const manifest = await manifestOf(join(inside, name));
      return manifest === null ? [] : [manifest, ...(await nestedIn(join(inside, name)))];
    }),
  );
  return found.flat();
}

/** A package and everything that it needs, as far as it is installed; null: it is not. */
export async function closureOf(packages: string, needs: readonly Package[]): Promise<readonly string[] | null> {
  const found = new Set<string>();
  const open: string[] = [...needs];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    const manifest = await manifestOf(join(packages, name));
    if (manifest === null) continue;
    found.add(name);
    for (const one of [manifest, ...(await nestedIn(join(packages, name)))]) {
      const { dependencies, optionalDependencies, peerDependencies } = one;
      open.push(...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
    }
  }
  return needs.every((name) => found.has(name)) ? [...found] : null;
}

/** Brings installed packages into a project: as links, or as a copy where a case edits them. */
export async function bring(
  { packages, names, needs }: { packages: string; names: readonly string[]; needs: readonly Package[] },
  folder: string,
  how: "links" | "copy",
): Promise<void> {
  const to = join(folder, "node_modules");
  await mkdir(join(to, ".bin"), { recursive: true });
  for (const name of names) {
    await mkdir(dirname(join(to, name)), { recursive: true });
    if (how === "links") await symlink(join(packages, name), join(to, name));
    else await cp(join(packages, name), join(to, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const name of needs) {
    const { bin = {} } = (await manifestOf(join(packages, name))) ?? {};
    const programs = typeof bin === "string" ? { [name.replace(/^.*\//, "")]: bin } : bin;
    for (const [program, path] of Object.entries(programs)) {
      await symlink(join("..", name, path), join(to, ".bin", program));
    }
  }
}
