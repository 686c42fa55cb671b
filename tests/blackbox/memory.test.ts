// Memory and habits across several runs in one workspace, through the real command line.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const says = (learned: unknown) => ({ do: "reply", reply: { status: "done", summary: "done", learned } });
const ids = ["F001", "F002", "F003"];

/** One feature per run: the one in the queue, or the one that each run requests. */
function workspace(learned: unknown, features: readonly object[] = [feature("F001")]): Project {
  const scenes = [
    builder("F001", 1, [...lie.slice(0, 1), says(["Lies are worth keeping."])]),
    builder("F001", 2, [...right("F001").slice(0, -1), says(learned)]),
    ...["F002", "F003"].map((id) => builder(id, 1, [...right(id).slice(0, -1), says(learned)])),
    evaluator,
  ];
  const made = new Project(sampleFiles(scenes, features));
  project = made;
  return made;
}

const memoryFile = (of: Project): string => join(dirname(dirname(of.runs()[0] ?? "")), "memory.json");

test("notes from proved work are kept, counted and forgotten; the third similar request is called a habit", {
  timeout: 120_000,
}, async () => {
  const of = workspace(["The tests are started by run-tests.sh.", `token ghp_${"aB3dE5fG7h".repeat(4)}`, 7], []);
  const endings: string[] = [];
  for (const id of ids) {
    const request = `Add a function ${id.toLowerCase()}() to the library in src/${id}.js that returns its own name.`;
    const { code, stdout, stderr } = await of.loop("run", request, "--yes");
    expect(code, stdout + stderr).toBe(0);
    endings.push(stdout);
  }
  expect(endings.map((text) => text.includes("request like this"))).toEqual([false, false, true]);
  expect(endings[2]).toContain("This is the 3rd request like this. The steps are in `loop show ");
  const report = await of.loop("report", "--json");
  expect(JSON.parse(report.stdout)).toMatchObject({ alike: 3, reportHtml: expect.stringMatching(/report\.html$/) });

  const listed = await of.loop("memory");
  expect(listed.stdout).toMatch(/ learned .* 3 runs +The tests are started by run-tests\.sh\./);
  expect(listed.stdout).not.toContain("Lies are worth keeping");
  expect(fs.readFileSync(memoryFile(of), "utf8")).not.toContain("ghp_");
  // The third run began with the notes of the first two.
  expect(fs.readFileSync(join(of.runs().at(-1) ?? "", "memory.json"), "utf8")).toContain('"seen": 2');

  const nonsense = await of.loop("memory", "--forget", "77");
  expect([nonsense.code, nonsense.stderr]).toEqual([64, expect.stringContaining("is not the number of a note")]);
  expect((await of.loop("memory", "--forget", "1")).stdout).toMatch(/^Forgot 1 note/);
  await of.loop("memory", "--forget", "all");
  expect((await of.loop("memory")).stdout).toBe("Nothing has been learned here yet.\n");
});

test.each([
  { what: "garbage", text: "{ not json" },
  { what: "of a later version", text: '{"version": 9, "entries": [], "new": true}' },
])("a memory that is $what does not stop a run, and is not lost", { timeout: 60_000 }, async ({ text }) => {
  const of = workspace(["A fact worth keeping."]);
  await of.loop("run", "--iterations", "1");
  const place = memoryFile(of);
  fs.writeFileSync(place, text);
  const { stdout, stderr } = await of.loop("memory");
  expect([stdout, stderr]).toEqual(["Nothing has been learned here yet.\n", expect.stringContaining("cannot be read")]);
  const { code } = await of.loop("continue", "--iterations", "5");
  expect(code).toBe(0);
  expect(fs.readFileSync(`${place}.unreadable`, "utf8")).toBe(text);
  expect((await of.loop("memory")).stdout).toContain("A fact worth keeping.");
});
