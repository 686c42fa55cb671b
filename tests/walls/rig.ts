// Whether this machine can confine processes; the tests of walls are skipped where it cannot.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryWalls } from "../../src/host/confine/trial.ts";

export const walls = await tryWalls(join(mkdtempSync(join(tmpdir(), "loop-trial-")), "walls.json"));
