// What lies in the folders that a session sees and would lead it out of its walls: git folders of other repositories, sockets
// that services listen on, credentials in git's configuration.
import * as fs from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ensureDir, lstatIfExists } from "../../host/disk.ts";
import { isWithin } from "../../host/within.ts";
import type { Git } from "../../workspace/git/git.ts";
import { locate } from "../../workspace/git/repository/repo.ts";

export type FoundInside = {
  /** `.git` of the repositories below a workspace, such as submodules: folders, or files that name one. */
  readonly repositories: readonly string[];
  readonly sockets: readonly string[];
};

/** Folders without end, such as a collection of models, are not walked to theirs. */
const looksMax = 1_000_000;
/** Nothing in them is a socket or a repository of its own. */
const storage = new Set(["objects", "lfs", "annex"]);

/** Without `except`: those have layers, through which no socket answers. */
export function findInside(root: string, except: readonly string[]): FoundInside {
  const repositories: string[] = [];
  const sockets: string[] = [];
  const skipped = new Set(except);
  const todo = [{ dir: root, isGit: false }];
  let looks = 0;
  for (let next = todo.pop(); next !== undefined && looks < looksMax; next = todo.pop())
    for (const entry of entriesOf(next.dir)) {
      const path = join(next.dir, entry.name);
      const isGit = next.isGit || entry.name === ".git";
      looks += 1;
      if (entry.name === ".git" && next.dir !== root) repositories.push(path);
      if (entry.isSocket()) sockets.push(path);
      if (entry.isDirectory() && !skipped.has(path) && !(isGit && storage.has(entry.name)))
        todo.push({ dir: path, isGit });
    }
  return { repositories, sockets };
}

function entriesOf(dir: string): fs.Dirent[] {
  try {
    return fs.readdirSync(dir, { withFileTypes: true });
  } catch {
    return []; // It is no folder, or closed to us, and to a session too.
  }
}

export type Cover = { readonly from: string; readonly at: string };

/** Copies without credentials, made in `dir`, of the files of these repositories that have some. */
export async function withoutCredentials(git: Git, roots: readonly string[], dir: string): Promise<Cover[]> {
  const repos = roots.flatMap((root) => locate(root) ?? []);
  const folders = [...new Set(repos.flatMap(({ gitDir, commonDir }) => [gitDir, commonDir]))];
  const todo = folders.flatMap((folder) => settingFiles(folder));
  const known = new Set<string>();
  const covers: Cover[] = [];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    if (known.has(at) || lstatIfExists(at)?.isFile() !== true) continue;
    known.add(at);
    if (isCredentials(at)) covers.push({ from: "/dev/null", at });
    if (isCredentials(at) || fs.statSync(at).size > bytesMax) continue;
    const text = fs.readFileSync(at, "latin1");
    const { clean, includes } = isConfiguration(at) || !isLog(at) ? await cleaned(git, at, text) : plain(text);
    todo.push(...includes.filter((path) => [...roots, ...folders].some((folder) => isWithin(path, folder))));
    if (clean === text) continue;
    ensureDir(dir);
    const from = join(dir, String(covers.length));
    fs.writeFileSync(from, clean, { encoding: "latin1", mode: 0o600 });
    covers.push({ from, at });
  }
  return covers;
}

const bytesMax = 4 << 20;
/** Also as it was before somebody edited it, and that of lfs. */
const isConfiguration = (path: string): boolean => /\/\.?(?:git|lfs)?config(?:[.~-][^/]*)?$/.test(path) && !isLog(path);
/** Old versions of git, and `git pull <url>`, write addresses there as they were given. */
const isLog = (path: string): boolean => /\/(?:logs|remotes|branches)\/|\/FETCH_HEAD$/.test(path);

/** Where `credential.helper = store --file .git/credentials` keeps them, and where curl looks. */
const isCredentials = (path: string): boolean => /\/(?:[.\w-]*credentials?|[._]netrc)$/i.test(path) && !isLog(path);

/** Those of a git folder and of the submodules' in it. */
function settingFiles(dir: string): string[] {
  return entriesOf(dir).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return storage.has(entry.name) || entry.name === "refs" ? [] : settingFiles(path);
    return entry.isFile() && (isConfiguration(path) || isLog(path) || isCredentials(path)) ? [path] : [];
  });
}

type Cleaned = { readonly clean: string; readonly includes: readonly string[] };
const plain = (text: string): Cleaned => ({ clean: withoutUsers(text), includes: [] });

/** Written anew, so that nothing is left in a comment either. The same text if there was nothing to leave out. */
async function cleaned(git: Git, at: string, text: string): Promise<Cleaned> {
  if (!mayHoldMore.test(text) && sectionsIn(text).every(isGits) && withoutUsers(text) === text)
    return { clean: text, includes: [] };
  const { code, stdout } = await git(["config", "--file", at, "--no-includes", "--null", "--list"], {
    codes: [1, 3, 128],
  });
  const listed = stdout.toString("latin1").split("\0").slice(0, -1).map(setting);
  const includes = listed
    .filter(({ key }) => /^include(?:if\..*)?\.path$/s.test(key))
    .flatMap(({ value }) => (value === null ? [] : resolve(dirname(at), value.replace(/^~\//, `${homedir()}/`))));
  const kept = listed.filter(({ key }) => isShown(key));
  const isClean = code === 0 && kept.length === listed.length && withoutUsers(text) === text;
  return { clean: isClean ? text : kept.map(written).join(""), includes };
}

/** Names of keys and sections stand as they are; only values can be continued or escaped, with a backslash. */
const mayHoldMore =
  /\\|include|credential|extraheader|cookiefile|pass|token|secret|key|auth|jwt|pwd|pat\b|lfs|filter|command|proxy/i;

/** What git itself reads. Settings of other programs are shown only where they name somebody. */
const ofGit = new Set(
  (
    "core extensions remote branch user author committer init submodule pull push fetch merge mergetool difftool rebase rerere diff " +
    "status color column log format commit tag index gc pack feature advice apply am grep blame checkout commitgraph fsck i18n " +
    "interactive maintenance notes repack stash transfer worktree versionsort alias filter lfs http url include includeif gpg clean " +
    "clone help pager protocol receive reflog repository sequence showbranch splitindex switch uploadpack trace2 safe fastimport"
  ).split(" "),
);
const isGits = (section: string): boolean => ofGit.has(section.toLowerCase());
const sectionsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^\s*\[\s*([\w-]+)/gm)].map(([, name = ""]) => name);

function isShown(key: string): boolean {
  const section = key.slice(0, key.indexOf("."));
  return isGits(section) ? !secretKey.test(key) : /\.(?:user|name|email)$/i.test(key);
}

/** Headers and cookies, keys and words for access, and commands in which one may be an argument. */
const secretKey =
  /^(?:http\.(?:.*\.)?(?:extraheader|cookiefile|sslkey)|lfs\.(?:.*\.access|customtransfer\..*|.*proxy.*)|core\.(?:sshcommand|gitproxy|askpass)|filter\.(?!lfs\.).*|.*\.(?:[\w-]*(?:pass|passwd|password|pwd|token|secret|credentials?|api-?key|access-?key|private-?key|auth|jwt)|(?:[\w-]*-)?pat))$/is;

type Setting = { readonly key: string; readonly value: string | null };

function setting(listed: string): Setting {
  const end = listed.indexOf("\n");
  return end < 0 ? { key: listed, value: null } : { key: listed.slice(0, end), value: listed.slice(end + 1) };
}

function written({ key, value }: Setting): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const section = key.slice(0, first);
  const name = key.slice(last + 1);
  const below = first === last ? "" : ` "${withoutUsers(key.slice(first + 1, last)).replace(/["\\]/g, "\\$&")}"`;
  const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  return `[${section}${below}]\n\t${name}${value === null ? "" : ` = ${quoted(withoutUsers(value))}`}\n`;
}

/** Of http the user's name can be a token, and so can what follows a `?`; elsewhere it is part of the address, as in ssh://git@host. */
const withoutUsers = (text: string): string =>
  text
    .replace(/\b((?:https?|ftps?):\/\/[^\s"'?#]*)\?[^\s"']*/gi, "$1")
    .replace(/\b((?:https?|ftps?):\/\/)[^/\s@"']*@/gi, "$1")
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/[^/\s:@"']+):[^/\s@"']*@/gi, "$1@");
