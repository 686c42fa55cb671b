// A reporter for Vitest that writes each test with its file and name as JSON lines, to the file that the hook chose.
// A plain program, loaded by the workspace's vitest: any version from 0.34 on.
import { appendFileSync } from "node:fs";

const to = globalThis[Symbol.for("loopwright.report")];

export default class LoopReporter {
  /** Up to Vitest 2. */
  onFinished(files = []) {
    this.write(files);
  }

  /** From Vitest 3 on. */
  onTestRunEnd(modules = []) {
    this.write(modules.map((module) => module.task));
  }

  write(files) {
    if (to === undefined || this.written) return; // Vitest 3 calls both.
    this.written = true;
    const lines = [{ runner: "vitest" }, ...files.flatMap(linesOf), { end: true }];
    appendFileSync(to, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
}

function linesOf(file) {
  const tests = testsOf(file, []);
  const failed = file.result?.state === "fail" && !tests.some(({ how }) => how === "failed");
  const whole = failed ? [{ file: file.filepath, whole: true, how: "failed" }] : [];
  return [...whole, ...tests.map((test) => ({ file: file.filepath, ...test }))];
}

function testsOf(suite, groups) {
  return (suite.tasks ?? []).flatMap((task) => {
    const name = [...groups, task.name];
    return task.type === "suite" ? testsOf(task, name) : [{ name, how: endOf(task) }];
  });
}

/** A test that is expected to fail passes by failing: it says nothing, like a skipped one. */
function endOf(task) {
  if (task.result?.state === "fail") return "failed";
  return task.result?.state === "pass" && task.mode === "run" && !task.fails ? "passed" : "skipped";
}
