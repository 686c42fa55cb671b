// npm run compare -- --old <folder or .tgz>: plays the same scripted runs through an older build and through this one, and
// compares what they leave behind. --only names scenarios or groups, --json prints the answer for programs, --show prints
// what every command said and every fact, --lanes 1 plays one scenario at a time.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { differencesOf, reasonsFor, verdictOf } from "./compare/differences.mjs";
import { intended } from "./compare/intended.mjs";
import { factsOf } from "./compare/normal.mjs";
import { openBuild } from "./compare/old-build.mjs";
import { play } from "./compare/scenario.mjs";
import { scenarios } from "./compare/scenarios/index.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const usage = `Compares this build with an older one. To make that one, either:
  git worktree add ../loop-old COMMIT && (cd ../loop-old && npm install && npm run build)
  npm run compare -- --old ../loop-old
or, in a checkout of the older state:
  npm run build && npm pack
  npm run compare -- --old loopwright-0.1.0.tgz`;

const { values } = parseArgs({
  options: {
    old: { type: "string" },
    only: { type: "string" },
    json: { type: "boolean", default: false },
    show: { type: "boolean", default: false },
    lanes: { type: "string", default: "2" },
  },
});
const chosen = scenarios.filter(({ name }) => isChosen(name));
if (values.old === undefined) leave(usage);
if (chosen.length === 0)
  leave(`No scenario is called ${values.only}. There are: ${scenarios.map(({ name }) => name).join(", ")}`);
const old = openBuild(values.old);
if (old.problem !== undefined) leave(old.problem);

const started = Date.now();
const results = [];
try {
  const queue = chosen.values();
  const work = async () => {
    for (const scenario of queue) results.push(await compare(scenario));
  };
  await Promise.all(Array.from({ length: Number(values.lanes) }, work));
} finally {
  old.remove();
}
finish();

function isChosen(name) {
  const only = values.only?.split(",");
  return only === undefined || only.some((word) => name === word || name.startsWith(`${word}/`));
}

async function compare(scenario) {
  const [before, after] = [await play(old.dir, scenario), await play(root, scenario)];
  const [facts, now] = [factsOf(before), factsOf(after)];
  const differences = differencesOf(facts, now);
  const result = { scenario: scenario.name, result: verdictOf(scenario.name, differences, intended), differences };
  if (!values.json) print(result);
  if (values.show) show(after, now);
  else if (result.result === "differs" && !values.json) console.log(exitsText(before, after));
  return result;
}

function print({ scenario, result, differences }) {
  console.log(`${result.padEnd(8)}  ${scenario}`);
  for (const { fact, lines } of differences) {
    const meant = reasonsFor(scenario, { fact, lines }, intended);
    console.log(`  ${fact}${meant === null ? "" : ` (intended: ${meant.map(({ name }) => name).join(", ")})`}`);
    // What is explained is shown only on request: there is a lot of it.
    if (meant === null || values.show) for (const line of lines) console.log(`    ${line}`);
  }
}

/** The output of the first command that differs, in both builds: the quickest way to see what happened. */
function exitsText(before, after) {
  const at = before.exits.findIndex((line, index) => line !== after.exits[index]);
  if (at === -1) return "";
  const tail = (text) => text.trimEnd().split("\n").slice(-15).join("\n    ");
  return `  old\n    ${tail(before.said[at] ?? "")}\n  new\n    ${tail(after.said[at] ?? "")}`;
}

function show({ said }, facts) {
  for (const text of said) console.log(text.replaceAll(/^/gm, "    "));
  for (const [fact, lines] of Object.entries(facts)) console.log(`  ${fact}\n    ${lines.join("\n    ")}`);
}

function finish() {
  const count = (result) => results.filter((each) => each.result === result).length;
  const [same, differ, meant] = [count("same"), count("differs"), count("intended")];
  const seconds = Math.round((Date.now() - started) / 1000);
  if (values.json)
    console.log(JSON.stringify({ version: 1, same, differ, intended: meant, seconds, results }, null, 2));
  else console.log(`${explained()}${same} same, ${differ} differ, ${meant} intended (${seconds} s)`);
  process.exitCode = differ > 0 ? 1 : 0;
}

/** Every intended difference by name, with the number of scenarios that have it. */
function explained() {
  const rowsOf = ({ scenario, differences }) =>
    differences.flatMap((difference) => reasonsFor(scenario, difference, intended) ?? []);
  const lines = intended.map((row) => {
    const times = results.filter((result) => rowsOf(result).includes(row)).length;
    return `  ${row.name} (${row.fact}, ${times} scenarios): ${row.reason}\n`;
  });
  return `\nIntended differences:\n${lines.join("")}\n`;
}

function leave(text) {
  console.error(text);
  process.exit(64);
}
