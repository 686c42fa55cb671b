// L3 (unattended) without walls: only by the person's own word.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ended, Project } from "../support/project.ts";
import { feature, sampleFiles } from "../support/sample.ts";
import { hasScript, typed } from "../support/terminal.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const timeout = 240_000;
const agent = `require("node:fs").writeFileSync(process.env.LOOP_REPLY_FILE, '{"status":"blocked","summary":"no"}');`;

function open(yaml: object = {}): Project {
  const opened = new Project(sampleFiles([], [feature("F001")]));
  const maker = { kind: "command", command: ["node", "agent.cjs"], cost_usd: 0 };
  const checks = [{ name: "test", run: "sh run-tests.sh", timeout_s: 60 }];
  const text = JSON.stringify({ version: 1, autonomy: "L3", agents: { maker }, checks, ...yaml });
  opened.write({ "agent.cjs": agent, "loop.yaml": text });
  opened.git("rm", "--quiet", "rehearsal.json");
  opened.git("add", "--all");
  opened.git("commit", "--quiet", "--message", "agent");
  const bin = join(opened.dir, "bin");
  fs.mkdirSync(bin);
  fs.writeFileSync(join(bin, "bwrap"), "#!/bin/sh\necho 'bwrap: no' >&2\nexit 1\n", { mode: 0o755 });
  project = opened;
  return opened;
}
/** A machine whose bubblewrap fails. */
const without = (opened: Project) => ({
  PATH: `${join(opened.dir, "bin")}:${opened.env["PATH"]}`,
  LOOPWRIGHT_SANDBOX: "",
});

test.each([
  { what: "has no walls", yaml: {}, args: [], why: "there are no walls: bwrap: no" },
  { what: "turns them off in the repository's file", yaml: { sandbox: "off" }, args: [], why: "sandbox is off" },
  { what: "is told --yes", yaml: {}, args: ["--yes"], why: "there are no walls: bwrap: no" },
])("a run that $what is refused, with what to do", { timeout }, async ({ yaml, args, why }) => {
  const opened = open(yaml);
  const { code, stderr } = await ended(opened.start(["run", ...args], without(opened)));
  expect(code).toBe(1);
  expect(stderr).toContain(why);
  expect(stderr).toContain("--unconfined");
  expect(opened.runs()).toEqual([]);
});

test.each([
  { how: "by --unconfined", args: ["--unconfined"], env: {} },
  { how: "by --sandbox off", args: ["--sandbox", "off"], env: {} },
  { how: "in the environment", args: [], env: { LOOPWRIGHT_SANDBOX: "off" } },
  { how: "by asking after all", args: ["--autonomy", "L2"], env: {} },
])("a person allows it $how", { timeout }, async ({ args, env }) => {
  const opened = open();
  await ended(opened.start(["run", ...args], { ...without(opened), ...env }));
  expect(opened.runs()).toHaveLength(1);
});

test.each([
  { answer: "n", runs: 0 },
  { answer: "y", runs: 1 },
])("at a terminal the answer $answer begins $runs runs", { timeout }, async ({ answer, runs }) => {
  if (!hasScript()) return;
  const opened = open();
  const of = { root: opened.root, env: { ...opened.env, ...without(opened) } };
  await typed(
    of,
    ["run"],
    [
      ["Start? [y]es", "y\n"],
      ["unattended. Start anyway? [y]es  [n]o", `${answer}\n`],
    ],
  );
  expect(opened.runs()).toHaveLength(runs);
});
