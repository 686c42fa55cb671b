// --json: one shape for all commands.
import { afterEach, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project;
afterEach(() => project.remove());

type Json = Record<string, unknown>;

/** Keys that are not in camelCase, and numbers that look like a time. */
function strange(value: unknown, path = ""): string[] {
  if (typeof value === "number") return value > 1e12 ? [`${path}: ${value}`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => [
    ...(Array.isArray(value) || /^[a-z][A-Za-z0-9]*$/.test(key) ? [] : [`${path}.${key}`]),
    ...strange(below, `${path}.${key}`),
  ]);
}

test("watching an interrupted run begins with its state", { timeout: 60_000 }, async () => {
  const endless = [{ do: "sleep", ms: 60_000 }];
  project = new Project(sampleFiles([builder("F001", 1, endless)], [feature("F001")]));
  const child = project.start(["run", "--yes"]);
  const end = ended(child);
  await until("the session", () => project.events().some(({ type }) => type === "session-reserved"));
  child.kill("SIGKILL");
  await end;
  const [first = ""] = (await project.loop("watch", "--json")).stdout.split("\n");
  expect(JSON.parse(first)).toMatchObject({ type: "status", status: { state: "interrupted" } });
});

test("a run is a stream of lines, and every answer has the same shape", { timeout: 240_000 }, async () => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]));
  const of = project;
  const run = await of.loop("run", "--json", "--yes");
  const lines = run.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);
  expect(run.code, run.stderr).toBe(0);
  expect(lines.filter(({ version }) => version !== 1)).toEqual([]);
  expect(lines[0]).toMatchObject({ type: "status", status: { state: "running", done: 0 } });
  expect(lines.at(-1)).toMatchObject({ type: "end", exitCode: 0, state: "over", done: 1 });
  const events = lines.filter(({ type }) => type === "event");
  expect(events.map(({ event }) => (event as Json)["type"])).toEqual(
    expect.arrayContaining(["prepared", "session-ended", "proved", "committed", "filed"]),
  );
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => Number(events[0]?.["seq"]) + at));
  expect(events[0]?.["at"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(lines.flatMap((line) => strange(line))).toEqual([]);

  for (const args of [
    [],
    ["status"],
    ["show"],
    ["list"],
    ["report"],
    ["inbox"],
    ["read"],
    ["memory"],
    ["recover"],
    ["doctor"],
    ["score", "Add f002() to src"],
    ["export"],
    ["hook", "status"],
    ["schedule", "list"],
    ["serve", "--list"],
    ["run", "--dry-run", "Add f002() to src, which returns 2, with a test"],
    ["undo", "F001", "--yes"],
  ]) {
    const { code, stdout, stderr } = await of.loop(...args, "--json");
    const answer = JSON.parse(stdout) as Json;
    expect([args, answer], stderr).toEqual([args, expect.objectContaining({ version: 1, exitCode: code })]);
    expect([args, strange(answer)]).toEqual([args, []]);
  }
});

test("a command that only says something answers with its text; an error is one line, and said once", async () => {
  project = new Project({ "a.txt": "a" });
  const removed = await project.loop("schedule", "remove", "--json");
  expect(JSON.parse(removed.stdout)).toEqual({ version: 1, exitCode: 0, text: "No timer is installed.\n" });
  const script = JSON.parse((await project.loop("completion", "bash", "--json")).stdout) as Json;
  expect(script["text"]).toContain("# loop completion for bash.");
  const { code, stdout, stderr } = await project.loop("pause", "--json");
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, exitCode: code, error: { code: "no-such-run" } });
  expect(stderr).toBe("");
});
