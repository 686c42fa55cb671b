// Loaded into a `loop run` that is traced: counts how often it opens each configuration file of the person's folder before the
// journal has its first event. Only this process is counted, none that it starts.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname } from "node:path";

const { TRACE_FILE: file, TRACE_ROOT: root } = process.env;
for (const name of ["NODE_OPTIONS", "NODE_V8_COVERAGE", "TRACE_FILE", "TRACE_ROOT"]) delete process.env[name];

const counted = ["loop.yaml", "FEATURES.json", "LOOP.md", "SHAPE.md"];
const reads = Object.fromEntries(counted.map((name) => [name, 0]));
const readers = [];
let hasBegun = false;
let isInside = false;

function seen(path) {
  if (typeof path !== "string") return;
  if (basename(path) === "events.jsonl") hasBegun = true;
  const isTheirs = [root, `${root}/docs`, `${root}/.loop/shape`].includes(dirname(path));
  if (hasBegun || !isTheirs || !(basename(path) in reads) || !fs.existsSync(path)) return;
  reads[basename(path)] += 1;
  readers.push(`${basename(path)}${new Error().stack.replace(/^Error.*\n.*\n.*\n/, "\n")}`);
}

for (const verb of ["openSync", "readFileSync"]) {
  const real = fs[verb];
  fs[verb] = (path, ...rest) => {
    // Reading a whole file opens it: that is one read.
    if (!isInside) seen(path);
    const before = isInside;
    isInside = true;
    try {
      return real(path, ...rest);
    } finally {
      isInside = before;
    }
  };
}
syncBuiltinESMExports();
process.on("exit", () => fs.writeFileSync(file, JSON.stringify({ reads, readers })));
