// A reporter for node:test that writes each test with its file and name, as JSON lines, to the file in LOOP_NAMES.
// A plain program, loaded by the workspace's node: any version from 18.15 on.
import { randomBytes } from "node:crypto";
import { openSync, writeSync } from "node:fs";
import { resolve } from "node:path";

// A hook that recognized this process as a test runner has removed the variable, so that tests do not pass it on.
const { to } = JSON.parse(globalThis[Symbol.for("loopwright.names")] ?? process.env.LOOP_NAMES ?? "{}");

export default async function* report(events) {
  if (to === undefined) return;
  const file = openSync(`${to}-node-${process.pid}-${randomBytes(6).toString("hex")}.jsonl`, "ax");
  const write = (line) => writeSync(file, `${JSON.stringify(line)}\n`);
  write({ runner: "node" });
  const open = [];
  for await (const { type, data } of events) {
    // Tests are reported in the order of their definition, each after the start of the enclosing ones.
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
  // node counts a file as a test: it says nothing when it passes; when it fails, the file could not be loaded.
  if (data.nesting === 0 && file !== null && resolve(data.name) === resolve(file))
    return passed ? null : { file, whole: true, how: "failed" };
  const is = (directive) => directive !== undefined && directive !== false;
  const how = is(data.skip) || is(data.todo) ? "skipped" : passed ? "passed" : "failed";
  const worksAnyway = passed && is(data.todo) && !is(data.skip) ? { worksAnyway: true } : {};
  return { file, name: [...open.slice(0, data.nesting), data.name], how, ...worksAnyway };
}
