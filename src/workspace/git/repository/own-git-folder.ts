// The git folder of a scratch checkout: an empty repository, the same before every check.
import * as fs from "node:fs";
import { join } from "node:path";

const folders = ["info", "objects", "objects/info", "objects/pack", "refs", "refs/heads", "refs/tags"];
const files: Readonly<Record<string, string>> = {
  HEAD: "ref: refs/heads/scratch\n",
  config: "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n",
};

/**
 * A check that looks for the top folder, or that runs git, stops here and does not walk up into another repository.
 * Checks may write to it, so it is rebuilt unless it is unchanged: most checks do not use it.
 */
export function ownGitFolder(dir: string): void {
  const gitDir = join(dir, ".git");
  if (isUntouched(gitDir)) return;
  fs.rmSync(gitDir, { recursive: true, force: true });
  fs.mkdirSync(gitDir);
  for (const folder of folders) fs.mkdirSync(join(gitDir, folder));
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(join(gitDir, name), text);
}

function isUntouched(gitDir: string): boolean {
  try {
    if (!fs.lstatSync(gitDir).isDirectory()) return false;
    const found = ["", ...folders].flatMap((folder) =>
      fs.readdirSync(join(gitDir, folder), { withFileTypes: true }).map((entry) => ({ entry, in: folder })),
    );
    const known = found.every(({ entry, in: folder }) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? folders.includes(path) : entry.isFile() && Object.hasOwn(files, path);
    });
    return known && found.length === folders.length + Object.keys(files).length && holdsOurs(gitDir);
  } catch {
    return false; // Part of it is missing or unreadable.
  }
}

/** By content, and without a second hard link: later writes must not reach another file. */
const holdsOurs = (gitDir: string): boolean =>
  Object.entries(files).every(([name, text]) => {
    const { size, nlink } = fs.lstatSync(join(gitDir, name));
    return size === text.length && nlink === 1 && fs.readFileSync(join(gitDir, name), "utf8") === text;
  });
