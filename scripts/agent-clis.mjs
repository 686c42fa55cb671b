// Fetches the pinned coding-agent CLIs for the tests into a cache outside the clone, and prints their paths.
//
//   node scripts/agent-clis.mjs            fetch what is missing, print the paths
//   node scripts/agent-clis.mjs --list     print what is here, fetch nothing
//
// Packages are installed without running their scripts, and the native binaries are called directly: the npm wrapper of
// codex is a second process, and killing it leaves codex alive.
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

// Behavior differs between versions (what a cost includes, which fields exist), so tests pin them.
const pinned = {
  "claude@2.1.325": { package: "@anthropic-ai/claude-code@2.1.325", binary: claudeBinary },
  "claude@2.1.197": { package: "@anthropic-ai/claude-code@2.1.197", binary: claudeBinary },
  "codex@0.166.0": { package: "@openai/codex@0.166.0", binary: codexBinary },
  // ACP adapters for the two above. Their own copies of the binaries are optional, and are omitted.
  "claude-agent-acp@0.49.0": {
    package: "@agentclientprotocol/claude-agent-acp@0.49.0",
    binary: acpProgram,
    bare: true,
  },
  "codex-acp@2.6.0": { package: "@agentclientprotocol/codex-acp@2.6.0", binary: acpProgram, bare: true },
};

export const names = Object.keys(pinned);

export function cacheDir(env = process.env) {
  if (env.LOOPWRIGHT_CACHE) return env.LOOPWRIGHT_CACHE;
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache"), "loopwright", "clis");
}

/** The native binary of a CLI in the cache, or null. */
export function findCli(name, cache = cacheDir()) {
  return pinned[name]?.binary(join(cache, name, "node_modules"), name) ?? null;
}

/** The path of a CLI, fetched if needed; or why it is unavailable. Never throws for a missing prerequisite. */
export async function ensureCli(name, options = {}) {
  const { cache = cacheDir(), say = console.error } = options;
  if (!(name in pinned)) return { name, path: null, why: `no CLI is pinned as ${name}` };
  const found = findCli(name, cache);
  if (found !== null) return { name, path: found, why: null };
  if (process.env.LOOPWRIGHT_CLIS === "off")
    return { name, path: null, why: "LOOPWRIGHT_CLIS=off: nothing is fetched" };
  try {
    return await fetchOnce(name, cache, say);
  } catch (error) {
    return { name, path: null, why: `${name} cannot be installed in ${cache}: ${error.message}` };
  }
}

// Test files run in parallel: one process fetches, the others wait, and a failure is remembered for a few minutes.
async function fetchOnce(name, cache, say) {
  fs.mkdirSync(cache, { recursive: true });
  const lock = join(cache, `${name}.lock`);
  const failure = join(cache, `${name}.failed`);
  while (!takeLock(lock)) await sleep(500);
  try {
    const found = findCli(name, cache);
    if (found !== null) return { name, path: found, why: null };
    const earlier = recentFailure(failure);
    if (earlier !== null) return { name, path: null, why: earlier };
    say(`agent-clis: fetching ${pinned[name].package} into ${cache}`);
    const why = await install(name, cache);
    const path = findCli(name, cache);
    if (path !== null) {
      say(`agent-clis: ${name} is at ${path}`);
      return { name, path, why: null };
    }
    const reason = why ?? `${pinned[name].package} has no binary for ${process.platform}-${process.arch}`;
    fs.writeFileSync(failure, reason);
    say(`agent-clis: ${name} is not available: ${reason}`);
    return { name, path: null, why: reason };
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

// The lock names its owner, so that one left by a killed process does not last forever.
function takeLock(lock) {
  try {
    fs.writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const owner = Number(readOr(lock, ""));
  if (owner > 0 && isAlive(owner)) return false;
  fs.rmSync(lock, { force: true });
  return false;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function recentFailure(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || Date.now() - stat.mtimeMs > 10 * 60_000) return null;
  return readOr(file, null);
}

function readOr(file, otherwise) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return otherwise;
  }
}

// Installed in a temporary folder and renamed: a folder with the final name is complete.
async function install(name, cache) {
  const beside = fs.mkdtempSync(join(cache, `.${name}-`));
  try {
    const why = await npmInstall(beside, pinned[name]);
    if (why !== null) return why;
    fs.rmSync(join(cache, name), { recursive: true, force: true });
    fs.renameSync(beside, join(cache, name));
    return null;
  } finally {
    fs.rmSync(beside, { recursive: true, force: true });
  }
}

function npmInstall(prefix, { package: spec, bare = false }) {
  const quiet = [
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
    "--fetch-timeout=120000",
    // `npm test` passes our own strictness on. These are native programs: their required Node does not run them.
    "--engine-strict=false",
  ];
  const less = bare ? ["--omit=optional"] : [];
  const args = ["install", "--ignore-scripts", "--no-save", ...less, ...quiet, "--prefix", prefix, spec];
  return new Promise((resolve) => {
    const child = spawn("npm", args, { cwd: prefix, env: npmEnv(), stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (data) => {
      said = (said + data).slice(-2000);
    });
    child.on("error", (error) => resolve(`npm could not be started: ${error.message}`));
    child.on("close", (code) => resolve(code === 0 ? null : `npm ended with code ${code}: ${said.trim()}`));
  });
}

// npm gets only what it needs to reach its registry.
function npmEnv() {
  const wanted =
    /^(PATH|HOME|TMPDIR|LANG|XDG_.*|npm_config_.*|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => wanted.test(key)));
}

function claudeBinary(modules) {
  return firstFile([join(modules, "@anthropic-ai", `claude-code-${process.platform}-${process.arch}`, "claude")]);
}

function codexBinary(modules) {
  const vendor = join(modules, "@openai", `codex-${process.platform}-${process.arch}`, "vendor");
  const targets = fs.existsSync(vendor) ? fs.readdirSync(vendor) : [];
  return firstFile(targets.map((target) => join(vendor, target, "bin", "codex")));
}

function acpProgram(modules, name) {
  const folder = join(modules, "@agentclientprotocol", name.slice(0, name.indexOf("@")));
  return firstFile([join(folder, "dist", "index.js")]);
}

function firstFile(paths) {
  return paths.find((path) => fs.existsSync(path)) ?? null;
}

async function main(args) {
  const found = [];
  for (const name of names) {
    found.push(args.includes("--list") ? { name, path: findCli(name), why: "not fetched" } : await ensureCli(name));
  }
  for (const { name, path, why } of found) console.log(`${name}: ${path ?? `missing (${why})`}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
