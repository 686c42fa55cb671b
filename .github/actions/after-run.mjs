// After a run: its report and proofs go to the folder of the artifact, the report also to the job's summary.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addSummary, answerIn, asCode, setOutputs } from "./job.mjs";

const [files = "", code = ""] = process.argv.slice(2);
const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const loop = (...args) => spawnSync(process.execPath, [cli, ...args], { encoding: "utf8" }).stdout;

const answer = answerIn(join(files, "run.json"));
const run = typeof answer?.run === "string" ? answer.run : "";
if (run === "") addSummary(notBegun(answer?.error));
else keep();
setOutputs({
  "exit-code": code,
  outcome: answer?.outcome?.kind ?? "",
  run,
  "cost-usd": answer?.spent?.costUsd ?? "",
  files,
});

function notBegun(error) {
  const text = error === undefined ? "" : `${error.what} ${error.why}\nNext: ${error.next}`;
  process.stderr.write(`${text}\n`);
  return `The run did not begin (exit code ${code}). ${text === "" ? "The log of the step says why." : `\n\n${asCode(text)}`}`;
}

function keep() {
  const text = loop("report", "--run", run);
  addSummary(text);
  writeFileSync(join(files, "report.md"), text);
  copyFileSync(loop("report", "--html", "--run", run).trim(), join(files, "report.html"));
  const vaults = join(process.env.XDG_STATE_HOME ?? join(homedir(), ".local", "state"), "loopwright");
  for (const vault of readdirSync(vaults)) {
    const proofs = join(vaults, vault, "runs", run, "proofs");
    if (existsSync(proofs)) cpSync(proofs, join(files, "proofs"), { recursive: true });
  }
}
