// Runs every case of the drill through the prover, committed or not, stay-green or turn-green, and writes the table.
//   npm run drill:matrix                 every case; the table is docs/MATRIX.md
//   npm run drill:matrix -- --only pytest --one     cases by name prefix, one combination each, nothing written
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    one: { type: "boolean", default: false },
    depth: { type: "string", default: "standard" },
    worker: { type: "string" },
    packages: { type: "string" },
  },
});
let kept = 0;
let told = Date.now();
const rowsFile = join(root, "node_modules", ".loopwright", "matrix.jsonl");
if (values.worker === undefined) await everything();
else await work(values.worker);

async function everything() {
  const started = Date.now();
  const packages = installRunners();
  const { missingStacks } = await import(new URL("../dist/drill/cases/installed.js", import.meta.url));
  for (const stack of missingStacks()) process.stderr.write(`${stack} is not installed: its cases are left out\n`);
  rmSync(rowsFile, { force: true });
  const lanes = Math.max(1, Math.min(4, availableParallelism()));
  const rows = (await Promise.all(Array.from({ length: lanes }, (_, lane) => inLane(lane, lanes, packages)))).flat();
  const minutes = Math.round((Date.now() - started) / 6000) / 10;
  const { tableText, verdictOf } = await import(new URL("../dist/drill/matrix/table.js", import.meta.url));
  const text = tableText(rows, minutes);
  process.stdout.write(`${text}\n`);
  if (values.only === "" && !values.one) writeFileSync(join(root, "docs", "MATRIX.md"), `${text}\n`);
  const wrong = rows.filter((row) => verdictOf(row) === "wrong");
  for (const { name, outcome, why } of wrong) process.stdout.write(`wrong: ${name}: ${outcome}: ${why}\n`);
  process.stdout.write(`${rows.length - wrong.length} passed, ${wrong.length} failed\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

/** Real runners at pinned versions, in a folder next to this project's packages. */
function installRunners() {
  const dir = join(root, "node_modules", ".loopwright", "runners");
  const { devDependencies: own } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [biome, typescript] = [own["@biomejs/biome"], own.typescript];
  const packages = { vitest: "4.1.12", jest: "30.5.2", mocha: "12.0.3", "@biomejs/biome": biome, typescript };
  const wanted = JSON.stringify({ private: true, dependencies: packages });
  const manifest = join(dir, "package.json");
  const isThere = (name) => existsSync(join(dir, "node_modules", name, "package.json"));
  if (!Object.keys(packages).every(isThere) || readFileSync(manifest, "utf8") !== wanted) {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    writeFileSync(manifest, wanted);
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], {
      cwd: dir,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  return join(dir, "node_modules");
}

function inLane(lane, lanes, packages) {
  const args = [fileURLToPath(import.meta.url), "--worker", `${lane}/${lanes}`, "--packages", packages];
  if (values.only !== "") args.push("--only", values.only);
  if (values.one) args.push("--one");
  args.push("--depth", values.depth);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      keep(String(chunk));
    });
    child.on("close", (code) => {
      if (code !== 0) reject(new Error(`a lane ended with ${code}`));
      else
        resolve(
          text
            .split("\n")
            .filter((line) => line.startsWith("{"))
            .map((line) => JSON.parse(line)),
        );
    });
  });
}

/** Rows are kept as they come, so that a matrix that is cut off has shown something. */
function keep(rows) {
  appendFileSync(rowsFile, rows);
  kept += rows.split("\n").length - 1;
  if (Date.now() - told < 60_000) return;
  told = Date.now();
  process.stderr.write(`${kept} plays so far\n`);
}

async function work(share) {
  const [lane, lanes] = share.split("/").map(Number);
  const { cases } = await import(new URL("../dist/drill/cases/index.js", import.meta.url));
  const { combinations, playCase } = await import(new URL("../dist/drill/matrix/play-case.js", import.meta.url));
  const { missingStacks } = await import(new URL("../dist/drill/cases/installed.js", import.meta.url));
  const missing = missingStacks();
  const wanted = cases
    .filter(({ name, stack }) => name.startsWith(values.only) && !missing.has(stack))
    // Honest work first: most mistakes show there.
    .toSorted((one, other) => Number(other.honest) - Number(one.honest));
  for (const [at, one] of wanted.entries()) {
    if (at % lanes !== lane) continue;
    const dir = mkdtempSync(join(tmpdir(), "loop-matrix-"));
    for (const way of combinations(one).slice(0, values.one ? 1 : 4)) await playOnce(playCase, one, way, dir);
    rmSync(dir, { recursive: true, force: true });
  }
  process.exit(0);
}

/** The same trees give the same rooms, which are not run twice: the second way of a case is almost free. */
async function playOnce(playCase, one, way, dir) {
  const { name, stack, class: of, honest, expect } = one;
  const { depth, packages } = values;
  const row = { name, stack, class: of, honest, expect, ...way };
  const own = mkdtempSync(join(dir, "play-"));
  try {
    const played = await playCase(one, { ...way, depth, packages, dir: own, files: join(dir, "files") });
    process.stdout.write(`${JSON.stringify({ ...row, ...played })}\n`);
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stdout.write(`${JSON.stringify({ ...row, outcome: "not-played", why, ms: 0 })}\n`);
  }
}
