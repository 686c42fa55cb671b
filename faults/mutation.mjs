// Turns the reports of `npm run mutate` (.stryker/<module>.json) into the figures of faults/mutation.json.
//
//   node faults/mutation.mjs core proof        all mutants of these modules were run
//   node faults/mutation.mjs journal --sampled "1 of 3"
//   node faults/mutation.mjs journal --again second.json   timed-out mutants were run again; this report decides
import * as fs from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = new URL("../", import.meta.url);
const place = new URL("faults/mutation.json", root);

/** The figures of one report: mutants and their results. Ignored ones and ones that do not load do not count. */
export function figures(module, report, sampled = "all") {
  const mutants = Object.values(report.files).flatMap((file) => file.mutants);
  const count = (status) => mutants.filter((mutant) => mutant.status === status).length;
  const [killed, timedOut] = [count("Killed"), count("Timeout")];
  const [survived, noCoverage] = [count("Survived"), count("NoCoverage")];
  const all = killed + timedOut + survived + noCoverage;
  const score = all === 0 ? 0 : Math.round(((killed + timedOut) / all) * 1000) / 10;
  return { module, mutants: all, killed, timedOut, survived, noCoverage, score, sampled };
}

/** A busy machine causes timeouts too. For mutants that timed out in the first run, the second run counts. */
export function decidedAgain(report, again) {
  const second = new Map(
    Object.entries(again.files).flatMap(([path, { mutants }]) =>
      mutants.map((mutant) => [keyOf(path, mutant), mutant]),
    ),
  );
  const decided = (path, mutant) => (mutant.status === "Timeout" && second.get(keyOf(path, mutant))) || mutant;
  const files = Object.entries(report.files).map(([path, file]) => [
    path,
    { ...file, mutants: file.mutants.map((mutant) => decided(path, mutant)) },
  ]);
  return { ...report, files: Object.fromEntries(files) };
}

const keyOf = (path, { location, mutatorName, replacement }) =>
  JSON.stringify([path, location, mutatorName, replacement]);

export function readMutation() {
  return fs.existsSync(place) ? JSON.parse(fs.readFileSync(place, "utf8")) : [];
}

const options = { sampled: { type: "string" }, again: { type: "string" } };

function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const made = positionals.map((module) => {
    const report = JSON.parse(fs.readFileSync(new URL(`.stryker/${module}.json`, root), "utf8"));
    const again = values.again === undefined ? { files: {} } : JSON.parse(fs.readFileSync(values.again, "utf8"));
    return figures(module, decidedAgain(report, again), values.sampled);
  });
  const others = readMutation().filter(({ module }) => !positionals.includes(module));
  const all = [...others, ...made].sort((one, other) => one.module.localeCompare(other.module));
  fs.writeFileSync(place, `${JSON.stringify(all, null, 2)}\n`);
  for (const { module, score, mutants } of made) console.log(`${module}: ${score} % of ${mutants} mutants`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
