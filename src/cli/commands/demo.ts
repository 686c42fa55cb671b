// loop demo: a real run over a sample project, with the built-in rehearsal agent. Only the agent is fake.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../core/errors.ts";
import { ownPath, ownProgram } from "../../host/own-programs.ts";
import { onPath } from "../../project/checks/detect.ts";
import { planRun } from "../../project/plan/plan-run.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { showInBrowser } from "../demo-page.ts";
import { driveAndReport } from "../drive-run.ts";

const sample = fileURLToPath(new URL("../../../samples/demo", import.meta.url));

export async function demo(
  flags: GlobalFlags & { dir?: string; browser?: boolean },
  engineFor?: Parameters<typeof contextOf>[1],
): Promise<number> {
  const root = makeSample(flags.dir);
  const context = contextOf({ ...flags, workspace: root }, engineFor);
  context.comment(`
  A sample project with four features, and a built-in agent that plays a script: real edits, real
  tests, real commits. It lies once, errs once, and once rewrites a test to look good. Watch.
  ${root}${flags.browser === true ? "" : `\n  In the browser: ${inBrowser()}`}\n`);
  const shown = flags.browser === true ? await showInBrowser(root, context) : null;
  const plan = planRun({ root, request: null, flags: {} });
  const terms = { wait: true, attended: false };
  const begun = await context.engine.begin({ plan, kind: "git" }, terms);
  const code = await driveAndReport(begun, context, terms);
  if (!context.json) context.answer(afterwards(root));
  await shown?.untilStopped();
  return code;
}

const inBrowser = (): string =>
  process.env["npm_lifecycle_event"] === "start" ? "npm start -- --browser" : "loop demo --browser";

/** The commands to look at a demo, ready to copy. */
function afterwards(root: string): string {
  return `
Look at it yourself:
  cd ${root}${onPath("loop") === null ? `\n  alias loop="node ${process.argv[1]}"` : ""}
  git log --stat            one commit per feature, each with the hash of its proof
  loop report               the report
  loop show                 every iteration
  loop recover              what was rolled back is still there
`;
}

function makeSample(dir: string | undefined): string {
  const root = dir === undefined ? fs.mkdtempSync(join(tmpdir(), "loop-demo-")) : resolve(dir);
  if (dir !== undefined && fs.existsSync(root) && fs.readdirSync(root).length > 0) {
    throw new UserError("not-empty", {
      what: "The demo did not start.",
      why: `${root} is not empty.`,
      next: "Name a folder that does not exist yet.",
    });
  }
  fs.cpSync(sample, root, { recursive: true });
  const env = { ...process.env, PATH: ownPath() };
  const git = (...args: string[]) =>
    execFileSync(ownProgram("git"), args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Loop Demo");
  git("config", "user.email", "demo@loopwright.invalid");
  git("add", "--all");
  git("commit", "--quiet", "--no-verify", "--message", "A small library of words");
  return fs.realpathSync(root);
}
