// Runs random changes through the prover, and compares its verdicts with a truth found from outside.
//   npm run drill:random -- --seeds 300 --from 1      many seeds; --write puts the figures into docs/PROOF.md
//   npm run drill:random -- --seed 17                 one seed again, with its operations, diff, runs, reasons and truth
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    lanes: { type: "string", default: String(Math.max(1, Math.min(2, availableParallelism()))) },
    stack: { type: "string" },
    write: { type: "boolean", default: false },
    worker: { type: "string" },
  },
});
// Real runners, if `npm run drill:matrix` has installed them.
const runners = join(root, "node_modules", ".loopwright", "runners", "node_modules");
const packages = existsSync(runners) ? runners : join(root, "node_modules");
const load = (path) => import(new URL(`../dist/drill/random/${path}.js`, import.meta.url));

if (values.seed !== undefined) await replay(Number(values.seed));
else if (values.worker !== undefined) await work(Number(values.worker));
else await everything();

async function everything() {
  const started = Date.now();
  const lanes = Number(values.lanes);
  const rows = (await Promise.all(Array.from({ length: lanes }, (_, lane) => inLane(lane)))).flat();
  rows.sort((one, other) => one.seed - other.seed);
  const { summaryText, reasonsText, totalsOf } = await load("summary");
  const { violations } = totalsOf(rows);
  const summary = summaryText(rows);
  const minutes = Math.round((Date.now() - started) / 6000) / 10;
  process.stdout.write(`\n${reasonsText(rows)}\n\n${summary}\n${minutes} minutes.\n`);
  const missed = rows.filter(({ outcome, finding }) => outcome === "not-played" && finding.is !== "crashed");
  for (const { seed, finding } of missed) process.stdout.write(`not played: seed ${seed}: ${finding.why}\n`);
  for (const row of violations) process.stdout.write(violationText(row));
  if (values.write) writeFigures(summary);
  process.exitCode = violations.length === 0 && missed.length === 0 ? 0 : 1;
}

const violationText = ({ seed, stack, finding, operations }) =>
  `violation: seed ${seed} (${stack}): ${finding.why}\n${operations.map((one) => `  - ${one}\n`).join("")}  npm run drill:random -- --seed ${seed}\n`;

/** Between two markers, so that the text around them stays. */
function writeFigures(summary) {
  const path = join(root, "docs", "PROOF.md");
  const text = readFileSync(path, "utf8");
  const seeds = `Seeds ${values.from} to ${Number(values.from) + Number(values.seeds) - 1}:`;
  const next = text.replace(
    /(<!-- random: begin -->\n)[\s\S]*?(<!-- random: end -->)/,
    (_, begin, end) => `${begin}\n${seeds}\n\n${summary}\n\n${end}`,
  );
  if (next === text) process.stderr.write("docs/PROOF.md has no marks, or the same figures\n");
  else writeFileSync(path, next);
}

function inLane(lane) {
  const { seeds, from, lanes, stack } = values;
  const args = ["--worker", String(lane), "--seeds", seeds, "--from", from, "--lanes", lanes];
  if (stack !== undefined) args.push("--stack", stack);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const rows = [];
    let rest = "";
    child.stdout.on("data", (chunk) => {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      for (const row of lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line))) {
        rows.push(row);
        process.stdout.write(`seed ${row.seed} ${row.stack} ${row.outcome} ${row.finding.is}: ${row.finding.why}\n`);
      }
    });
    child.on("close", (code) => (code === 0 ? resolve(rows) : reject(new Error(`a lane ended with ${code}`))));
  });
}

async function work(lane) {
  const [from, seeds, lanes] = [values.from, values.seeds, values.lanes].map(Number);
  for (let seed = from; seed < from + seeds; seed += 1) {
    if (seed % lanes !== lane) continue;
    const { change, played, truth, ...row } = await inFolder((dir) => play(seed, dir));
    process.stdout.write(`${JSON.stringify(row)}\n`);
  }
  process.exit(0);
}

async function play(seed, dir) {
  const { playSeed } = await load("play-seed");
  return playSeed(seed, { dir, packages, ...(values.stack === undefined ? {} : { stack: values.stack }) });
}

async function inFolder(action) {
  const dir = mkdtempSync(join(tmpdir(), "loop-random-"));
  try {
    return await action(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function replay(seed) {
  await inFolder(async (dir) => {
    const { change, played, truth, finding, outcome, stack } = await play(seed, dir);
    const diff = spawnSync("git", ["-C", join(dir, "truth", "store"), "diff", "HEAD~1", "HEAD"], { encoding: "utf8" });
    const { tampered = {}, act, check } = change.case;
    process.stdout.write(
      [
        `seed ${seed}, ${stack}, ${change.committed ? "committed" : "left in the folder"}, check: ${check.run}`,
        ...change.operations.map((one) => `  - ${one}`),
        "",
        diff.stdout,
        ...Object.entries(tampered).map(([path, text]) => `outside of the commit: ${path}: ${JSON.stringify(text)}`),
        ...(act === undefined ? [] : [`commands: ${act}`]),
        ...(played?.runs ?? []).map((run) => `run ${run}`),
        `prover: ${outcome}: ${played?.why ?? ""}`,
        `truth: own tests ${truth?.own ? "pass" : "fail"}, original tests ${truth?.old ? "pass" : "fail"}, ${truth?.wrong ?? "?"} of ${truth?.points ?? "?"} hidden calls wrong`,
        `so: ${finding.is}: ${finding.why}`,
        "",
      ].join("\n"),
    );
    process.exitCode = ["violation", "crashed"].includes(finding.is) ? 1 : 0;
  });
  process.exit(process.exitCode);
}
