// A git folder whose history is a single commit of a tree: what a check sees instead of the person's repository.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import type { TreeId } from "../../../core/ids.ts";
import type { Ground } from "../ground.ts";
import { inStore, withTemporaryIndex } from "../ground.ts";
import type { RepositoryNames } from "../repository/repository-names.ts";
import { newObject, objectFile } from "../store/object-files.ts";

export type OneCommit = {
  readonly tree: TreeId;
  readonly names: RepositoryNames;
  /** Seconds since 1970. */
  readonly at: number;
  /** The git folder to fill; `packTree` puts packs there. */
  readonly to: string;
};

/** An unreachable address, in a reserved domain. */
const nowhere = "https://nowhere.invalid/";

export async function oneCommit(ground: Ground, { tree, names, at, to }: OneCommit): Promise<void> {
  for (const folder of ["info", "objects/info", "objects/pack", "refs/heads", "refs/tags"])
    fs.mkdirSync(join(to, folder), { recursive: true });
  const commit = writeCommit(ground, { tree, names, at, to });
  const head = names.branch === null ? commit : `ref: refs/heads/${names.branch}`;
  const own = names.branch === null ? [] : [`refs/heads/${names.branch}`];
  const refs = [...new Set([...names.refs, ...own])].sort();
  fs.writeFileSync(join(to, "HEAD"), `${head}\n`);
  fs.writeFileSync(join(to, "config"), configuration(ground, names));
  const packed = refs.map((name) => `${commit} ${name}\n`).join("");
  fs.writeFileSync(join(to, "packed-refs"), `# pack-refs with: peeled fully-peeled sorted \n${packed}`);
  await withTemporaryIndex(ground, null, async (index) => {
    await ground.git(["read-tree", tree], { ...inStore(ground), index, config: ["core.fsync=none"] });
    fs.copyFileSync(index, join(to, "index"));
  });
}

function writeCommit(ground: Ground, { tree, names, at, to }: OneCommit): string {
  const who = `${names.identity.name} <${names.identity.email}> ${at} +0000`;
  const text = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nInitial commit\n`;
  const { id, bytes } = newObject(ground, "commit", Buffer.from(text));
  const file = objectFile(join(to, "objects"), id);
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, deflateSync(Buffer.concat([Buffer.from(`commit ${bytes.length}\0`), bytes])));
  return id;
}

function configuration({ settings }: Ground, { identity, remotes }: RepositoryNames): string {
  const sha256 = settings.objectFormat === "sha256";
  const lines = [
    `[core]\n\trepositoryformatversion = ${sha256 ? 1 : 0}\n\tfilemode = true\n\tbare = false`,
    ...(sha256 ? ["[extensions]\n\tobjectformat = sha256"] : []),
    `[user]\n\tname = ${quoted(identity.name)}\n\temail = ${quoted(identity.email)}`,
    // The address can be read, but a push goes nowhere, and local paths are not included.
    ...remotes.map(
      ({ name, url }) =>
        `[remote ${quoted(name)}]\n\turl = ${quoted(url ?? nowhere)}\n\tpushurl = ${nowhere}\n\tfetch = +refs/heads/*:refs/remotes/${name}/*`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;

/** Omits objects of another tree: its pack is next to this one. */
export async function packTree(ground: Ground, tree: TreeId, without: TreeId | null, to: string): Promise<void> {
  if (tree === without) return;
  fs.mkdirSync(to, { recursive: true });
  const input = without === null ? `${tree}\n` : `${tree}\n^${without}\n`;
  // Read at most once, so compression is not worth the time.
  const config = ["pack.window=0", "pack.compression=1", "core.fsync=none"];
  await ground.git(["pack-objects", "--revs", "--quiet", join(to, "pack")], { ...inStore(ground), input, config });
}
