// Everything that `npm start` and `npm test` need on a fresh machine: packages from the lockfile, system tools, the
// build. Plain Node without dependencies, since it runs before anything is installed.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const withoutWalls = "the tests of walls around agents are left out";
const stamps = join(root, "node_modules", ".loopwright");

checkNode();
ensureTool("git", "git");
// Only for tests: the demo needs none of them.
if (process.env.npm_lifecycle_event !== "start") {
  wantTool("strace", "strace", "the sweeps that inject faults are left out");
  wantTool("bwrap", "bubblewrap", withoutWalls);
  sayIfBlocked();
  wantTool("chromium", "chromium", "the tests in a real browser are left out");
  wantTool("tmux", "tmux", "the tests of what a terminal shows are left out", "-V");
  wantTool("zsh", "zsh", "the tests of its completion are left out");
  wantTool("fish", "fish", "the tests of its completion are left out");
}
if (process.env.npm_lifecycle_event?.startsWith("drill:")) {
  wantTool("python3", "python3", "the cases in Python are left out");
  wantTool("pytest", "python3-pytest", "the cases for pytest are left out");
  wantTool("go", "golang-go", "the cases in Go are left out", "version");
  wantTool("cargo", "cargo", "the cases in Rust are left out");
}
once("install", [hashOf("package-lock.json"), process.version], installPackages);
once("build", [hashOfTree("src"), hashOf("tsconfig.json"), hashOf("tsconfig.build.json")], () =>
  run("node", ["scripts/build.mjs"]),
);

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node ${process.versions.node} is too old: Loopwright needs 20.19 or later.`);
}

/** As root on Debian it is installed; otherwise a message says what to install. */
function ensureTool(command, debianPackage) {
  if (spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0) return;
  const apt = process.getuid?.() === 0 && spawnSync("apt-get", ["--version"], { stdio: "ignore" }).status === 0;
  if (!apt)
    fail(
      `${command} is missing. Install it (Debian: apt-get install ${debianPackage}), then run the same command again.`,
    );
  say(`installing ${debianPackage}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  run("apt-get", ["update", "-qq"], env);
  run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", debianPackage], env);
}

/** The same for optional tools: a message says what is skipped without them. */
function wantTool(command, debianPackage, without, flag = "--version") {
  const isThere = () => spawnSync(command, [flag], { stdio: "ignore" }).status === 0;
  if (isThere()) return;
  const isRoot = process.getuid?.() === 0;
  const apt = isRoot && spawnSync("apt-get", ["--version"], { stdio: "ignore" }).status === 0;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "-y", "-qq", "--no-install-recommends", debianPackage];
  if (apt) spawnSync("sh", ["-c", `apt-get update -qq && apt-get ${install.join(" ")}`], { stdio: "ignore", env });
  if (!isThere()) say(`${command} is missing (Debian: apt-get install ${debianPackage}): ${without}`);
}

/** An installed bubblewrap may still not be allowed to start: those tests are then skipped, too. */
function sayIfBlocked() {
  const args = ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true"];
  const { status, stderr, error } = spawnSync("bwrap", args, { encoding: "utf8" });
  if (error === undefined && status !== 0) say(`bwrap does not start (${stderr.trim()}): ${withoutWalls}`);
}

function installPackages() {
  say("installing packages from the lockfile");
  // Not `npm ci`: it rejects a lockfile without the optional packages of platforms that a registry mirror does not
  // carry. This uses the locked versions too, and changes neither file. `--include=dev` overrides NODE_ENV.
  run("npm", [
    "install",
    "--no-save",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--include=dev",
  ]);
}

function once(name, inputs, action) {
  const key = createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
  const stamp = join(stamps, name);
  const ready =
    name === "install"
      ? existsSync(join(root, "node_modules", "typescript"))
      : existsSync(join(root, "dist", "cli", "main.js"));
  if (ready && existsSync(stamp) && readFileSync(stamp, "utf8") === key) return;
  action();
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, key);
}

function run(file, args, env = process.env) {
  try {
    execFileSync(file, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env });
  } catch {
    fail(`${file} ${args.join(" ")} failed; its own message is above.`);
  }
}

function hashOf(path) {
  return createHash("sha256")
    .update(readFileSync(join(root, path)))
    .digest("hex");
}

function hashOfTree(path) {
  const hash = createHash("sha256");
  const walk = (dir) => {
    for (const name of readdirSync(dir).sort()) {
      const full = join(dir, name);
      if (statSync(full).isDirectory()) walk(full);
      else hash.update(full.slice(root.length)).update(readFileSync(full));
    }
  };
  walk(join(root, path));
  return hash.digest("hex");
}

function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

function fail(text) {
  process.stderr.write(`setup: ${text}\n`);
  process.exit(1);
}
