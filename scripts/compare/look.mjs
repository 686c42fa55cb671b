// What a scenario leaves behind, unmodified: git, the folder, the agent's notes, and the JSON output of commands.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";

const sha256 = (data) => createHash("sha256").update(data).digest("hex");
/** Records contain ids and times, so they are compared as text without those. */
export const isRecord = (path) => path.startsWith("docs/") || path.startsWith(".loop/");
const lines = (text) => text.split("\n").filter((line) => line !== "");

/** @param {import("./place.mjs").Place} place @param {string[]} exits */
export async function look(place, exits) {
  return {
    dir: place.dir,
    exits,
    commits: place.isGit ? commitsOf(place) : [],
    ...(place.isGit ? gitOf(place) : { branch: "", status: [], stashes: [], refs: [] }),
    runs: await runsOf(place),
    sessions: lines(readOr(join(place.home, "sessions.log"))),
    files: filesOf(place.root),
    records: recordsOf(place.root),
    setAside: await setAsideOf(place),
  };
}

/** The branch's commits, oldest first. */
function commitsOf(place) {
  return lines(place.git("log", "--first-parent", "--reverse", "--format=%H")).map((hash) => ({
    hash,
    author: place.git("show", "--no-patch", "--format=%an <%ae>, %cn <%ce>", hash),
    message: place.git("show", "--no-patch", "--format=%B", hash),
    ...treeOf(place, hash),
    changes: lines(place.git("diff-tree", "-r", "--root", "--no-commit-id", "--name-status", hash)),
  }));
}

/** Every file except records by its git id, and records by their text. */
function treeOf(place, commit) {
  const entries = lines(place.git("ls-tree", "-r", "--full-tree", commit));
  const path = (line) => line.slice(line.indexOf("\t") + 1);
  const own = entries.filter((line) => !isRecord(path(line)));
  const records = entries.map(path).filter(isRecord);
  return {
    tree: sha256(own.join("\n")),
    records: Object.fromEntries(records.map((name) => [name, place.git("show", `${commit}:${name}`)])),
  };
}

function gitOf(place) {
  const format = "--format=%(refname) %(objectname)";
  return {
    branch: place.git("symbolic-ref", "HEAD"),
    status: lines(place.git("status", "--porcelain", "--untracked-files=all", "--ignored=matching")),
    stashes: lines(place.git("stash", "list", "--format=%gs")),
    refs: lines(place.git("for-each-ref", format)).map((line) => {
      const [name = "", hash = ""] = line.split(" ");
      const isCommit = place.git("cat-file", "-t", hash) === "commit";
      return { name, hash, ...(isCommit ? treeOf(place, hash) : { tree: "", records: {} }) };
    }),
  };
}

/** Every run, oldest first: its status, its story and its inbox, as commands report them. */
async function runsOf(place) {
  const list = await asked(place, "list");
  const runs = [];
  for (const status of (list?.runs ?? []).toReversed()) {
    const story = await asked(place, "show", status.run);
    const inbox = await asked(place, "inbox", "--run", status.run);
    runs.push({ status, chronicle: story?.chronicle ?? story, inbox: inbox?.inbox ?? null });
  }
  return runs;
}

async function setAsideOf(place) {
  const more = place.isGit ? [] : ["--no-git"];
  return (await asked(place, "recover", ...more))?.quarantine ?? null;
}

/** Null: the command failed. */
async function asked(place, ...args) {
  const { code, stdout } = await place.loop(...args, "--json");
  return code === 0 ? JSON.parse(stdout) : null;
}

/** All files in the folder, ignored ones included, except records. */
function filesOf(root) {
  return namesBelow(root)
    .filter((path) => !isRecord(path))
    .map((path) => `${path} ${sha256(fs.readFileSync(join(root, path)))}`);
}

function recordsOf(root) {
  const names = namesBelow(root).filter((path) => path.startsWith("docs/"));
  return Object.fromEntries(names.map((path) => [path, fs.readFileSync(join(root, path), "utf8")]));
}

function namesBelow(root) {
  return fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith(".git/"))
    .sort();
}

const readOr = (path) => (fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "");
