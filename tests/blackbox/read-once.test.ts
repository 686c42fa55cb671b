// What is agreed to, shown and begun comes from one reading: a run opens each configuration file once before it begins.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

test("loop.yaml and the work queue are read once", { timeout: 120_000 }, () => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]));
  const counted = join(project.dir, "reads.json");
  execFileSync(process.execPath, [fileOf("../../dist/cli/main.js"), "run", "--trust"], {
    cwd: project.root,
    env: {
      ...project.env,
      NODE_OPTIONS: `--import=${fileOf("../../scripts/trace/count-reads.mjs")}`,
      TRACE_FILE: counted,
      TRACE_ROOT: project.root,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const { reads, readers } = JSON.parse(readFileSync(counted, "utf8"));
  expect(reads, readers.join("\n\n")).toMatchObject({ "loop.yaml": 1, "FEATURES.json": 1 });
});
