// npm run faults: every sweep in its full length, with a table at the end. A single violation makes it fail.
// --write puts the figures into docs/FAULTS.md, --table writes that page alone, --only names sweeps, --part 0.1 runs a tenth of
// each, and --phase 0.5 takes other points.
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { inParallel } from "../faults/crash-sweep.mjs";
import { straceMissing } from "../faults/strace.mjs";
import {
  crashChain,
  crashIndex,
  crashOnce,
  crashRecovery,
  ioIndex,
  ioSpread,
  prepare,
  runIo,
  runSimulation,
  runSoak,
  runTests,
  runTrials,
} from "../faults/sweeps.mjs";
import { document, faultTable, sweepTable } from "../faults/table.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    write: { type: "boolean" },
    table: { type: "boolean" },
    only: { type: "string" },
    part: { type: "string", default: "1" },
    phase: { type: "string", default: "0" },
  },
});
const phase = Number(values.phase);
const some = (full) => Math.max(2, Math.round(full * Number(values.part)));
const seeds = some(Number(process.env.SEEDS ?? 100_000));
const processTests = ["tests/faults/processes.test.ts", "tests/faults/clock.test.ts", "src/host/process"];

const sweeps = [
  {
    id: "crash-once",
    what: "kill -9 at one call, spread over all of a run of three features",
    run: (at, tell) => runTrials(at, crashOnce(at, some(50), phase), "once", tell),
  },
  {
    id: "crash-index",
    what: "kill -9 at each call about the person's index",
    run: (at, tell) => runTrials(at, crashIndex(at), "index", tell),
  },
  {
    id: "crash-chain",
    what: "kill -9 eight times in a run",
    run: (at, tell) => runTrials(at, crashChain(at, some(112)), "chain", tell),
  },
  {
    id: "crash-recovery",
    what: "kill -9, and again while it recovers",
    run: (at, tell) => runTrials(at, crashRecovery(at, some(30)), "recovery", tell),
  },
  {
    id: "io",
    what: "ENOSPC, EIO, EROFS, EACCES, EMFILE, EAGAIN at one call, once or from then on",
    run: (at, tell) => runIo(at, [...ioSpread(at, some(60)), ...ioIndex(at)], tell),
  },
  {
    id: "simulation",
    what: "a seed of the simulated world: deaths, lies, people",
    run: () => runSimulation(seeds),
  },
  {
    id: "core",
    isOneCore: true,
    what: "any order of events",
    run: () => runTests(["src/core/run.property.test.ts"], { FC_RUNS: String(some(10_000)) }, some(10_000)),
  },
  {
    id: "roll-back",
    isOneCore: true,
    what: "any sequence of changes to files, then a roll-back",
    run: () =>
      runTests(["src/workspace/git/files/restore.property.test.ts"], { PROPERTY_RUNS: String(some(500)) }, some(500)),
  },
  {
    id: "journal",
    isOneCore: true,
    what: "torn and flipped bytes at every offset, writers killed at random",
    run: () => runTests(["src/journal"], {}),
  },
  {
    id: "fuzz",
    isOneCore: true,
    what: "any text, to every parser",
    run: () => runTests(["tests/fuzz"], { FUZZ_RUNS: String(some(2000)) }, some(2000)),
  },
  {
    id: "soak",
    what: "a run of 1,000 iterations: memory, descriptors, prompts",
    isExtra: true,
    run: () => runSoak(some(1000), (text) => fs.writeFileSync(join(root, "docs", "soak.svg"), text)),
  },
  {
    id: "cast",
    what: "every cheat of the drill in two languages, committed and not, and the hooks of an older claude",
    isExtra: true,
    run: () => runTests(["tests/proof/cast", "tests/drill", "tests/agents/hook.test.ts"], { THOROUGH: "1" }),
  },
  {
    id: "serve",
    isOneCore: true, // It mostly waits.
    what: "kill -9 of the server at any moment of firing, starting and finishing runs, or of its own start",
    run: () => runTests(["tests/serve/kill.test.ts"], { SERVE_KILLS: String(some(200)) }, some(200)),
  },
  {
    id: "processes",
    isOneCore: true, // It mostly waits.
    what: "agents that will not go, loops that go badly",
    run: () => runTests(processTests, {}),
  },
];

if (values.table) {
  keep([]);
  process.exit(0);
}
const missing = straceMissing();
if (missing !== null) {
  console.error(`The sweeps cannot run: ${missing}. Then run the same command again.`);
  process.exit(1);
}
const only = values.only?.split(",") ?? sweeps.filter(({ isExtra }) => isExtra !== true).map(({ id }) => id);
for (const id of only) if (!sweeps.some((sweep) => sweep.id === id)) throw new Error(`no such sweep: ${id}`);

const place = await prepare(3);
console.error(`The undisturbed run makes ${place.calls.length} calls at which it can be killed.`);
const results = [];
const chosen = sweeps.filter((sweep) => only.includes(sweep.id));
for (const sweep of chosen.filter(({ isOneCore }) => isOneCore !== true)) await measure(sweep);
// One test file keeps one core busy: two at a time.
await inParallel(
  chosen.filter(({ isOneCore }) => isOneCore === true),
  2,
  measure,
);
place.remove();
console.log(`${faultTable(results)}\n\n${sweepTable(results)}`);
process.exit(results.some(({ violations }) => violations > 0) ? 1 : 0);

async function measure({ id, what, run }) {
  const began = performance.now();
  const { trials, injected, violations } = await run(place, (done, of, found) => {
    for (const text of found) console.error(`VIOLATION ${text}`);
    if (done % 50 === 0) console.error(`${id}: ${done} of ${of}`);
  });
  const minutes = Math.round((performance.now() - began) / 6000) / 10;
  results.push({ id, what, trials, injected, violations: violations.length, minutes });
  console.error(`${id}: ${injected} injected, ${violations.length} violations, ${minutes} minutes`);
  for (const text of violations) console.error(`VIOLATION ${text}`);
  if (values.write) keep(results);
}

/** Sweeps that were not run keep the figures of their last run. */
function keep(fresh) {
  const path = join(root, "faults", "figures.json");
  const kept = fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, "utf8")) : [];
  const all = sweeps.flatMap(
    ({ id }) => [fresh, kept].map((some) => some.find((one) => one.id === id)).find(Boolean) ?? [],
  );
  fs.writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
  fs.writeFileSync(join(root, "docs", "FAULTS.md"), document(all));
}
