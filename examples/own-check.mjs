// A custom check for `openProject(dir, { checks })`: no source file may have more than so many lines. It gets a clean
// checkout and says whether it passes; building the checkout and deciding what that means are the loop's.
//   node examples/own-check.mjs        registers it, and runs the demo's project with it
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openProject } from "loopwright";

export const shortFiles = (linesMax) => ({
  run({ dir }) {
    const files = readdirSync(join(dir, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.js$/.test(name),
    );
    const long = files.filter((name) => readFileSync(join(dir, "src", name), "utf8").split("\n").length > linesMax);
    return {
      passed: long.length === 0,
      output: long.map((name) => `src/${name} has more than ${linesMax} lines.\n`).join(""),
    };
  },
});

async function main() {
  const project = await openProject(makeSample(), { checks: { shortFiles: shortFiles(100) }, trust: true });
  const checks = [
    { name: "test", run: "npm test" },
    { name: "short", library: "shortFiles" },
  ];
  const run = await project.begin({ settings: { checks }, limits: { sessions: 20 } });
  for await (const item of run) if (item.type === "gate") await run.approve(item.gate);
  const { success, why, features } = await run.settled;
  console.log({ success, why, features: features.map(({ id, standing }) => `${id} ${standing}`) });
}

function makeSample() {
  const dir = mkdtempSync(join(tmpdir(), "loop-own-check-"));
  cpSync(fileURLToPath(new URL("../samples/demo", import.meta.url)), dir, { recursive: true });
  const git = (...args) => execFileSync("git", args, { cwd: dir, stdio: "ignore" });
  git("init", "--initial-branch=main");
  git("config", "user.name", "Example");
  git("config", "user.email", "example@loopwright.invalid");
  git("add", "--all");
  git("commit", "--message", "start");
  return dir;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
