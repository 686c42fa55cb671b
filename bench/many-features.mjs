// Long queues and histories: the cost of an iteration apart from agents, checks and git, from selection to records.
import * as fs from "node:fs";
import { join } from "node:path";
import { median } from "./measure.mjs";
import { makeRepository } from "./place.mjs";
import { row } from "./results.mjs";

/** The shortest queue must be long enough for both. */
const [warmUp, measured] = [2, 7];

export async function manyFeatures(place, { dist }, { features, histories, rounds }) {
  const load = (path) => import(join(dist, path));
  const queue = histories.at(-1) + 2 * measured;
  const costs = await inTurns(features, rounds, (count) => perIteration(place, load, count, warmUp));
  const late = await inTurns(histories, 1, (history) => perIteration(place, load, queue, history));
  const n = (count) => count.toLocaleString("en");
  const [few] = features;
  const [early] = histories;
  return {
    rows: [
      ...features
        .slice(1)
        .map((count) =>
          row(`with ${n(count)} features in the queue, against ${n(few)}`, "ms", costs[count], costs[few]),
        ),
      ...histories
        .slice(1)
        .map((count) => row(`after ${n(count)} iterations, against after ${n(early)}`, "ms", late[count], late[early])),
    ],
    plots: [
      {
        name: "features",
        title: "Selection, journal and records of one iteration, by the length of the queue",
        x: { label: "features in the queue", log: true },
        y: { label: "ms" },
        lines: [{ name: "one iteration", points: features.map((count) => [count, costs[count]]) }],
      },
    ],
    notes: [growth(costs, few, features.at(-1))],
  };
}

function growth(costs, few, many) {
  const added = ((costs[many] - costs[few]) / (many - few)) * 1000;
  const said = added < 0.1 ? "less than that can be told" : `${added.toFixed(1)} ms`;
  return `What grows is docs/FEATURES.json itself, which is written whole once an iteration, so that a crash leaves the old or the new: a thousand features more add ${said}.`;
}

/** Every size once per round, so that other load affects all of them; the median of all iterations counts. */
async function inTurns(sizes, rounds, act) {
  const times = Object.fromEntries(sizes.map((size) => [size, []]));
  for (let round = 0; round < rounds; round++) for (const size of sizes) times[size].push(...(await act(size)));
  return Object.fromEntries(Object.entries(times).map(([size, all]) => [size, median(all)]));
}

async function perIteration(place, load, count, history) {
  const { beginRun } = await load("engines/local/open.js");
  const { planRun } = await load("project/plan/plan-run.js");
  const { runFiles } = await load("project/runs/home.js");
  const { workspaceDisk } = await load("project/place/workspace-disk.js");
  const { readFeatures, featuresOnSuccess } = await load("runtime/inputs.js");
  const { repairGuarded } = await load("runtime/records/guard.js");
  const root = makeQueue(place, count);
  const held = await beginRun(root, {
    planned: planRun({ root, request: null, flags: {}, yesReally: true }),
    kind: "git",
  });
  const { run } = held;
  const ports = { files: runFiles(run.home.dir), disk: workspaceDisk(root) };
  let hashes = 0;
  const hash = () => (++hashes).toString(16).padStart(40, "0");
  let head = hash();
  const mark = () => ({ checkpoint: `c${++hashes}`, tree: hash(), head });
  await run.record({ type: "prepared", mark: mark(), baseline: [], seal: "seal" });
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 };
  const session = async (reply) => {
    const id = `s${++hashes}`;
    await run.record({ type: "session-reserved", session: id });
    ports.files.write(`sessions/${id}/result.json`, "{}", "derived");
    await run.record({ type: "session-ended", session: id, ending: { how: "replied", reply }, usage, editsMax: null });
  };
  const iteration = async () => {
    await run.record({ type: "observed", features: readFeatures(run.story.run, ports) });
    await run.record({ type: "checkpointed", mark: mark() });
    const { feature } = run.story.run.now.work;
    await session({ kind: "made", status: "done", summary: "done" });
    const violations = repairGuarded(ports, "docs");
    featuresOnSuccess(run.story.run, feature, ports);
    const candidate = hash();
    await run.record({ type: "collected", candidate, changed: 1, violations, moved: null });
    await run.record({ type: "proved", candidate, proof: hash(), grade: "strong", checks: [], failures: [] });
    const criteria = [0, 1].map((criterion) => ({ criterion, met: true, verification: "observation" }));
    await session({ kind: "judged", pass: true, summary: "ok", rootCause: null, criteria });
    head = hash();
    if (run.story.run.now.is !== "committing") throw new Error(`it is ${run.story.run.now.is}`);
    await run.record({ type: "committed", commit: head });
  };
  for (let at = 0; at < history; at++) await iteration();
  const times = [];
  for (let at = 0; at < measured; at++) {
    const start = performance.now();
    await iteration();
    times.push(performance.now() - start);
  }
  await held.close();
  fs.rmSync(root, { recursive: true });
  return times;
}

function makeQueue(place, count) {
  const features = Array.from({ length: count }, (_, at) => ({
    id: `F${String(at + 1).padStart(5, "0")}`,
    name: `Feature number ${at + 1}`,
    priority: at % 4,
    status: "not-started",
    description: "What it is about, in a sentence or two, as people write it. ".repeat(2),
    acceptance_criteria: [`file ${at + 1} is there`, `file ${at + 1} says ok`],
    dependencies: at % 10 === 0 ? [] : [`F${String(at - (at % 10) + 1).padStart(5, "0")}`],
  }));
  return makeRepository(place, "queue", {
    "loop.yaml": `agents: { maker: { kind: command, command: [sh, agent.sh], cost_usd: 0 } }
checks: [{ name: test, run: "true" }]
limits: { iterations: 100000, commits: 100000 }
`,
    "agent.sh": "true\n",
    "docs/FEATURES.json": `${JSON.stringify({ version: 1, features }, null, 2)}\n`,
  });
}
