// Runs the open features of a project from code. Try it on a copy of the demo's sample:
//   node examples/library.mjs
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openProject } from "loopwright";

// The sample's loop.yaml is ours: we agree to the programs that it names.
const project = await openProject(process.argv[2] ?? makeSample(), { trust: process.argv[2] === undefined });
const run = await project.begin({ limits: { sessions: 20, tokens: 500_000 } });
for await (const item of run) {
  if (item.type === "sign" && item.sign.sign === "progress" && item.sign.note)
    console.log(`  ${item.role}: ${item.sign.note}`);
  if (item.type === "event" && item.event.type === "committed") console.log(`committed ${item.event.commit}`);
  if (item.type === "gate") await run.approve(item.gate);
}
const { success, why, done, total, spent } = await run.settled;
console.log({ success, why, done, total, costUsd: spent.costUsd });

function makeSample() {
  const dir = mkdtempSync(join(tmpdir(), "loop-library-"));
  cpSync(fileURLToPath(new URL("../samples/demo", import.meta.url)), dir, { recursive: true });
  const git = (...args) => execFileSync("git", args, { cwd: dir, stdio: "ignore" });
  git("init", "--initial-branch=main");
  git("config", "user.name", "Example");
  git("config", "user.email", "example@loopwright.invalid");
  git("add", "--all");
  git("commit", "--message", "start");
  return dir;
}
