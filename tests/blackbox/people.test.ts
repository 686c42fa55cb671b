// People who work while the loop runs: their files, their second run, their Ctrl-C, their pause and cancel.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { lockWorkspace } from "../../src/project/place/lock.ts";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles, tamper } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const slowly = (ms: number) => [
  { do: "write", path: "src/half.js", text: "// half done\n" },
  { do: "sleep", ms },
  { do: "reply", reply: { status: "done", summary: "done" } },
];
const one = [feature("F001")];

test("a dirty tree is refused, and every byte of it stays", { timeout: 60_000 }, async () => {
  project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], one));
  project.write({ "src/old.js": "export const old = () => 1; // mine\n", "notes.txt": "mine too\n" });
  project.git("add", "notes.txt");
  const index = fs.readFileSync(join(project.root, ".git/index"), "hex");
  const { code, stderr } = await project.loop("run");
  expect(code).toBe(1);
  expect(stderr).toContain("2 files have uncommitted changes");
  expect(stderr).toContain("Next: Commit or stash them");
  expect(project.read("src/old.js")).toBe("export const old = () => 1; // mine\n");
  expect(project.read("notes.txt")).toBe("mine too\n");
  expect(fs.readFileSync(join(project.root, ".git/index"), "hex")).toBe(index);
  expect(project.exists(".loop")).toBe(false);
  expect(project.runs()).toEqual([]);
});

test("a person's edit and untracked file survive a roll-back and a cancel, byte for byte", {
  timeout: 120_000,
}, async () => {
  const scenes = [
    builder("F001", 1, [
      ...tamper("F001").slice(0, -1),
      { do: "sleep", ms: 1500 },
      { do: "reply", reply: { status: "done", summary: "" } },
    ]),
    builder("F001", 2, slowly(60_000)),
    evaluator,
  ];
  project = new Project(sampleFiles(scenes, one, { "README.md": "hello\n" }));
  const of = project;
  fs.writeFileSync(join(of.root, "ignored.txt"), "ignored and mine\n");
  const child = of.start(["run"]);
  const end = ended(child);
  await until("the first session at work", () => of.exists("src/F001.js"));
  // Edited while the agent works, so it may be rolled back with the agent's changes; then it is in quarantine.
  of.write({ "README.md": "hello, edited by a person\n", "person.txt": "new and mine\n" });
  await until("the roll-back and the second session", () => of.exists("src/half.js"), 60_000);
  const { code } = await of.loop("cancel");
  expect(code).toBe(0);
  expect((await end).code).toBe(9);
  expect(of.read("ignored.txt")).toBe("ignored and mine\n");
  const [entry] = JSON.parse((await of.loop("recover", "--json")).stdout).quarantine;
  const back = await of.loop("recover", entry.id, "README.md", "person.txt");
  expect(back.code, back.stderr).toBe(0);
  expect(of.read("README.md")).toBe("hello, edited by a person\n");
  expect(of.read("person.txt")).toBe("new and mine\n");
  await until("no process left", () => of.strays().length === 0, 10_000);
});

test("a person's files in the tree stay in place when a run is cancelled with --keep", {
  timeout: 120_000,
}, async () => {
  project = new Project(sampleFiles([builder("F001", 1, slowly(60_000)), evaluator], one));
  const of = project;
  const end = ended(of.start(["run"]));
  await until("the session at work", () => of.exists("src/half.js"));
  of.write({ "person.txt": "mine\n", "src/old.js": "export const old = () => 1; // mine\n" });
  const { code, stdout } = await of.loop("cancel", "--clean", "--keep");
  expect(code).toBe(0);
  expect(stdout).toContain("all of it a copy of what the vault keeps");
  expect((await end).code).toBe(9);
  expect([of.exists(".loop/state.json"), of.exists(".loop/tasks")]).toEqual([false, true]);
  expect(of.read("person.txt")).toBe("mine\n");
  expect(of.read("src/old.js")).toContain("// mine");
  expect(of.read("src/half.js")).toContain("half done");
  await until("no process left", () => of.strays().length === 0, 10_000);
});

test("a second run in the same workspace is refused immediately and names the holder", {
  timeout: 60_000,
}, async () => {
  project = new Project(sampleFiles([builder("F001", 1, slowly(60_000)), evaluator], one));
  const of = project;
  const child = of.start(["run"]);
  const end = ended(child);
  await until("the session at work", () => of.exists("src/half.js"));
  const { code, stderr } = await of.loop(
    "run",
    "Add a function twice(n) to src/twice.js that returns 2 * n, with a test",
  );
  expect(code).toBe(1);
  expect(stderr).toContain(String(child.pid));
  expect(of.runs()).toHaveLength(1);
  expect((await of.loop("status")).stdout).toContain("builder at work");
  child.kill("SIGINT");
  expect((await end).code).toBe(130);
});

test("Ctrl-C once pauses, and continue resumes the same session", { timeout: 120_000 }, async () => {
  project = new Project(
    sampleFiles(
      [
        builder("F001", 1, [...right("F001").slice(0, 2), { do: "sleep", ms: 3000 }, ...right("F001").slice(2)]),
        evaluator,
      ],
      one,
    ),
  );
  const of = project;
  const child = of.start(["run"]);
  const end = ended(child);
  await until("the session at work", () => of.exists("test/F001.test.js"));
  child.kill("SIGINT");
  const paused = await end;
  expect(paused.code).toBe(130);
  expect(paused.stdout).toContain("Next: loop continue");
  await until("no process left", () => of.strays().length === 0, 10_000);
  const { code, stderr } = await of.loop("continue");
  expect(code, stderr).toBe(0);
  expect(of.events().filter(({ type }) => type === "session-reserved")).toHaveLength(2);
  expect(new Set(fs.readFileSync(join(of.home, "paid.log"), "utf8").trim().split("\n")).size).toBe(2);
});

test("Ctrl-C twice exits immediately, leaves nothing running, and continue works", { timeout: 120_000 }, async () => {
  project = new Project(
    sampleFiles(
      [builder("F001", 1, [{ do: "ignore-term" }, ...slowly(4000).slice(0, 2), ...right("F001")]), evaluator],
      one,
    ),
  );
  const of = project;
  const child = of.start(["run"]);
  const end = ended(child);
  await until("the session at work", () => of.exists("src/half.js"));
  child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill("SIGINT");
  expect((await end).code).toBe(130);
  await until("no process left", () => of.strays().length === 0, 10_000);
  const { code, stderr } = await of.loop("continue");
  expect(code, stderr).toBe(0);
});

test("loop pause pauses a run; loop cancel on a paused run ends it for good", { timeout: 120_000 }, async () => {
  project = new Project(sampleFiles([builder("F001", 1, slowly(60_000)), evaluator], one));
  const of = project;
  const end = ended(of.start(["run"]));
  await until("the session at work", () => of.exists("src/half.js"));
  const paused = await of.loop("pause");
  expect(paused.code, paused.stderr).toBe(0);
  expect((await end).code).toBe(130);
  expect((await of.loop("cancel")).stdout).toContain("Cancelled");
  const again = await of.loop("continue");
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("is over");
  // The cut work was taken out; nothing came after that.
  expect(of.events().at(-1)?.type).toBe("rolled-back");
});

test("an answer that meets a process which only records another one is on record when it returns", {
  timeout: 120_000,
}, async () => {
  const files = sampleFiles([builder("F001", 1, right("F001")), evaluator], one);
  project = new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}gates: [G2]\n` });
  const of = project;
  expect((await of.loop("run")).code).toBe(6);
  const lock = await of.withState(() => lockWorkspace(of.root, `run ${of.runs().at(-1)?.split("/").at(-1)}`));
  const first = of.loop("reject", "--reason", "Not like that.", "--no-continue");
  const box = join(of.runs().at(-1) ?? "", "signals");
  await until("the answer is left for the other process", () => fs.existsSync(box) && fs.readdirSync(box).length > 0);
  await lock.release();
  const { code, stdout } = await first;
  expect([code, stdout]).toEqual([0, "Rejected. Next: loop continue\n"]);
  expect(of.events().filter(({ type }) => type === "rejected")).toHaveLength(1);
  expect(fs.readdirSync(box)).toEqual([]);
  const second = await of.loop("approve", "--no-continue");
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining("does not wait at a gate")]);
});

test("a commit that a person makes during a session stops the run, and is never overwritten", {
  timeout: 120_000,
}, async () => {
  project = new Project(
    sampleFiles([builder("F001", 1, slowly(2500)), builder("F001", 1, right("F001")), evaluator], one),
  );
  const of = project;
  const end = ended(of.start(["run"]));
  await until("the session at work", () => of.exists("src/half.js"));
  of.write({ "person.txt": "mine\n" });
  of.git("add", "person.txt");
  of.git("commit", "--quiet", "--message", "by a person");
  const { code, stdout } = await end;
  expect(code).toBe(1);
  expect(stdout).toContain("by a person");
  expect(of.git("log", "-1", "--format=%s")).toBe("by a person");
});

test("work that an agent commits under the person's name is set aside, and so is a cap that it raised", {
  timeout: 180_000,
}, async () => {
  const asPerson = "env -u GIT_COMMITTER_NAME -u GIT_COMMITTER_EMAIL -u GIT_AUTHOR_NAME -u GIT_AUTHOR_EMAIL";
  const launder = [
    ...tamper("F001").slice(0, -1),
    { do: "append", path: "loop.yaml", text: "limits: { cost_usd: 90 }\n" },
    { do: "write", path: "notes.txt", text: "by the agent\n" },
    { do: "run", command: `${asPerson} git add notes.txt loop.yaml && ${asPerson} git commit --quiet --message tidy` },
    { do: "reply", reply: { status: "done", summary: "" } },
  ];
  const scenes = [
    { ...builder("F001", 1, right("F001")), where: "ignored.txt" },
    builder("F001", 1, launder),
    evaluator,
  ];
  project = new Project(sampleFiles(scenes, one));
  const of = project;
  const yaml = of.read("loop.yaml");
  const { code, stdout } = await of.loop("run");
  expect(code, stdout).toBe(1);
  expect(stdout).toContain("tidy");
  // The files of the new commit and nothing from the session; the loop's inputs are as it last recorded them.
  expect(of.git("status", "--porcelain", "--", "src", "test")).toBe("");
  expect([of.exists("src/F001.js"), of.read("loop.yaml")]).toEqual([false, yaml]);
  const kept = JSON.parse((await of.loop("recover", "--json")).stdout).quarantine as { id: string; why: string }[];
  expect(kept.map(({ why }) => why).join("\n")).toMatch(/tidy[\s\S]*loop\.yaml/);
  of.write({ "ignored.txt": "" });
  const on = await of.loop("continue");
  expect(on.code, on.stdout).toBe(0);
  expect(on.stderr).not.toContain("cost_usd");
  expect(of.git("show", "HEAD:src/old.js", "HEAD:test/old.test.js")).not.toContain("2");
  const entry = kept.find(({ why }) => why.startsWith("loop.yaml"));
  expect((await of.loop("recover", entry?.id ?? "", "--to", `${of.dir}/back`)).code).toBe(0);
});

test("an edit of loop.yaml during a session is reverted, kept, and reported without blame", {
  timeout: 120_000,
}, async () => {
  project = new Project(
    sampleFiles([builder("F001", 1, [...slowly(3000).slice(0, 2), ...right("F001")]), evaluator], one),
  );
  const of = project;
  const end = ended(of.start(["run"]));
  await until("the session at work", () => of.exists("src/half.js"));
  const yaml = of.read("loop.yaml");
  of.write({ "loop.yaml": `${yaml}limits: { cost_usd: 1 }\n` });
  expect((await end).code).toBe(0);
  expect(of.read("loop.yaml")).toBe(yaml);
  const log = of.read("docs/loop-run-log.md");
  expect(log).toContain("loop.yaml was changed while the loop was at work; the loop put it back. If you changed it,");
  const id = /loop recover (s[0-9a-f]{12})/.exec(log)?.[1] ?? "";
  expect((await of.loop("recover")).stdout).toContain(id);
  expect((await of.loop("recover", id)).stdout).toBe("Brought back loop.yaml\n");
  expect(of.read("loop.yaml")).toContain("cost_usd: 1");
});

test("a checker that writes into the workspace does not affect the commits", {
  timeout: 120_000,
}, async () => {
  const meddling = {
    ...evaluator,
    steps: [
      {
        do: "run",
        command: 'cd "$HOME/../project" && echo "export const old = () => 3;" > src/old.js && echo x > extra.js',
      },
      ...evaluator.steps,
    ],
  };
  const scenes = [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), meddling];
  project = new Project(sampleFiles(scenes, [feature("F001"), feature("F002")]));
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("The folder was not as the loop left it (while the evaluator session ran)");
  expect(project.read("src/old.js")).toBe("export const old = () => 1;\n");
  expect(project.git("ls-files", "extra.js")).toBe("");
});

test("caps: exactly at the cap means stop, and continuing with a higher cap resumes", {
  timeout: 120_000,
}, async () => {
  const scenes = [builder("F001", 1, right("F001")), builder("F002", 1, right("F002")), evaluator];
  project = new Project(sampleFiles(scenes, [feature("F001"), feature("F002")]));
  const capped = await project.loop("run", "--iterations", "1");
  expect(capped.code).toBe(3);
  expect(capped.stdout).toContain("Next: loop continue --iterations 2");
  expect(project.events().filter(({ type }) => type === "committed")).toHaveLength(1);
  const cost = await project.loop("continue", "--iterations", "5", "--budget", "0.02");
  expect(cost.code).toBe(2);
  const { code, stderr } = await project.loop("continue", "--budget", "5");
  expect(code, stderr).toBe(0);
});

test("false claims only: nothing is accepted, and the breaker stops the run", { timeout: 120_000 }, async () => {
  project = new Project(sampleFiles([{ role: "builder", steps: lie }, evaluator], one));
  const { code, stdout } = await project.loop("run");
  expect(code).toBe(4);
  expect(stdout).toContain("Nothing changed in 2 iterations");
  expect(project.git("log", "--format=%s")).toBe("start");
});

test("without git, the same run works on the vault alone", { timeout: 120_000 }, async () => {
  project = new Project(
    sampleFiles([builder("F001", 1, tamper("F001")), builder("F001", 2, right("F001")), evaluator], one),
    { git: false },
  );
  const { code, stdout, stderr } = await project.loop("run", "--no-git");
  expect(code, stderr).toBe(0);
  expect(project.read("src/F001.js")).toContain("F001");
  expect(project.read("src/old.js")).toBe("export const old = () => 1;\n");
  expect(project.exists(".git")).toBe(false);
  // No command is named that needs a repository.
  const others = [await project.loop("read"), await project.loop("report"), await project.loop()];
  const said = [stdout, ...others.map((each) => each.stdout)];
  expect(said.join("\n")).not.toMatch(/git show|git log|loop undo/);
  expect((await project.loop("land")).stderr).toContain("worked in your folder without git");
  expect((await project.loop("doctor")).stdout).toContain("loop --no-git");
});

test("a feature that a person adds while the run is paused is worked on when it resumes", {
  timeout: 120_000,
}, async () => {
  const scenes = [
    builder("F001", 1, right("F001")),
    builder("F002", 1, right("F002")),
    builder("F003", 1, right("F003")),
    evaluator,
  ];
  project = new Project(sampleFiles(scenes, [feature("F001"), feature("F002")]));
  expect((await project.loop("run", "--iterations", "1")).code).toBe(3);
  const queue = JSON.parse(project.read("docs/FEATURES.json"));
  expect(queue.features.map(({ status }: { status: string }) => status)).toEqual(["complete", "not-started"]);
  project.write({
    "docs/FEATURES.json": JSON.stringify({ ...queue, features: [...queue.features, feature("F003")] }, null, 2),
  });
  const { code, stderr } = await project.loop("continue", "--iterations", "9");
  expect(code, stderr).toBe(0);
  expect(
    JSON.parse(project.read("docs/FEATURES.json")).features.map(({ status }: { status: string }) => status),
  ).toEqual(["complete", "complete", "complete"]);
});

test("an uncommitted loop.yaml does not refuse the run, and is left for the person to commit", {
  timeout: 120_000,
}, async () => {
  const files = sampleFiles([builder("F001", 1, right("F001")), evaluator], one);
  const { "loop.yaml": yaml = "", ...others } = files;
  project = new Project(others);
  project.write({ "loop.yaml": yaml });
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).toBe(0);
  expect(project.git("status", "--porcelain")).toBe("?? loop.yaml");
  expect(project.git("log", "--format=", "--name-only")).not.toContain("loop.yaml");
});
