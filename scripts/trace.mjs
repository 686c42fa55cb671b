// node scripts/trace.mjs [--old <folder or .tgz>]: runs one feature from `loop run` to its commit, and counts what that takes:
// modules loaded and executed (from V8's coverage), events up to the commit, and reads of each configuration file before
// the first event. With --old, in that build too. docs/ARCHITECTURE.md has the figures.
import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildFromOptions } from "./compare/old-build.mjs";
import { Place } from "./compare/place.mjs";
import { builder, evaluator, one, right, sample } from "./compare/sample.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const old = buildFromOptions();
const columns = [];
try {
  if (old !== null) columns.push({ title: "before", ...(await traced(old.dir)) });
  columns.push({ title: "now", ...(await traced(unbundled())) });
} finally {
  old?.remove();
}
const rows = Object.keys(columns[0]).filter((name) => name !== "title");
console.log(`| | ${columns.map(({ title }) => title).join(" | ")} |\n| --- |${" --- |".repeat(columns.length)}`);
for (const row of rows) console.log(`| ${row} | ${columns.map((column) => column[row]).join(" | ")} |`);

/** The command line is a bundle: its modules can be counted only where each is a file. */
function unbundled() {
  const build = join(root, "node_modules", ".loopwright", "unbundled");
  fs.mkdirSync(build, { recursive: true });
  fs.copyFileSync(join(root, "package.json"), join(build, "package.json"));
  execFileSync(process.execPath, [join(root, "scripts", "build.mjs"), "--plain", join(build, "dist")]);
  return build;
}

async function traced(build) {
  const scenes = [builder("F001", right("F001")), evaluator];
  const place = new Place(build, { files: sample({ scenes, features: one }) });
  const [reads, coverage] = [join(place.dir, "reads.json"), join(place.dir, "coverage")];
  try {
    const preload = fileURLToPath(new URL("./trace/count-reads.mjs", import.meta.url));
    const child = spawn(process.execPath, [place.cli, "run", ...place.agreed], {
      cwd: place.root,
      env: {
        ...place.env(),
        NODE_OPTIONS: `--import=${preload}`,
        NODE_V8_COVERAGE: coverage,
        TRACE_FILE: reads,
        TRACE_ROOT: place.root,
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    if (code !== 0) throw new Error(`the run of ${build} ended with ${code}`);
    return { ...modulesIn(coverage, build), ...eventsIn(place), ...readsIn(reads) };
  } finally {
    place.remove();
  }
}

/** A module that is loaded runs its top level; it is executed if one of its functions is called. */
function modulesIn(coverage, build) {
  const own = pathToFileURL(join(fs.realpathSync(build), "dist")).href;
  const loaded = new Map();
  for (const name of fs.readdirSync(coverage)) {
    const { result } = JSON.parse(fs.readFileSync(join(coverage, name), "utf8"));
    for (const { url, functions } of result) if (url.startsWith(own)) loaded.set(url, functions.some(isCalled));
  }
  const executed = [...loaded.values()].filter(Boolean).length;
  return { "modules loaded": loaded.size, "of these, executed": executed };
}

function isCalled({ functionName, ranges }) {
  return functionName !== "" && ranges[0].count > 0;
}

function eventsIn(place) {
  const state = join(place.home, "state", "loopwright");
  const journals = fs.readdirSync(state, { recursive: true }).filter((path) => path.endsWith("events.jsonl"));
  const events = fs.readFileSync(join(state, journals[0]), "utf8").trimEnd().split("\n");
  const commit = events.findIndex((line) => line.includes('"type":"committed"'));
  return { "events from the first to the commit": commit + 1 };
}

function readsIn(path) {
  const { reads } = JSON.parse(fs.readFileSync(path, "utf8"));
  return Object.fromEntries(Object.entries(reads).map(([name, count]) => [`reads of ${name} before the run`, count]));
}
