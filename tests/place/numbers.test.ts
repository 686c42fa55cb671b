// The number of a feature names it in the inbox, in commits and in `loop undo`, so no two features of a workspace share one.
import { afterEach, expect, test, vi } from "vitest";
import type { Engine } from "../../src/engines/engine.ts";
import { openProject } from "../../src/index.ts";
import { Project } from "../support/project.ts";
import { builder, evaluator, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  vi.unstubAllEnvs();
  project?.remove();
  project = null;
});

const request = (name: string): string =>
  `Add a function ${name}() to src/${name.toUpperCase()}.js that returns its own name, with a test that is called like the file`;
/** Code without a test cannot be proved, so it is held. */
const untested = {
  role: "builder",
  feature: "F001",
  steps: [
    { do: "write", path: "src/F001.js", text: 'export const f001 = () => "F001";\n' },
    { do: "reply", reply: { status: "done", summary: "done" } },
  ],
};

/** The number that a program's next request would get. */
async function nextInLibrary(of: Project): Promise<string | undefined> {
  let planned: string | undefined;
  const begin: Engine["begin"] = async (beginning) => {
    if ("plan" in beginning) planned = beginning.plan.contract.features[0]?.id;
    throw new Error("planned");
  };
  const here = await openProject(of.root, { trust: true, engine: { begin } as Engine });
  await expect(here.begin({ request: request("f009") })).rejects.toThrow("planned");
  return planned;
}

test("a request gets a new number while the work of another run is held, and after it was cancelled", {
  timeout: 180_000,
}, async () => {
  const { "docs/FEATURES.json": _, ...files } = sampleFiles(
    [untested, builder("F002", 1, right("F002")), evaluator],
    [],
  );
  project = new Project(files, { place: "default" });
  const of = project;
  for (const [name, value] of Object.entries(of.env)) vi.stubEnv(name, value);
  expect((await of.loop("run", "--yes", request("f001"))).code).toBe(7);
  expect((await of.loop("inbox")).stdout).toContain("F001 (unproved)");
  const dry = await of.loop("run", "--dry-run", "--json", request("f002"));
  expect(JSON.parse(dry.stdout)).toMatchObject({ features: [{ id: "F002" }] });
  expect(await nextInLibrary(of)).toBe("F002");

  const cancelled = await of.loop("cancel", "--undo");
  expect(cancelled.code, cancelled.stderr).toBe(0);
  expect(cancelled.stdout).toContain("Nothing uncommitted was in its worktree.");
  const second = await of.loop("run", "--yes", request("f002"));
  expect(second.code, second.stderr).toBe(0);
  expect(of.git("log", "-1", "--format=%s")).toMatch(/^feat\(F002\)/);
});

test("planned features get new numbers while another run waits", { timeout: 120_000 }, async () => {
  const planned = { id: "F1", name: "Add f002()", description: "d", acceptance_criteria: ["f002() returns its name"] };
  const reply = { status: "done", summary: "one", features: [planned] };
  const { "docs/FEATURES.json": _, ...files } = sampleFiles(
    [{ role: "planner", steps: [{ do: "reply", reply }] }, evaluator],
    [],
  );
  project = new Project(files, { place: "default" });
  expect((await project.loop("run", request("f001"))).code).toBe(6);
  project.write({ "loop.yaml": `${project.read("loop.yaml")}stages: [plan, implement]\n` });
  project.git("commit", "--quiet", "--all", "--message", "stages");
  const second = await project.loop("run", request("f002"));
  expect(second.code, second.stderr).toBe(6);
  expect(JSON.parse((await project.loop("status", "--json")).stdout)).toMatchObject({ features: [{ id: "F002" }] });
});
