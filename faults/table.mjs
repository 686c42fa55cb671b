// Writes what was injected, how often, and the results: the table of `npm run faults`, and docs/FAULTS.md.
import { readMutation } from "./mutation.mjs";
import { groups } from "./rows.mjs";

export function sweepTable(results) {
  const rows = results.map(({ id, what, trials, injected, violations, minutes }) => [
    id,
    what,
    number(trials),
    number(injected),
    number(violations),
    minutes.toFixed(1),
  ]);
  return table(["sweep", "what is injected", "trials", "injected", "violations", "minutes"], rows);
}

/** The faults that these sweeps injected, one by one, and the number of others documented. */
export function faultTable(results) {
  const ran = new Map(results.map((result) => [result.id, result]));
  const all = groups.flatMap(({ rows }) => rows);
  const injected = all.flatMap(({ id, sweep }) => {
    const result = ran.get(sweep);
    return result === undefined
      ? []
      : [[id, sweep, ...[result.injected, result.trials, result.violations].map(number)]];
  });
  const uncovered = all.filter(({ by = [], sweep }) => by.length === 0 && sweep === undefined).length;
  const rest = `Of ${all.length} faults ${uncovered} are not covered, each with the reason; the others have tests: docs/FAULTS.md`;
  return `${table(["fault", "sweep", "injected", "trials", "violations"], injected)}\n\n${rest}`;
}

export function mutationTable(entries) {
  const rows = entries.map(({ module, sampled, mutants, killed, timedOut, survived, noCoverage, score }) => [
    module,
    sampled,
    ...[mutants, killed, timedOut, survived, noCoverage].map(number),
    `${score.toFixed(1)} %`,
  ]);
  return table(["module", "run", "mutants", "killed", "timed out", "survived", "never run", "score"], rows);
}

function mutants(entries) {
  if (entries.length === 0) return [];
  return [
    "## Mutants",
    "",
    mutationTable(entries),
    "",
    "The code itself, broken in one place at a time (`npm run mutate`, [why and how](adr/0013-mutation.md)): the share of mutants that",
    "a test of the module notices. Texts for people are not mutated, nor is code that runs only once, when a module is loaded. The",
    "workspace has about 5,000 mutants and tests with real repositories, so it has not been run in full: the figures are for a sample,",
    "selected by the hash of a mutant's location, and no tests were written for its survivors beforehand.",
    "",
  ];
}

export function document(results, mutation = readMutation()) {
  const ran = new Map(results.map((result) => [result.id, result]));
  return [
    "# Faults",
    "",
    "What can go wrong, what must happen then, and which test shows it. Written by `npm run faults -- --write`, which runs every sweep;",
    "the figures are from the last run of each, on 2 cores. A sample of the same sweeps is part of `npm run test:long`.",
    "",
    "## Sweeps",
    "",
    sweepTable(results),
    "",
    "A trial is one run from start to end; injected is how many faults it actually met (a point that a run no longer reaches is",
    "not counted). The faults come from outside, through strace, at a system call of the loop's main process: the process is killed",
    "before the call takes effect, or the call fails. After every trial, these are checked from outside: the journal is readable and",
    "chained, and lost nothing; each feature has one commit, with the same files as in an undisturbed run, and a proof of exactly that",
    "tree; no session was started twice, and each was recorded first; the workspace is clean, on its branch; ignored files, files next",
    "to the project and the person's home are untouched; the secret in the environment is in no file; the two copies of the journal",
    "are equal; the run ended once; no process is left.",
    "",
    "`npm run test:long` has a hundred of the points where a run is killed and 500 seeds of the simulated world, and `npm test` another 500. A failing seed is",
    "printed with the command that replays it. Sweeps that take long or need agents run by name: `-- --only soak`, in which the loop's",
    "memory, descriptors and prompts must not grow ([results](soak.svg)), and `-- --only cast`. In the soak, iterations become",
    "slower: nothing runs `git gc` there, and the loop reads each of the thousands of loose objects.",
    "",
    ...mutants(mutation),
    ...groups.flatMap(({ group, rows }) => [
      `## ${group}`,
      "",
      table(
        ["fault", "what has to happen", "shown by"],
        rows.map((row) => [`**${row.id}** ${row.fault}`, row.ends, shownBy(row, ran)]),
      ),
      "",
    ]),
  ].join("\n");
}

function shownBy({ by = [], sweep, not }, ran) {
  const result = sweep === undefined ? undefined : ran.get(sweep);
  const figures =
    result === undefined ? [] : [`${number(result.injected)} in sweep ${result.id}, ${result.violations} violations`];
  const files = by.map((path) => `[${path.split("/").at(-1)?.replace(".test.ts", "")}](../${path})`);
  return [...figures, ...files, ...(not === undefined ? [] : [by.length === 0 ? `Not covered. ${not}` : not])].join(
    "; ",
  );
}

const number = (value) => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
