// The Stop hook from outside: the built command line, JSON on stdin, real checks, and a state broken on purpose.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ended, until } from "../support/project.ts";
import { addTest, done, files, Held, right, wrong } from "./held.ts";

let project: Held;
/** How many `sleep` checks run in clean checkouts of the project. */
const sleeping = (of: Held): number => of.strays().filter((pid) => commandOf(pid).startsWith("sleep\0")).length;

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

afterEach(() => project.remove());

describe("a held session", () => {
  test("continues while the checks are red, with the reason, and ends once they are green and it says so", async () => {
    project = new Held();
    await project.hold();
    const first = await project.stop({ message: done });
    expect(first.decision).toBe("block");
    expect(first.reason).toMatch(/iteration 1 of 10/);
    expect(first.reason).toMatch(/test \(node test\/add\.test\.js\) fails, exit code 1[\s\S]*-1 !== 3/);
    project.write({ "src/add.js": right });
    expect((await project.stop({ message: "I am done." })).reason).toMatch(/work is proved[\s\S]*EXIT_SIGNAL: true/);
    const last = await project.stop({ message: done });
    expect(last).toEqual({
      systemMessage: expect.stringMatching(/met\. test green on a clean checkout .* after 3 iterations/),
    });
    expect(await project.hookStatus()).toMatchObject({ held: [], lastEnded: { ending: "met" } });
    expect(project.exists(".loop/hook/state.json")).toBe(false);
    // The hold has ended, so the session is free to stop.
    project.write({ "src/add.js": wrong });
    expect(await project.stop({ message: "Bye." })).toEqual({});
  });

  test("is shown paths in its own workspace, not in the checkout where the checks ran", async () => {
    project = new Held();
    await project.hold();
    const { reason } = await project.stop();
    expect(reason).toContain(`${project.root}/test/add.test.js`);
    expect(reason).not.toContain(project.home);
  });

  test.each([
    {
      title: "weakened",
      change: { "test/add.test.js": "// nothing to see\n", "src/add.js": wrong },
      says: /passes only with the protected files that were changed: test\/add\.test\.js/,
    },
    {
      title: "told to pass by loop.yaml",
      change: { "loop.yaml": 'checks: [{ name: test, run: "true" }]\n' },
      says: /test \(node test\/add\.test\.js\) fails, exit code 1/,
    },
  ])("is not let out by a check that was $title", async ({ change, says }) => {
    project = new Held();
    await project.hold();
    project.write(change as Record<string, string>);
    expect((await project.stop({ message: done })).reason).toMatch(says);
  });

  test("is not let out by a test that was deleted and the deletion committed", async () => {
    project = new Held({
      "loop.yaml": 'checks: [{ name: test, run: "for f in test/*.js; do test ! -e $f || node $f || exit 1; done" }]\n',
    });
    await project.hold();
    fs.rmSync(join(project.root, "test/add.test.js"));
    project.git("commit", "--quiet", "--all", "--message", "tidy up");
    expect((await project.stop({ message: done })).reason).toMatch(
      /passes only with the protected files that were changed: test\/add\.test\.js/,
    );
  });

  test("may add its own tests", async () => {
    project = new Held();
    await project.hold();
    project.write({
      "src/add.js": right,
      "test/more.test.js": addTest,
      "test/add.test.js": `${addTest}assert.equal(add(2, 2), 4);\n`,
    });
    expect((await project.stop({ message: done })).systemMessage).toMatch(/met\./);
  });

  test("must do something: green checks alone, with nothing changed or with no new test, are not enough", async () => {
    project = new Held({ "src/add.js": right });
    await project.hold();
    expect((await project.stop({ message: done })).reason).toMatch(/No new test fails on the code as it was/);
    project.write({ "src/add.js": `${right}export const twice = (a) => a + a;\n` });
    expect((await project.stop({ message: done })).reason).toMatch(/No new test fails on the code as it was/);
  });

  test("must tick its criteria", async () => {
    project = new Held();
    await project.hold("--criterion", "the docs say so");
    project.write({ "src/add.js": right });
    expect((await project.stop({ message: done })).reason).toMatch(/not ticked[^\n]*the docs say so/);
    const ticked = done.replace("---END", 'CRITERIA: {"the docs say so": true}\n---END');
    expect((await project.stop({ message: ticked })).systemMessage).toMatch(/met\./);
  });

  test("reads of a long criterion that it has not ticked that it is not met", async () => {
    project = new Held();
    const [long, ticked] = ["the docs say so", "the tests say so"].map(
      (text) => `${text}: ${"in each part ".repeat(30)}.`,
    );
    const status = (): unknown => JSON.parse(project.read(".loop/hook/state.json")).criteriaStatus;
    await project.hold("--criterion", String(long), "--criterion", String(ticked));
    expect(status()).toEqual({ [String(long)]: false, [String(ticked)]: false });
    const criteria = JSON.stringify({ [String(ticked)]: true });
    await project.stop({ message: done.replace("---END", `CRITERIA: ${criteria}\n---END`) });
    expect(status()).toEqual({ [String(long)]: false, [String(ticked)]: true });
  });

  test("may change only what scope.may_touch allows", async () => {
    project = new Held({ "loop.yaml": `${files["loop.yaml"]}scope: { may_touch: [docs/**] }\n` });
    await project.hold();
    project.write({ "src/add.js": right });
    expect((await project.stop({ message: done })).reason).toContain("src/add.js");
  });

  test("speaks as the hope loop does: list items are criteria, each stop has a status block, the end a verdict", async () => {
    project = new Held();
    const request = "Fix add() in src/add.js:\n- add(1, 2) is 3\n- the docs say so";
    const begun = await project.loop("hook", "start", request, "--session", "s-1");
    expect(begun.stdout).toMatch(
      /^\[LOOP\] Starting \| Shape: \w+ \(\d+\/10\) \| Workflow: B \| Steps: 2 \| Budget: 10 iterations\n\[LOOP\] Iteration 1\/10 \| Cost: not measured \| Step: add\(1, 2\) is 3\n/,
    );
    expect(begun.stdout).toContain('CRITERIA: {"add(1, 2) is 3": true, "the docs say so": true}\nSTUCK_COUNT: 0\n');
    const half = done.replace("---END", 'CRITERIA: {"add(1, 2) is 3": true, "the docs say so": false}\n---END');
    await project.stop({ message: half });
    project.write({ "src/add.js": `// Still wrong.\n${wrong}` });
    const second = await project.stop({ message: half });
    expect(second.reason).toMatch(
      /^\[LOOP\] ✗ the docs say so not complete \| Progress: 1\/2 \| Next: Fix: test \(node/,
    );
    expect(second.reason).toMatch(/\n\[LOOP\] Iteration 3\/10 \| Cost: not measured \| Step: the docs say so$/);
    expect(second.reason).toMatch(/NEXT: Fix: test \(node [^\n]+\n---END/);
    expect(second.reason).toContain('CRITERIA: {"add(1, 2) is 3": true, "the docs say so": false}\nSTUCK_COUNT: 1\n');
    // The file has the same as the block.
    expect(JSON.parse(project.read(".loop/hook/state.json"))).toMatchObject({
      criteriaStatus: { "add(1, 2) is 3": true, "the docs say so": false },
      circuitBreaker: { stuckCount: 1, lastUnmet: "the docs say so" },
    });
    project.write({ "src/add.js": right });
    const met = await project.stop({ message: half.replace('so": false', 'so": true') });
    expect(met.systemMessage).toMatch(
      /^\[LOOP\] ✓ the docs say so complete \| Progress: 2\/2 \| Next: none\n\n---LOOP_STATUS---\nEXIT_SIGNAL: true\nCRITERIA: [^\n]+\nSTUCK_COUNT: 0\nNEXT: none\n---END_STATUS---\n\n<loop-complete>\nAll success criteria satisfied:\n- add\(1, 2\) is 3: ✓\n- the docs say so: ✓\n- test is green: ✓\n<\/loop-complete>\n\n╭─ 🟡 MONITOR /,
    );
    expect(met.systemMessage).toContain("│ Checklist: 1/3 criteria verified");
    const [, points] = /\((\d+)\/10\)/.exec(begun.stdout) ?? [];
    expect(met.systemMessage).toContain(`Type 2B · ${points}pt`);
  });

  const shape = `criteria:
- it adds
- it is fast
- it looks nice
verification:
  it adds: execution output
  it is fast: assumption
mustNot:
- new dependencies are added
- an error is hidden
`;
  const tick = (adds: string): string =>
    done.replace("---END", `CRITERIA: {"it adds": ${adds}, "it is fast": true, "it looks nice": true}\n---END`);

  test("has the criteria of SHAPE.md, each shown as it says, and one that is an assumption is left to a person", async () => {
    project = new Held({ ".loop/shape/SHAPE.md": shape });
    const begun = await project.loop("hook", "start", "Make add() add.", "--session", "s-1");
    expect(begun.stdout).toContain(
      'CRITERIA: {"it adds": {"met": true, "verification": "execution output"}, "it is fast": {"met": false, "verification": "assumption"}, "it looks nice": true}\n',
    );
    project.write({ "src/add.js": right });
    expect((await project.stop({ message: tick("true") })).reason).toMatch(
      /not ticked this criterion as met by execution output, and said so: it adds\n/,
    );
    expect(JSON.parse(project.read(".loop/hook/state.json"))).toMatchObject({
      criteriaStatus: { "it adds": { met: false, verification: "execution output" }, "it looks nice": true },
    });
    project.write({ "src/add.js": `// Adds.\n${right}` });
    const said = await project.stop({ message: tick('{"met": true, "verification": "execution output"}') });
    expect(said.systemMessage).toMatch(/leaves this for you to say: it is fast\n.*loop hook accept in a terminal/);
    // Only that is left: what was unmet before is no longer shown.
    expect((await project.hookStatus()).held).toMatchObject([
      { unmet: ["Only a person can say that this criterion is met: it is fast"] },
    ]);
    expect(JSON.parse(project.read(".loop/hook/state.json"))).toMatchObject({
      criteriaStatus: { "it adds": { met: true }, "it is fast": { met: false }, "it looks nice": true },
    });
  });

  test("ends as met once a person accepts what was to be assumed, and only on the work that was proved", async () => {
    project = new Held({ ".loop/shape/SHAPE.md": shape });
    await project.hold();
    expect((await project.loop("hook", "accept")).stderr).toMatch(/No held session here waits for that/);
    const proved = tick('{"met": true, "verification": "execution output"}');
    project.write({ "src/add.js": right });
    await project.stop({ message: proved });
    project.write({ "src/add.js": `// Adds.\n${right}` });
    expect((await project.loop("hook", "accept")).stderr).toMatch(/The folder has changed/);
    await project.stop({ message: proved });
    const child = project.start(["hook", "accept"], { CLAUDECODE: "1" });
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(1);
    const { code, stdout } = await project.loop("hook", "accept");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /EXIT_SIGNAL: true\nCRITERIA: .*"it is fast": \{"met": true, "verification": "assumption, accepted by /,
    );
    expect(stdout).toMatch(/<loop-complete>[\s\S]*MONITOR[\s\S]*Verified: execution output\/assumption, accepted by/);
    expect(stdout).not.toContain("observation");
    expect(await project.hookStatus()).toMatchObject({ held: [], lastEnded: { ending: "met" } });
  });

  test("has the points that loop score gives it here, and ends as MONITOR, since only the session says that it is met", async () => {
    project = new Held();
    const scored = JSON.parse((await project.loop("score", "Fix add() in src/add.js.", "--json")).stdout);
    const begun = await project.loop("hook", "start", "Fix add() in src/add.js.", "--session", "s-1");
    expect(begun.stdout).toContain(`(${scored.score}/10) | Workflow: B | Steps: 1 |`);
    project.write({ "src/add.js": right });
    expect((await project.stop({ message: done })).systemMessage).toMatch(
      /─ 🟡 MONITOR[\s\S]*said by the session itself/,
    );
  });

  test("that is hard to undo cannot be met before its person has had what speaks against it", async () => {
    project = new Held();
    const request = "Make add() in src/add.js add, and drop the users table.";
    const begun = await project.loop("hook", "start", request, "--session", "s-1");
    expect(begun.stdout).toMatch(/type 1: [^\n]+QUESTION:/);
    project.write({ "src/add.js": right });
    expect((await project.stop({ message: done })).reason).toMatch(
      /1\. This is of type 1[\s\S]*NEXT: Put to the person/,
    );
    const asks = done.replace("true\n", "false\nQUESTION: Every user would be gone. Still?\n");
    expect((await project.stop({ message: asks })).systemMessage).toMatch(/asks you: Every user would be gone/);
    expect((await project.stop({ message: done })).systemMessage).toMatch(/Type 1 · \d+pt/);
  });

  test("is let go at once when a must-not became true, and is told those that no rule sees", async () => {
    project = new Held({ ".loop/shape/SHAPE.md": shape });
    const begun = await project.loop("hook", "start", "Make add() add.", "--session", "s-1");
    expect(begun.stdout).toMatch(/- new dependencies are added\n- an error is hidden \(Loopwright has no rule/);
    project.write({
      "package.json": '{ "name": "sample", "type": "module", "dependencies": { "left-pad": "1.0.0" } }\n',
    });
    expect((await project.stop({ message: "Working on it." })).systemMessage).toMatch(
      /NOT MET.*must-not became true: new dependencies are added: left-pad in package\.json[\s\S]*Next: /,
    );
    expect(await project.hookStatus()).toMatchObject({ held: [], lastEnded: { ending: "breaker" } });
  });

  test("is shown what SHAPE.md says without effect", async () => {
    project = new Held({ ".loop/shape/SHAPE.md": "criteria:\n- it adds\nverification:\n  it adds: a unit test\n" });
    const begun = await project.loop("hook", "start", "Make add() add.", "--session", "s-1");
    expect(begun.stderr).toContain("it adds: a unit test");
  });

  test("may ask the person a question, and stays held", async () => {
    project = new Held();
    await project.hold();
    const asks = "---LOOP_STATUS---\nEXIT_SIGNAL: false\nQUESTION: Which numbers?\n---END_STATUS---";
    expect(await project.stop({ message: asks })).toEqual({
      systemMessage: expect.stringMatching(/not met yet.*Which numbers\?/),
    });
    expect((await project.stop({ message: done })).decision).toBe("block");
  });

  test("stays held in any folder that the agent changes to", async () => {
    project = new Held();
    await project.hold();
    expect((await project.stop({ cwd: project.home })).decision).toBe("block");
    project.write({ "src/add.js": right });
    expect((await project.stop({ cwd: "/no/such/folder" })).decision).toBe("block");
  });

  test("stays held when the repository is deleted", async () => {
    project = new Held();
    await project.hold();
    fs.rmSync(join(project.root, ".git"), { recursive: true });
    expect((await project.stop({ message: done })).decision).toBe("block");
  });

  test("is blocked when a check exceeds the hook's time, and the check's processes are killed", async () => {
    project = new Held({ "loop.yaml": "checks: [{ name: slow, run: sleep 600, timeout_s: 600 }]\n" });
    await project.hold();
    expect((await project.stop({ message: done, args: ["--within", "2"] })).reason).toMatch(/did not end in the time/);
    await until("the check is ended", () => project.strays().length === 0, 10_000);
  });

  test("gets one answer when two hooks ask at once", async () => {
    project = new Held({
      "loop.yaml": "checks: [{ name: test, run: sleep 1; node test/add.test.js, timeout_s: 20 }]\n",
    });
    await project.hold();
    const [one, other] = await Promise.all([project.stop(), project.stop()]);
    expect(one).toEqual(other);
    expect((await project.hookStatus()).held).toMatchObject([{ iteration: 1 }]);
  });
});

describe("others", () => {
  test("a session that is not held, in the same folder, gets no output", async () => {
    project = new Held();
    await project.hold();
    expect(await project.stop({ session: "s-2" })).toEqual({});
    expect((await project.hookStatus()).held).toMatchObject([{ session: "s-1", iteration: 0 }]);
  });

  test("a session that the loop drives gets no output, and does not take a waiting hold", async () => {
    project = new Held();
    expect((await project.loop("hook", "start", "Make add() add.")).code).toBe(0);
    expect(await project.stop({ session: "s-9", env: { LOOP_SESSION: "x" } })).toEqual({});
    expect((await project.stop({ session: "s-1" })).decision).toBe("block");
    expect(await project.stop({ session: "s-2" })).toEqual({});
  });

  test.each(["", "garbage", "{", "[]", '{"session_id":"../../x"}', '{"session_id":{}}', "\u0000".repeat(100)])(
    "%.12j on stdin, with nothing held, is ignored",
    async (stdin) => {
      project = new Held();
      for (const hook of ["stop", "prompt"] as const)
        expect(await project.ask(hook, stdin)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    },
  );

  test("garbage on stdin, with a session held here, blocks, but not forever", async () => {
    project = new Held();
    await project.hold();
    const answers = [];
    for (let time = 0; time < 4; time++) answers.push((await project.ask("stop", "garbage")).stdout);
    expect(answers.slice(0, 3).every((text) => text.includes('"decision":"block"'))).toBe(true);
    expect(answers[3]).toMatch(/NOTHING WAS PROVED/);
  });
});

describe("a broken state", () => {
  test.each([
    { title: "garbage", text: "{ not json" },
    { title: "nothing", text: "" },
    { title: "of another version", text: '{"version": 2}' },
    { title: "a lie", text: '{"version": 1, "status": "completed", "exit_signal": true}' },
  ])(
    "$title in the vault does not let the session out; after three blocks it is let out with a warning, and the file is kept",
    async ({ text }) => {
      project = new Held({ "src/add.js": right });
      await project.hold();
      project.scribble(project.holdFile(), text);
      for (let time = 0; time < 3; time++) {
        const { reason } = await project.stop({ message: done, again: time > 0 });
        expect(reason).toMatch(/cannot be read[\s\S]*loop hook release/);
      }
      expect((await project.stop({ message: done })).systemMessage).toMatch(/NOTHING WAS PROVED.*kept at/s);
      expect(fs.readdirSync(join(project.holds, "broken"))).toHaveLength(1);
      expect(await project.stop({ message: done })).toEqual({});
    },
  );

  test("a folder in place of the state is broken, too", async () => {
    project = new Held({ "src/add.js": right });
    await project.hold();
    fs.rmSync(project.holdFile());
    fs.mkdirSync(project.holdFile());
    expect((await project.stop({ message: done })).decision).toBe("block");
    expect((await project.loop("hook", "release")).stdout).toMatch(/Released/);
    expect(await project.stop({ message: done })).toEqual({});
  });

  test.each([
    {
      title: "edited",
      spoil: (file: string) => fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("false", "true")),
    },
    { title: "removed", spoil: (file: string) => fs.rmSync(file) },
    { title: "removed", spoil: (file: string) => fs.rmSync(dirname(dirname(file)), { recursive: true }) },
  ])("a copy in the workspace that was $title does not let it out, and is restored", async ({ title, spoil }) => {
    project = new Held();
    await project.hold();
    project.write({ "src/add.js": right });
    const file = join(project.root, ".loop/hook/state.json");
    spoil(file);
    expect((await project.stop({ message: done })).reason).toMatch(new RegExp(`state\\.json was ${title}`));
    expect(JSON.parse(fs.readFileSync(file, "utf8"))).toMatchObject({ exit_signal: false, iteration: 1 });
    expect((await project.stop({ message: done })).systemMessage).toMatch(/met\./);
  });

  test("a deleted hold blocks its own session three times, and no other session", async () => {
    project = new Held({ "src/add.js": right });
    await project.hold();
    fs.rmSync(project.holds, { recursive: true });
    expect(await project.stop({ session: "s-2", message: done })).toEqual({});
    for (let time = 0; time < 3; time++)
      expect((await project.stop({ message: done })).reason).toMatch(/is gone[\s\S]*loop hook release/);
    expect((await project.stop({ message: done })).systemMessage).toMatch(/NOTHING WAS PROVED/);
    expect(await project.stop({ message: done })).toEqual({});
  });

  test("where nothing can be written, the session is blocked once, and then let go", async () => {
    project = new Held();
    await project.hold();
    // A folder in place of the tally file: not even root can append to it.
    fs.mkdirSync(project.holdFile().replace(/json$/, "tally"));
    project.scribble(project.holdFile(), "garbage");
    expect((await project.stop({ again: false })).decision).toBe("block");
    expect((await project.stop({ again: true })).systemMessage).toMatch(/NOTHING WAS PROVED/);
  });

  test("a missing workspace blocks twice, and then the hold ends as not met", async () => {
    project = new Held();
    await project.hold();
    fs.renameSync(project.root, `${project.root}-moved`);
    fs.mkdirSync(project.root);
    for (let time = 0; time < 2; time++) expect((await project.stop({ message: done })).decision).toBe("block");
    expect((await project.stop({ message: done })).systemMessage).toMatch(/NOT MET/);
  });

  test("killed while it judges, it leaves the hold unchanged", async () => {
    project = new Held({ "loop.yaml": "checks: [{ name: test, run: sleep 30, timeout_s: 60 }]\n" });
    await project.hold();
    const child = project.start(["hook", "stop"], {}, '{"session_id": "s-1"}');
    const end = ended(child);
    await until("the check has begun", () => sleeping(project) > 0);
    child.kill("SIGKILL");
    await end;
    expect((await project.hookStatus()).held).toMatchObject([{ iteration: 0 }]);
    await until("the check is ended", () => project.strays().length === 0, 10_000);
    expect((await project.stop({ args: ["--within", "1"] })).reason).toMatch(/iteration 1 of 10/);
  });
});

describe("breakers", () => {
  const edit = (time: number) => project.write({ "src/add.js": `${wrong}// ${time}\n` });

  test("the last iteration ends the hold, but not as a success", async () => {
    project = new Held();
    await project.hold("--iterations", "2");
    edit(1);
    expect((await project.stop({ message: done })).decision).toBe("block");
    edit(2);
    expect((await project.stop({ message: done })).systemMessage).toMatch(
      /NOT MET[\s\S]*iteration 2 of 2[\s\S]*fails, exit code 1[\s\S]*Next: /,
    );
    expect(await project.hookStatus()).toMatchObject({ held: [], lastEnded: { ending: "breaker" } });
    expect(await project.stop()).toEqual({});
  });

  test("the same failure three times", async () => {
    project = new Held();
    await project.hold();
    for (const time of [1, 2]) {
      edit(time);
      expect((await project.stop({ message: done })).decision).toBe("block");
    }
    edit(3);
    expect((await project.stop({ message: done })).systemMessage).toMatch(/NOT MET.*same was unmet 3 times/);
  });

  test("no change, twice", async () => {
    project = new Held();
    await project.hold();
    expect((await project.stop({ message: "Working on it." })).decision).toBe("block");
    expect((await project.stop({ message: done, again: true })).systemMessage).toMatch(
      /NOT MET.*Nothing in the folder changed/,
    );
  });

  test("the CLI's own cap, where it is lower than ours", async () => {
    project = new Held();
    await project.hold();
    const env = { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "1" };
    edit(1);
    expect((await project.stop({ env })).decision).toBe("block");
    expect((await project.stop({ env, again: true })).systemMessage).toMatch(/NOT MET.*after 1 block in a row/);
  });

  test("continue keeps the base: an earlier change to a test still counts", async () => {
    project = new Held();
    await project.hold("--iterations", "1");
    project.write({ "test/add.test.js": "// nothing\n" });
    expect((await project.stop({ message: done })).systemMessage).toMatch(/NOT MET/);
    expect((await project.loop("hook", "continue", "--iterations", "5")).code).toBe(0);
    expect((await project.stop({ message: done })).reason).toMatch(
      /iteration 1 of 5[\s\S]*protected files that were changed/,
    );
  });
});
