// The cost of a proof, as a multiple of one plain test run: by depth, in small and large repositories, with short and
// long suites, for accepted and for refused work. And how fast a clean checkout is ready.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { median, timed } from "./measure.mjs";
import { makeRepository, write } from "./place.mjs";
import { row } from "./results.mjs";

const command = "node --test --test-concurrency=1";

/** `suites`: how many files the repository has, and how long its tests take: `{ files, tests, seconds, rounds }`. */
export async function proof(place, { dist }, suites) {
  const rows = [];
  for (const suite of suites) rows.push(...(await suiteRows(place, dist, suite)));
  return {
    rows: [...rows, ...(await roomRows(place, dist))],
    notes: [
      "The plain run is the test command in the person's own folder. The suite's time is that of its tests, which sleep; the runner can select files, so the runs after the first take the files of the new tests alone. What the base showed is known from the proof before it, or from the beginning of the run, and is not counted here; the opening of a run says how long that takes.",
    ],
  };
}

async function suiteRows(place, dist, suite) {
  const { files, tests, seconds, rounds } = suite;
  const what = `${tests} tests of ${seconds} s each, ${files.toLocaleString("en")} files`;
  const measured = { plain: [], quick: [], standard: [], refused: [] };
  for (let round = 0; round < rounds; round++) {
    const root = project(place, suite);
    measured.plain.push(timed("sh", ["-c", command], { cwd: root, env: place.env }));
    for (const [name, depth, change] of [
      ["quick", "quick", honest],
      ["standard", "standard", honest],
      ["refused", "standard", broken],
    ])
      measured[name].push(await proveOnce(place, dist, root, { depth, change, isRefused: name === "refused" }));
    fs.rmSync(root, { recursive: true });
  }
  const plain = median(measured.plain);
  return [
    row(`a proof, quick (${what}), against one plain run`, "ms", median(measured.quick), plain),
    row(`a proof, standard (${what}), against one plain run`, "ms", median(measured.standard), plain),
    row(`a refusal (${what}), against one plain run`, "ms", median(measured.refused), plain),
  ];
}

/** A small library, its tests, and the given number of other files. */
function project(place, { files, tests, seconds }) {
  const names = Array.from({ length: tests }, (_, at) => `part${at + 1}`);
  return makeRepository(place, "proved", {
    "package.json": `${JSON.stringify({ name: "bench", type: "module", scripts: { test: command } }, null, 2)}\n`,
    ...Object.fromEntries(
      names.map((name, at) => [`src/${name}.js`, `export const ${name} = (value) => value + ${at + 1};\n`]),
    ),
    ...Object.fromEntries(names.map((name, at) => [`tests/${name}.test.js`, testText(name, `${at + 3}`, seconds)])),
    ...others(files - 2 * tests - 1),
  });
}

const testText = (name, expected, seconds) => `import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ${name} } from "../src/${name}.js";

test("${name} adds its number", async () => {
  await sleep(${seconds * 1000});
  assert.equal(${name}(2), ${expected});
});
`;

const others = (count) =>
  Object.fromEntries(
    Array.from({ length: Math.max(0, count) }, (_, at) => [
      `docs/part-${Math.floor(at / 500)}/folder-${Math.floor(at / 50)}/file-${at}.txt`,
      `file ${at}\n${"a line of text\n".repeat(20)}`,
    ]),
  );

const honest = {
  "src/twice.js": "export function twice(value) {\n  return value * 2;\n}\n",
  "tests/twice.test.js": testText("twice", "4", 0),
};
const broken = { ...honest, "src/part1.js": "export const part1 = (value) => value - 1;\n" };

async function proveOnce(place, dist, root, { depth, change, isRefused }) {
  const { openWorkspace, proofTools, makeProver, runFiles, defaultProofTerms } = await parts(dist);
  const dir = place.folder("proof");
  fs.mkdirSync(dir);
  const workspace = await openWorkspace({ root, vaultDir: join(dir, "vault"), kind: "git" });
  const tools = await proofTools({
    workspace,
    vaultDir: join(dir, "vault"),
    files: runFiles(join(dir, "files")),
    recordsDir: "docs",
  });
  const cut = new AbortController().signal;
  const checks = [{ name: "test", run: command, must: "stay-green", timeoutMs: 600_000, tests: [] }];
  const contract = { checks, proof: { ...defaultProofTerms, depth }, scope: noScope };
  try {
    const prover = makeProver(tools);
    const before = await workspace.checkpoint("before");
    await prover.baseline({ contract, tree: before.tree }, cut);
    write(root, change);
    const candidate = await workspace.tree();
    const since = performance.now();
    const proved = await prover.prove({ contract, feature, base: before.tree, candidate, label: "F001-i1" }, cut);
    const took = performance.now() - since;
    const wanted = isRefused ? proved.failures.length > 0 : proved.grade === "strong";
    if (!wanted) throw new Error(`a ${depth} proof came to ${proved.grade}: ${proved.missing.join(" ")}`);
    return took;
  } finally {
    await tools.rooms.dispose();
    place.git(root, "reset", "-q", "--hard");
    place.git(root, "clean", "-fdq");
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

const noScope = { mayTouch: [], mustNot: [], mayChange: [], include: null, exclude: [] };
const feature = {
  id: "F001",
  name: "twice a value",
  priority: 1,
  status: "not-started",
  description: "",
  criteria: ["twice(value) is twice the value"],
  dependencies: [],
  checks: [],
  mayTouch: [],
  designDoc: null,
  kind: "change",
  mayChange: [],
  enough: "proof",
};

const dependenciesMb = 300;

/** A clean checkout with 300 MB of installed packages, compared with a copy of them. */
async function roomRows(place, dist) {
  const { openWorkspace, proofTools, runFiles, defaultProofTerms } = await parts(dist);
  const root = project(place, { files: 50, tests: 3, seconds: 0 });
  fs.writeFileSync(join(root, ".git", "info", "exclude"), "node_modules\n");
  const bytes = Buffer.alloc(100 << 10, "x");
  for (let at = 0; at < dependenciesMb * 10; at++) {
    const folder = join(root, "node_modules", `package-${at % 300}`);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(join(folder, `file-${at}.js`), bytes);
  }
  const dir = place.folder("rooms");
  const workspace = await openWorkspace({ root, vaultDir: join(dir, "vault"), kind: "git" });
  const { rooms } = await proofTools({
    workspace,
    vaultDir: join(dir, "vault"),
    files: runFiles(join(dir, "files")),
    recordsDir: "docs",
  });
  const cut = new AbortController().signal;
  const tree = await workspace.tree();
  const [ready, copied] = [[], []];
  try {
    const kept = await rooms.keep(tree, defaultProofTerms, cut);
    for (let round = 0; round < 7; round++) {
      const since = performance.now();
      const order = { name: `bench-${round}`, tree, dependencies: { of: "base" }, terms: defaultProofTerms };
      const room = await rooms.open(order, cut);
      ready.push(performance.now() - since);
      await room.close();
      const to = place.folder("copy");
      const start = performance.now();
      const { status } = spawnSync("cp", ["-a", join(root, "node_modules"), to]);
      if (status !== 0) throw new Error("cp failed");
      copied.push(performance.now() - start);
      fs.rmSync(to, { recursive: true });
    }
    return [
      row(
        `a clean checkout with ${dependenciesMb} MB of packages (${rooms.kind}), against a copy of them`,
        "ms",
        median(ready.slice(1)),
        median(copied.slice(1)),
      ),
      row(
        `keeping those packages once, at the beginning of a run, against a copy of them`,
        "ms",
        kept.ms,
        median(copied),
      ),
    ];
  } finally {
    await rooms.dispose();
    for (const each of [root, dir]) fs.rmSync(each, { recursive: true, force: true });
  }
}

async function parts(dist) {
  const load = (path) => import(pathToFileURL(join(dist, path)).href);
  const [{ openWorkspace }, { proofTools }, { makeProver }, { runFiles }, { defaultProofTerms }] = await Promise.all([
    load("workspace/open.js"),
    load("project/proofs/prover.js"),
    load("proof/make-prover.js"),
    load("project/runs/home.js"),
    load("core/contract.js"),
  ]);
  return { openWorkspace, proofTools, makeProver, runFiles, defaultProofTerms };
}
