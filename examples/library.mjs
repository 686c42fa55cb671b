// Runs the open features of a project from code. Try it on a copy of the demo's sample:
//   node examples/library.mjs
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AutonomousLoop } from "loopwright";

const project = process.argv[2] ?? makeSample();
const loop = new AutonomousLoop(project);
const result = await loop.run({
  maxSessions: 20,
  tokenBudget: 500_000,
  autoCheckpoint: true,
  onEvent: (event) => event.type === "committed" && console.log(`committed ${event.commit}`),
});
console.log(result);

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
