// The long sweeps: the same tests as in `npm test`, with far more seeds and sequences. SEEDS, FC_RUNS and PROPERTY_RUNS change how many.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const env = { SEEDS: "100000", FC_RUNS: "20000", PROPERTY_RUNS: "500", ...process.env };
const suites = [
  "tests/simulation",
  "src/core/run.property.test.ts",
  "src/workspace/git/restore.property.test.ts",
  "tests/blackbox/kill.test.ts",
];
const { status } = spawnSync("npx", ["vitest", "run", "--testTimeout=2400000", ...suites], {
  cwd: root,
  env,
  stdio: "inherit",
});
process.exit(status ?? 1);
