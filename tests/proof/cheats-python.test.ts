// Further cheats in a Python project: not accepted, named for what they are, undone. Honest work between them: accepted.
import { afterEach, expect, test } from "vitest";
import { Stage } from "./cast.ts";
import { commandFor, files, findPytest, parts } from "./python.ts";

let stage: Stage | null = null;
afterEach(() => {
  stage?.project.remove();
  stage = null;
});

const python = findPytest();
if (python === null)
  process.stderr.write("tests/proof/cheats-python.test.ts: skipped, since no python3 here has pytest\n");
const command = commandFor(python ?? "python3");

test.skipIf(python === null)(
  "further cheats on a check of the run, committed by the agent itself, come to nothing",
  { timeout: 600_000 },
  async () => {
    const checks = `{ name: test, run: "${command}", timeout_s: 60 }`;
    stage = new Stage({ files, parts, checks, command, commits: true });
    const { code } = await stage.play();
    expect(code).toBe(7);
    expect(stage.project.read("pytest.ini")).toBe(files["pytest.ini"]);
  },
);
