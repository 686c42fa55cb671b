// A reporter for node:test that writes each test with its file and name, as JSON lines, where LOOP_NAMES says.
// A plain program, loaded by the node of the workspace: any version from 18.15 on.
import { randomBytes } from "node:crypto";
import { openSync, writeSync } from "node:fs";
import { resolve } from "node:path";

// Where the hook knew this process for a test runner, it has taken the variable away from what the tests start.
const { to } = JSON.parse(globalThis[Symbol.for("loopwright.names")] ?? process.env.LOOP_NAMES ?? "{}");

export default async function* report(events) {
  if (to === undefined) return;
  const file = openSync(`${to}-node-${process.pid}-${randomBytes(6).toString("hex")}.jsonl`, "ax");
  const write = (line) => writeSync(file, `${JSON.stringify(line)}\n`);
  write({ runner: "node" });
  const open = [];
  for await (const { type, data } of events) {
    // Tests are reported in the order of their definition, each one after the start of those around it.
    if (type === "test:start") open.splice(data.nesting, open.length, data.name);
    if (type === "test:pass" || type === "test:fail") {
      const line = lineOf(type === "test:pass", data, open);
      if (line !== null) write(line);
    }
  }
  write({ end: true });
}

function lineOf(passed, data, open) {
  if (data.details?.type === "suite") return null;
  const file = data.file ?? null;
  // node counts a file as a test: one that says nothing when it passes, and that could not be loaded when it fails.
  if (data.nesting === 0 && file !== null && resolve(data.name) === resolve(file))
    return passed ? null : { file, whole: true, how: "failed" };
  const is = (directive) => directive !== undefined && directive !== false;
  const how = is(data.skip) || is(data.todo) ? "skipped" : passed ? "passed" : "failed";
  return { file, name: [...open.slice(0, data.nesting), data.name], how };
}
