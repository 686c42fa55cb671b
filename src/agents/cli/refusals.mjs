// What a session must not run. Plain JavaScript, because it also runs in the processes that agents ask before a command.
//
// This is guidance, not the boundary: a shell has many ways to express a command. The guarantees are elsewhere: no
// credentials, refs compared after each session, everything kept in the vault.
import { statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { commandsIn } from "./commands.mjs";

/**
 * Why a command line is refused; null: it is not.
 * @param {string} text
 * @param {{ cwd: string, workspace: string, home: string, temp: string, why: Record<string, string> }} place `why`: our words
 * @returns {string | null}
 */
export function refusalOf(text, place) {
  for (const command of commandsIn(text, place)) {
    const why = ofCommand(command, place);
    if (why !== null) return why;
  }
  return null;
}

/** The grave reasons come first: a mild one is only noted. */
function ofCommand(command, place) {
  const { program, words } = command;
  const lost = lostOutside(command, place);
  if (lost !== null) return place.why.outside + lost;
  const rule = program === "git" ? ofGit(words) : (rules.find((each) => each.is(command))?.why ?? null);
  return rule === null ? null : place.why[rule];
}

const sqlClients = new Set([
  "psql",
  "mysql",
  "mariadb",
  "sqlite3",
  "sqlcmd",
  "duckdb",
  "cockroach",
  "clickhouse-client",
]);
const dropping = /\b(?:drop\s+(?:table|database|schema)|truncate\s)/i;
const deleters = new Set(["rm", "rmdir", "shred", "unlink"]);
const formatters = /^(?:mkfs(?:\.\w+)?|mkswap|wipefs|fdisk|sfdisk|parted)$/;
const diskFile = /^\/dev\/(?:sd|hd|vd|xvd|nvme|disk|mmcblk)\w/;
/** What takes down what runs elsewhere, by the command's name. */
const takingDown = new Map([
  ["kubectl", /^delete$/],
  ["helm", /^(?:uninstall|delete)$/],
  ["terraform", /^destroy$/],
  ["tofu", /^destroy$/],
  ["pulumi", /^destroy$/],
]);
const publishers = new Set(["npm", "pnpm", "yarn", "bun", "cargo", "poetry", "uv"]);
const executing = new Set(["-exec", "-execdir"]);
const takesNext =
  /^(?:-n|--namespace|--context|-chdir|-w|-C|--workspace|--prefix|--dir|--filter|--registry|--manifest-path|--directory)$/;

const rules = [
  {
    why: "erased",
    is: ({ redirects }) => redirects.some(({ op, target }) => op.startsWith(">") && diskFile.test(target)),
  },
  {
    why: "erased",
    is: ({ program, words }) =>
      program === "dd" && words.some((word) => /^of=\/dev\/(?!(?:null|stdout|stderr|tty)$)/.test(word)),
  },
  {
    why: "erased",
    is: ({ program, words }) => formatters.test(program) && words.some((word) => word.startsWith("/dev/")),
  },
  {
    why: "erased",
    is: ({ program, words, input }) => sqlClients.has(program) && dropping.test([...words, input ?? ""].join(" ")),
  },
  { why: "erased", is: ({ program }) => program === "dropdb" || program === "dropuser" },
  {
    why: "erased",
    is: ({ program, words }) => takingDown.get(program)?.test(named(words) ?? "") === true,
  },
  {
    why: "erased",
    is: ({ program, words }) => program === "redis-cli" && words.some((word) => /^flush(?:all|db)$/i.test(word)),
  },
  {
    why: "thrownAway",
    is: ({ program, words }) =>
      program === "find" &&
      words.some((word, at) => word === "-delete" || (executing.has(word) && deleters.has(words[at + 1] ?? ""))),
  },
  { why: "published", is: ({ program, words }) => publishers.has(program) && named(words) === "publish" },
  { why: "published", is: ({ program, words }) => program === "yarn" && words.join(" ").startsWith("npm publish") },
  { why: "published", is: ({ program, words }) => program === "twine" && named(words) === "upload" },
  {
    why: "published",
    is: ({ program, words }) => ["gem", "docker", "podman"].includes(program) && named(words) === "push",
  },
  {
    why: "published",
    is: ({ program, words }) => program === "gh" && /^(?:pr merge|release create|repo delete)\b/.test(words.join(" ")),
  },
];

/** The first word that is no option: a subcommand's name. */
const named = (words) => words.find((word, at) => !word.startsWith("-") && !takesNext.test(words[at - 1] ?? ""));

/** Options that git takes before its command's name, with their values. */
const gitTakes = /^(?:-[cC]|--git-dir|--work-tree|--namespace|--exec-path|--super-prefix|--config-env)$/;

/** @returns its command, the rest, and the folder that it works in */
function gitCommand(words, cwd = ".") {
  let at = 0;
  let folder = cwd;
  for (let word = words[at]; word?.startsWith("-"); word = words[at]) {
    if (word === "-C") folder = resolve(folder, words[at + 1] ?? ".");
    at += gitTakes.test(word) ? 2 : 1;
  }
  return { does: words[at] ?? "", rest: words.slice(at + 1), folder };
}

const rewriting = new Set(["rebase", "filter-branch", "filter-repo", "update-ref", "replace"]);
/** The whole folder, as a pathspec. */
const whole = new Set([".", "./", ":/", "*", ":"]);

function ofGit(words) {
  const { does, rest } = gitCommand(words);
  const has = (...flags) => rest.some((word) => flags.includes(word));
  const short = (letter) => rest.some((word) => /^-[a-zA-Z]+$/.test(word) && word.includes(letter));
  const all = rest.some((word) => whole.has(word));
  switch (does) {
    case "push":
      return "pushed";
    case "reflog":
      return /^(?:expire|delete)$/.test(rest[0] ?? "") ? "rewritten" : null;
    case "commit":
      return has("--amend") ? "amended" : null;
    case "reset":
      return has("--hard") ? "thrownAway" : null;
    case "clean":
      return has("--dry-run") || short("n") ? null : "thrownAway";
    case "checkout":
    case "switch":
      return all || has("--force", "--discard-changes") || short("f") ? "thrownAway" : null;
    case "restore":
      // Out of the index alone, the files stay.
      return all && !((has("--staged") || short("S")) && !has("--worktree") && !short("W")) ? "thrownAway" : null;
    case "branch":
      return has("-D", "--delete") ? "branches" : null;
    case "tag":
      return has("-d", "--delete") ? "branches" : null;
    case "stash":
      return /^(?:drop|clear)$/.test(rest[0] ?? "") ? "thrownAway" : null;
    default:
      return rewriting.has(does) ? "rewritten" : null;
  }
}

/** What this command would delete or overwrite outside the workspace; null: nothing. */
function lostOutside({ program, words, cwd, redirects }, place) {
  const paths = words.filter((word) => word !== "" && !word.startsWith("-"));
  const at = (word) => resolve(cwd, word.replace(/[*?].*$/, "x"));
  const isTheirs = (word) => isOutside(at(word), place);
  /** Only what exists can be lost. */
  const isLost = (word) => isTheirs(word) && isFile(at(word));
  const emptied = redirects.find(({ op, target }) => (op === ">" || op === ">|" || op === ">&") && isLost(target));
  if (emptied !== undefined) return emptied.target;
  const found = (word) => word ?? null;
  if (deleters.has(program)) return found(paths.find(isTheirs));
  if (program === "mv") return found(paths.slice(0, -1).find(isTheirs) ?? paths.slice(-1).find(isLost));
  if (program === "cp" || program === "install") return found(paths.slice(-1).find(isLost));
  if (program === "tee" && !words.includes("-a") && !words.includes("--append")) return found(paths.find(isLost));
  if (program === "truncate") return found(paths.find(isLost));
  if (program === "dd")
    return found(
      words
        .filter((word) => word.startsWith("of="))
        .map((word) => word.slice(3))
        .find(isLost),
    );
  if (program === "find" && rules.some(({ why, is }) => why === "thrownAway" && is({ program, words, redirects: [] })))
    return found(searched(words).find((word) => !isWorkspace(at(word), place) && isTheirs(word)));
  if (program === "git") {
    const { folder } = gitCommand(words, cwd);
    const isElsewhere = !isWorkspace(folder, place) && isOutside(folder, place);
    return isElsewhere && ofGit(words) === "thrownAway" ? folder : null;
  }
  return null;
}

/** Where `find` looks. */
function searched(words) {
  const end = words.findIndex((word) => /^[-(!]/.test(word) && !/^-[HLP]$/.test(word));
  const paths = words.slice(0, end === -1 ? undefined : end).filter((word) => !word.startsWith("-"));
  return paths.length === 0 ? ["."] : paths;
}

const isWorkspace = (path, { workspace }) => relative(workspace, path) === "";

const isInside = (path, folder) => {
  const to = relative(folder, path);
  return to !== "" && !to.startsWith("..") && !isAbsolute(to);
};

/** Temporary folders are everyone's, unless the person's home is in one. */
function isOutside(path, { workspace, home, temp }) {
  const isTheirs = !isInside(path, temp) || path === home || isInside(path, home) || isInside(home, path);
  return !isInside(path, workspace) && isTheirs;
}

const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
