// Rule files that hide themselves: a new .gitignore with `*` in it makes a whole folder invisible to every snapshot.
import { join } from "node:path";
import { fileClockMs, lstatIfExists } from "../../../host/disk.ts";
import { fields } from "../git.ts";
import { type Ground, onFolder } from "../ground.ts";

/**
 * Paths of .gitignore files, newer than `since`, that are ignored only by their own rules. Older ones are the person's:
 * for example, a virtual environment contains such a file.
 */
export async function selfHiding(ground: Ground, since: number): Promise<string[]> {
  const where = onFolder(ground, ground.root, ground.vault.index);
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  // Git lists a fully ignored folder, and usually the rule file in it as well.
  const listed = fields(await ground.git(args, where)).map((path) => (path.endsWith("/") ? `${path}.gitignore` : path));
  const candidates = [...new Set(listed)]
    .filter((path) => path === ".gitignore" || path.endsWith("/.gitignore"))
    .filter((path) => isYoung(join(ground.root, path), since));
  if (candidates.length === 0) return [];
  const input = candidates.map((path) => `./${path}\0`).join("");
  const options = { ...where, input, codes: [1], env: { GIT_LITERAL_PATHSPECS: "0" } };
  const answers = (await ground.git(["check-ignore", "--verbose", "-z", "--stdin"], options)).stdout
    .toString("utf8")
    .split("\0");
  // Four fields each: the file with the deciding rule, the line, the rule, the path.
  return candidates.filter((path) =>
    answers.some((text, at) => at % 4 === 3 && text === `./${path}` && answers[at - 3] === path),
  );
}

const isYoung = (path: string, since: number): boolean => {
  const stat = lstatIfExists(path);
  return stat?.isFile() === true && stat.ctimeMs >= since - fileClockMs;
};
