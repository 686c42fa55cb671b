// The machine of the measurements, without its name or any of its paths.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { median } from "./measure.mjs";

export function machineHere(place) {
  return {
    cpu: (cpus()[0]?.model ?? "unknown processor").replaceAll(/\s+/g, " ").trim(),
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: `${type()} ${release()}`,
    node: process.version,
    git: execFileSync("git", ["--version"], { encoding: "utf8" }).trim().replace("git version ", ""),
    syncMs: syncedWrite(place),
  };
}

/** How long the disk takes for one synced page: an iteration waits for some tens of these. */
function syncedWrite(place) {
  const dir = place.folder("sync");
  fs.mkdirSync(dir);
  const page = Buffer.alloc(4096, "x");
  const fd = fs.openSync(join(dir, "file"), "w");
  const times = Array.from({ length: 41 }, (_, at) => {
    const start = performance.now();
    fs.writeSync(fd, page, 0, page.length, at * page.length);
    fs.fdatasyncSync(fd);
    return performance.now() - start;
  });
  fs.closeSync(fd);
  return Number(median(times).toPrecision(2));
}

export const machineText = ({ cpu, cores, memoryGb, kernel, node, git, syncMs }) =>
  `${cpu}, ${cores} cores, ${memoryGb} GB of memory, ${kernel}, Node ${node}, git ${git}; a synced write of 4 KB takes ${syncMs} ms`;
