// npm run bench: what the loop costs, as ratios of things that were measured beside each other in the same run.
// With --write the table goes to docs/BENCHMARKS.md, with --only just these rows of it. Another build can be measured with --dist <folder>.
import * as fs from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureCli } from "../scripts/agent-clis.mjs";
import { iterations } from "./iterations.mjs";
import { manyFeatures } from "./many-features.mjs";
import { manyFiles } from "./many-files.mjs";
import { makePlace } from "./place.mjs";
import { fixedTokens, prompts } from "./prompts.mjs";
import { resume } from "./resume.mjs";
import { status } from "./status.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    write: { type: "boolean" },
    only: { type: "string" },
    dist: { type: "string", default: join(root, "dist") },
  },
});
const dist = resolve(values.dist);
const loop = join(dist, "cli", "main.js");

const sections = {
  iteration: (place) => iterations(place, loop, { count: 8, seconds: 0, rounds: 5, warmUp: 1 }),
  "slow-agent": (place) => iterations(place, loop, { count: 3, seconds: 2, rounds: 1, warmUp: 0 }),
  resume: (place) => resume(place, dist, [100, 100_000]),
  status: (place) => status(place, loop),
  files: (place) => manyFiles(place, dist, 10_000),
  features: (place) => manyFeatures(place, dist, { features: [20, 100, 1000, 10_000], histories: [10, 1000] }),
  prompts: (place) => prompts(place, loop),
  "fixed-tokens": (place) => fixedTokens(place, dist, clis),
};
const only = values.only?.split(",") ?? Object.keys(sections);
for (const name of only) if (!Object.hasOwn(sections, name)) throw new Error(`no such section: ${name}`);

// Looked up while the person's own cache folder is still known.
const found = async (name) => (only.includes("fixed-tokens") ? (await ensureCli(name)).path : null);
const clis = { claude: await found("claude@2.1.325"), codex: await found("codex@0.166.0") };

const place = makePlace();
// What is measured inside this process must not find the person's own vault either.
for (const name of Object.keys(process.env)) if (!Object.hasOwn(place.env, name)) delete process.env[name];
Object.assign(process.env, place.env);

const rows = [];
try {
  for (const name of only) {
    process.stderr.write(`bench: ${name}\n`);
    rows.push(...(await sections[name](place)));
  }
} finally {
  place.remove();
}

const header = ["what", "ours", "beside it", "ratio"];
console.log(aligned([header, ...rows]));
if (values.write && values.only === undefined) {
  const text = `# Benchmarks

Written by \`npm run bench -- --write\` on ${new Date().toISOString().slice(0, 10)}, with ${availableParallelism()} cores and Node ${process.version}.
What is compared was measured in turns in the same run; a number is the median. The ratios travel better than the times.

${[header, header.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")}
`;
  fs.writeFileSync(join(root, "docs", "BENCHMARKS.md"), text);
}
// Measured apart, what is not a ratio can be put beside the rest: rows that are there already are replaced.
if (values.write && values.only !== undefined) {
  const path = join(root, "docs", "BENCHMARKS.md");
  const lines = fs.readFileSync(path, "utf8").trimEnd().split("\n");
  for (const row of rows) {
    const line = `| ${row.join(" | ")} |`;
    const at = lines.findIndex((each) => each.startsWith(`| ${row[0]} |`));
    if (at === -1) lines.push(line);
    else lines[at] = line;
  }
  fs.writeFileSync(path, `${lines.join("\n")}\n`);
}

function aligned(table) {
  const widths = header.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  "),
    )
    .join("\n");
}
