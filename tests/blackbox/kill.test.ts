// kill -9 at any moment, then `loop continue`: the same commits, no session paid twice, no process left.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { eventful } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const commits = (of: Project): string[] => of.git("log", "--format=%s|%T", "--grep=^feat").split("\n");
const paid = (of: Project): string[] => fs.readFileSync(join(of.home, "paid.log"), "utf8").trim().split("\n");

test("undisturbed, the run commits two features despite a false claim and a tampered test", {
  timeout: 120_000,
}, async () => {
  project = new Project(eventful());
  const { code, stderr } = await project.loop("run");
  expect(stderr).toContain("nothing had changed");
  expect(stderr).toContain("passes only with the protected files that were changed");
  expect(code).toBe(0);
  expect(commits(project).map((line) => line.split("|")[0])).toEqual([
    "feat(F002): Add f002()",
    "feat(F001): Add f001()",
  ]);
  expect(new Set(paid(project)).size).toBe(6);
  expect(project.git("status", "--porcelain")).toBe("");
});

const moments = [1, 3, 5, 6, 9, 12, 14, 16, 19, 22, 25, 28];

test.each(moments)(
  "killed right after event %i and continued, it ends with the same work",
  { timeout: 120_000 },
  async (moment) => {
    project = new Project(eventful());
    const of = project;
    const child = of.start(["run"]);
    const end = ended(child);
    await until(`event ${moment}`, () => of.events().length >= moment || child.exitCode !== null);
    child.kill("SIGKILL");
    await end;
    await until("the leash to end the agent", () => of.strays().length === 0, 10_000);
    const { code, stderr } = await of.loop("continue");
    expect(code, stderr).toBe(0);
    expect(commits(of).map((line) => line.split("|")[0])).toEqual(["feat(F002): Add f002()", "feat(F001): Add f001()"]);
    expect(of.git("log", "--format=%s", "main", "--", "src/old.js").split("\n")).toEqual(["start"]);
    // A cut session resumes under its own id: as many ids as sessions, and each step of a finished session once.
    const sessions = of.events().filter(({ type }) => type === "session-reserved").length;
    expect(sessions).toBe(6);
    expect(new Set(paid(of)).size).toBe(6);
    expect(of.git("status", "--porcelain")).toBe("");
    await until("no process left", () => of.strays().length === 0, 10_000);
  },
);

test("status says that the run is running, was interrupted, and is over", { timeout: 120_000 }, async () => {
  project = new Project(eventful());
  const of = project;
  const state = async () => JSON.parse((await of.loop("status", "--json")).stdout);
  const child = of.start(["run"]);
  const end = ended(child);
  await until("a session", () => of.events().some(({ type }) => type === "session-reserved"));
  expect(await state()).toMatchObject({ state: "running", doing: { what: expect.any(String) } });
  child.kill("SIGKILL");
  await end;
  expect(await state()).toMatchObject({ state: "interrupted", doing: null, next: "loop continue" });
  expect((await of.loop("status")).stdout).toMatch(/^now +interrupted/m);
  await of.loop("continue");
  expect(await state()).toMatchObject({ state: "over", outcome: { kind: "success" }, next: "loop report", done: 2 });
});
