// Preloaded into every node process of a check: asks a process that is a test runner for a report, through its
// arguments. A plain program for the workspace's node, of any version. It must never make a check fail.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { randomBytes } = require("node:crypto");
const { isMainThread } = require("node:worker_threads");
const { runners } = require("./node-runners.cjs");

if (isMainThread && process.env.LOOP_NAMES) {
  try {
    ask(JSON.parse(process.env.LOOP_NAMES));
  } catch {
    // No report, then: the loop says so, and uses the exit code.
  }
}

function ask(names) {
  if (process.env.NODE_TEST_CONTEXT) return leave(names); // A test file, started by `node --test`.
  if (process.execArgv.includes("--test")) return askNode(names);
  const runner = runners[packageOf(process.argv[1]) ?? ""];
  if (runner === undefined) return;
  const args = process.argv.slice(2);
  const changed = runner({ args, only: only(names), report: () => reportFile(names, runner.kind), names });
  if (changed === null) return;
  process.argv.splice(2, process.argv.length, ...changed);
  // Jest runs tests in its own process: once Jest has read its arguments, tests see the command's own.
  if (runner.kind === "jest") setImmediate(() => process.argv.splice(2, process.argv.length, ...args));
  if (runner.kind !== undefined) leave(names);
}

/** node has already read its options, so argv holds only files and patterns. */
function askNode(names) {
  const files = only(names);
  globalThis[Symbol.for("loopwright.names")] = process.env.LOOP_NAMES; // For the reporter, which is loaded later.
  leave(names);
  if (files === null) return;
  if (files.length === 0) process.exit(0);
  const isPattern = Number(process.versions.node.split(".")[0]) >= 21;
  const escaped = files.map((file) => (isPattern ? file.replace(/[*?[\]()]/g, "[$&]") : file));
  process.argv.splice(1, process.argv.length, ...escaped);
}

/** The selected files below this folder: in a workspace, the others belong to other packages. Null: all of them. */
function only(names) {
  if (names.only === null) return null;
  const here = `${fs.realpathSync(process.cwd())}${path.sep}`;
  const root = fs.realpathSync(names.root);
  return names.only.map((file) => path.join(root, file)).filter((file) => file.startsWith(here));
}

/** The name of the package whose command this process is. */
function packageOf(script) {
  if (script === undefined) return null;
  const real = fs.realpathSync(script);
  for (let dir = path.dirname(real); dir !== path.dirname(dir); dir = path.dirname(dir)) {
    const manifest = path.join(dir, "package.json");
    if (!fs.existsSync(manifest)) continue;
    const { name, bin } = JSON.parse(fs.readFileSync(manifest, "utf8"));
    if (name === undefined) continue;
    const programs = typeof bin === "string" ? [bin] : Object.values(bin ?? {});
    return programs.some((program) => path.join(dir, program) === real) ? name : null;
  }
  return null;
}

/** Where a runner's report goes. The line that names it exists even if the runner never writes the report. */
function reportFile(names, kind) {
  const file = `${names.to}-${kind}-${process.pid}-${randomBytes(6).toString("hex")}`;
  fs.writeFileSync(`${file}.jsonl`, `${JSON.stringify({ runner: kind, report: path.basename(file) })}\n`, {
    flag: "wx",
  });
  return file;
}

/** Processes that a test starts do not report, and see the environment as it would be without us. */
function leave(names) {
  delete process.env.LOOP_NAMES;
  let options = process.env.NODE_OPTIONS ?? "";
  for (const ours of names.options) options = options.replace(ours, "");
  if (options.trim() === "") delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = options.trim();
  const isShims = (dir) => names.shims.some((name) => isOurs(path.join(dir, name), names.mark));
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  process.env.PATH = folders.filter((dir) => !isShims(dir)).join(path.delimiter);
}

function isOurs(file, mark) {
  try {
    return fs.statSync(file).size < 1 << 16 && fs.readFileSync(file, "utf8").includes(mark);
  } catch {
    return false;
  }
}
