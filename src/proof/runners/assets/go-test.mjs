// Runs `go test` so that it reports each test: prints its usual output, and writes file and name as JSON lines.
// A plain program: node go-test.mjs GO NAMES test ARGUMENT...
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, openSync, readdirSync, readFileSync, realpathSync, writeSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { createInterface } from "node:readline";

const [go, namesText, , ...given] = process.argv.slice(2);
const names = JSON.parse(namesText);
const end = given.findIndex((arg) => /^--?args$/.test(arg));
const [own, passed] = end < 0 ? [given, []] : [given.slice(0, end), given.slice(end)];
const has = (flag) => own.some((arg) => new RegExp(`^--?${flag}(?:=true)?$`).test(arg));
const isVerbose = has("v");
const wantsJson = has("json");

const packages = selected();
if (packages !== null && packages.length === 0) process.exit(0);
const args = packages === null ? own : [...own.filter((_, at) => !isPackage(at)), ...packages];
const child = spawn(go, ["test", ...(wantsJson ? [] : ["-json"]), ...args, ...passed], {
  stdio: ["inherit", "pipe", "inherit"],
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));

const file = openSync(`${names.to}-go-${process.pid}-${randomBytes(6).toString("hex")}.jsonl`, "ax");
const write = (line) => writeSync(file, `${JSON.stringify(line)}\n`);
write({ runner: "go" });

const ends = { pass: "passed", fail: "failed", skip: "skipped" };
const output = new Map();
const failing = new Set();
const module = moduleAround(process.cwd());
for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) take(line);
const [code, signal] = await ending();
if (code !== null) write({ end: true });
process.exitCode = code ?? 128 + (signal === "SIGKILL" ? 9 : 15);

function ending() {
  if (child.exitCode !== null || child.signalCode !== null) return [child.exitCode, child.signalCode];
  return new Promise((resolve) => child.once("exit", (...how) => resolve(how)));
}

function take(line) {
  const event = eventOf(line);
  if (wantsJson || event === null) process.stdout.write(`${line}\n`);
  if (event === null) return unbuilt(/^FAIL\s+(\S+) \[(?:build|setup) failed\]$/.exec(line)?.[1]);
  if (!wantsJson) show(event);
  const how = ends[event.Action];
  if (how === undefined || event.Package === undefined) return;
  if (event.Test !== undefined) {
    if (how === "failed") failing.add(event.Package);
    write(placed(event.Package, event.Test, how));
  } else if (how === "failed" && !failing.has(event.Package)) unbuilt(event.Package);
}

/** A package that could not be built, or that failed outside of its tests. */
function unbuilt(name) {
  if (name !== undefined) write({ file: folderOf(name), name: [name, "(package)"], how: "failed" });
}

function eventOf(line) {
  if (!line.startsWith("{")) return null;
  try {
    const event = JSON.parse(line);
    return typeof event.Action === "string" ? event : null;
  } catch {
    return null;
  }
}

/** Without -v, go prints the output of a test only if it failed. */
function show({ Action, Package, Test, Output }) {
  const key = `${Package} ${Test}`;
  if (Action === "build-output" || (Action === "output" && (isVerbose || Test === undefined))) {
    if (isVerbose || Output !== "PASS\n") process.stdout.write(Output);
  } else if (Action === "output" && !Output.startsWith("=== ")) output.set(key, (output.get(key) ?? "") + Output);
  else if (Action === "fail") process.stdout.write(output.get(key) ?? "");
  if (Test !== undefined && ends[Action] !== undefined) output.delete(key);
}

/** go does not say which file a test is in, so it is looked up in the package's folder. */
function placed(name, test, how) {
  const folder = folderOf(name);
  const [top] = test.split("/");
  const file = folder === null ? null : (testsIn(folder).get(top) ?? null);
  return file === null ? { file: folder, name: [name, test], how } : { file, name: [test], how };
}

function testsIn(folder) {
  testsIn.known ??= new Map();
  const known = testsIn.known.get(folder);
  if (known !== undefined) return known;
  const found = new Map();
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!name.endsWith("_test.go")) continue;
    const text = readFileSync(join(folder, name), "utf8");
    for (const [, test] of text.matchAll(/^func ((?:Test|Fuzz|Example|Benchmark)\w*)\(/gm))
      found.set(test, join(folder, name));
  }
  testsIn.known.set(folder, found);
  return found;
}

function moduleAround(folder) {
  for (let dir = realpathSync(folder); ; dir = dirname(dir)) {
    if (existsSync(join(dir, "go.mod"))) {
      const [, path] = /^module\s+"?([^\s"]+)/m.exec(readFileSync(join(dir, "go.mod"), "utf8")) ?? [];
      return path === undefined ? null : { path, dir };
    }
    if (dir === dirname(dir)) return null;
  }
}

function folderOf(name) {
  if (module === null || (name !== module.path && !name.startsWith(`${module.path}/`))) return null;
  return join(module.dir, name.slice(module.path.length));
}

/** The packages of the selected files below this folder; null: all that the command names. */
function selected() {
  if (names.only === null) return null;
  const here = realpathSync(process.cwd());
  const folders = names.only
    .map((path) => dirname(join(realpathSync(names.root), path)))
    .filter((folder) => folder === here || folder.startsWith(here + sep))
    .map((folder) => `./${relative(here, folder)}`);
  return [...new Set(folders)];
}

/** An argument after a flag that may take a value is its value. */
function isPackage(at) {
  const flags =
    /^--?(?:v|race|short|cover|json|failfast|msan|asan|a|n|x|work|trimpath|benchmem|fullpath|linkshared|modcacherw|i|buildvcs)$/;
  const before = own[at - 1] ?? "";
  return !own[at].startsWith("-") && (!before.startsWith("-") || before.includes("=") || flags.test(before));
}
