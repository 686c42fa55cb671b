// After a proof of a pull request: a table of its commits for the job's summary.
import { join } from "node:path";
import { addSummary, answerIn, asCode, setOutputs } from "./job.mjs";

const [files = "", code = ""] = process.argv.slice(2);
const answer = answerIn(join(files, "proofs.json"));
if (answer === null) addSummary(`Nothing was proved (exit code ${code}). The log of the step says why.`);
else {
  const rows = answer.commits.flatMap(({ commit, result, subject, why }) => [
    `${commit.slice(0, 10)}  ${result.padEnd(8)}  ${subject}`,
    ...why.flatMap((text) => text.split("\n").map((line) => `            ${line}`)),
  ]);
  addSummary(`${answer.holding} of ${answer.total} commits hold.\n\n${asCode(rows.join("\n"))}`);
}
setOutputs({ "exit-code": code, holding: answer?.holding ?? "", total: answer?.total ?? "", files });
