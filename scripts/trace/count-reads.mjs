// Loaded into a `loop run` that is traced: counts how often it opens each configuration file of the person's folder before the
// journal has its first event. Only this process is counted, none that it starts.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname } from "node:path";

const { TRACE_FILE: file, TRACE_ROOT: root } = process.env;
for (const name of ["NODE_OPTIONS", "NODE_V8_COVERAGE", "TRACE_FILE", "TRACE_ROOT"]) delete process.env[name];

const counted = ["loop.yaml", "FEATURES.json", "LOOP.md", "SHAPE.md"];
const reads = Object.fromEntries(counted.map((name) => [name, 0]));
let hasBegun = false;

function seen(path) {
  if (typeof path !== "string") return;
  if (basename(path) === "events.jsonl") hasBegun = true;
  const isTheirs = [root, `${root}/docs`, `${root}/.loop/shape`].includes(dirname(path));
  if (!hasBegun && isTheirs && basename(path) in reads && fs.existsSync(path)) reads[basename(path)] += 1;
}

for (const verb of ["openSync", "readFileSync"]) {
  const real = fs[verb];
  fs[verb] = (path, ...rest) => {
    seen(path);
    return real(path, ...rest);
  };
}
syncBuiltinESMExports();
process.on("exit", () => fs.writeFileSync(file, JSON.stringify({ reads })));
