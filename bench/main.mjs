// npm run bench: what the loop costs, as ratios of things measured side by side in the same run. With --write the page,
// its pictures and results.json are updated; --only measures just these sections, and the others stay unchanged. --draw
// measures nothing and redraws the page. --dist <folder> measures another build.
import * as fs from "node:fs";
import { loadavg } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureCli } from "../scripts/agent-clis.mjs";
import { machineHere, machineText } from "./machine.mjs";
import { cellsOf, pageOf } from "./page.mjs";
import { makePlace } from "./place.mjs";
import { merged, readResults, writeResults } from "./results.mjs";
import { sections } from "./sections.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    write: { type: "boolean" },
    draw: { type: "boolean" },
    only: { type: "string" },
    dist: { type: "string", default: join(root, "dist") },
  },
});
const dist = resolve(values.dist);
const ids = sections.map(({ id }) => id);
const only = values.draw ? [] : (values.only?.split(",") ?? ids);
if (values.write && dist !== join(root, "dist"))
  throw new Error("the page is about this build: --write does not go with --dist");
for (const id of only) if (!ids.includes(id)) throw new Error(`no such section: ${id}; there are ${ids.join(", ")}`);

const fresh = only.length === 0 ? {} : await measureAll();
if (values.write || values.draw) writePage(writeResults(merged(readResults(), fresh)));

async function measureAll() {
  // Looked up while the person's own cache folder is still known.
  const needCli = only.includes("fixed-tokens") || only.includes("walls");
  const found = async (name) => (needCli ? (await ensureCli(name)).path : null);
  const clis = { claude: await found("claude@2.1.325"), codex: await found("codex@0.166.0") };
  const place = makePlace();
  // Measurements inside this process must not find the person's own vault either.
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(place.env, name)) delete process.env[name];
  Object.assign(process.env, place.env);
  const stop = () => {
    place.remove();
    process.exit(1);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop);
  try {
    const machine = machineHere(place);
    console.log(machineText(machine));
    const measured = {};
    for (const { id, title, measure } of sections.filter((section) => only.includes(section.id))) {
      const [start, [load]] = [performance.now(), loadavg()];
      const result = await measure(place, { dist, loop: join(dist, "cli", "main.js"), clis });
      measured[id] = { at: new Date().toISOString(), machine, load, ...result };
      console.log(
        `\n${title} (${Math.round((performance.now() - start) / 1000)} s)\n${aligned(result.rows.map(cellsOf))}`,
      );
    }
    return measured;
  } finally {
    place.remove();
  }
}

function writePage(results) {
  const files = pageOf(results, sections);
  for (const [path, text] of Object.entries(files)) {
    const to = join(root, "docs", path);
    fs.mkdirSync(dirname(to), { recursive: true });
    fs.writeFileSync(to, text);
  }
}

function aligned(rows) {
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  "),
    )
    .join("\n");
}
