// The run's folder in the workspace: a copy for people and agents. It is written again whenever something is missing.
import * as fs from "node:fs";
import { join } from "node:path";
import { readIfExists } from "../../host/disk.ts";
import type { RunFiles, WorkspaceDisk } from "../../runtime/ports.ts";
import { reportHtml } from "../../runtime/records/html/page.ts";
import { readProofs } from "../../runtime/records/html/proof-view.ts";
import { reportText } from "../../runtime/records/report.ts";
import { stateText } from "../../runtime/records/state-json.ts";
import { isoTime, outcomeOf } from "../../runtime/records/words.ts";
import type { Story } from "../../runtime/story.ts";
import type { RunHome } from "./home.ts";
import { patternOf } from "./pattern.ts";

/** Nothing below .loop is anybody's work but what a person put into shape/. */
const ignoreFile =
  "# Written by loop: its own files are not part of the project.\n/tasks/\n/set-aside/\n/hook/\n/state.json\n/.gitignore\n";

export function mirrorRun(home: RunHome, files: RunFiles, disk: WorkspaceDisk, story: Story): void {
  const { run, chronicle } = story;
  const below = `.loop/tasks/${home.task}/runs/${home.run}`;
  const put = (path: string, text: string | null) => {
    if (text !== null && disk.read(path) !== text) disk.write(path, text);
  };
  ignoreOurOwn(disk);
  put(".loop/state.json", stateText(run));
  const outcome = outcomeOf(run);
  const about = {
    version: 1,
    task: home.task,
    run: home.run,
    request: run.contract.request,
    begun: isoTime(chronicle.begunAt),
    follow_up_of: run.contract.followUp.of,
  };
  put(
    `.loop/tasks/${home.task}/task.json`,
    `${JSON.stringify({ version: 1, task: home.task, request: run.contract.request, runs: runsOf(home) }, null, 2)}\n`,
  );
  put(
    `${below}/run.json`,
    `${JSON.stringify({ ...about, outcome, spent: run.spent, features: run.progress }, null, 2)}\n`,
  );
  put(`${below}/request.md`, files.read("request.md"));
  put(
    `${below}/decisions.txt`,
    run.decisions.map(({ question, answer, source }) => `Q: ${question}\nA (${source}): ${answer}\n`).join("\n"),
  );
  const { hint } = patternOf(home.root, story);
  const report = reportText(run, chronicle, hint);
  files.write("report.md", report, "derived");
  put(`${below}/report.md`, report);
  // The page is for when something is over: an iteration, or the run.
  if (outcome !== null || run.now.is === "between") {
    const page = reportHtml(run, chronicle, readProofs(chronicle, files), hint);
    files.write("report.html", page, "derived");
    put(reportPath(home), page);
  }
  for (const name of filesBelow(join(home.dir, "artifacts"))) {
    put(`${below}/artifacts/${name}`, readIfExists(join(home.dir, "artifacts", name)));
  }
  copyNew(home, "proofs", put);
  for (const session of listed(join(home.dir, "sessions"))) copyNew(home, `sessions/${session}`, put);
  for (const diff of listed(join(home.dir, "diffs"))) {
    const feature = diff.replace(/-i\d+\.diff$/, "");
    put(`${below}/artifacts/implement/${feature}/${diff}`, readIfExists(join(home.dir, "diffs", diff)));
  }
}

/** Where the page is in the workspace. */
export const reportPath = ({ task, run }: Pick<RunHome, "task" | "run">): string =>
  `.loop/tasks/${task}/runs/${run}/report.html`;

/** Before anything else is there: what the loop keeps in the workspace must never show up as a change to it. */
export function ignoreOurOwn(disk: WorkspaceDisk): void {
  if (disk.read(".loop/.gitignore") !== ignoreFile) disk.write(".loop/.gitignore", ignoreFile);
}

function filesBelow(dir: string): string[] {
  return listed(dir).flatMap((name) =>
    fs.statSync(join(dir, name)).isDirectory()
      ? filesBelow(join(dir, name)).map((below) => `${name}/${below}`)
      : [name],
  );
}

const copied = /\.(?:json|md)$/;

function copyNew(home: RunHome, folder: string, put: (path: string, text: string | null) => void): void {
  for (const name of listed(join(home.dir, folder))) {
    const there = join(home.mirror, folder, name);
    if (!copied.test(name) || fs.existsSync(there)) continue;
    put(`.loop/tasks/${home.task}/runs/${home.run}/${folder}/${name}`, readIfExists(join(home.dir, folder, name)));
  }
}

function runsOf(home: RunHome): string[] {
  return [...new Set([...listed(join(home.mirror, "..")), home.run])].sort();
}

/** What is in a folder; nothing, where it is no folder. */
function listed(dir: string): string[] {
  return fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true ? fs.readdirSync(dir) : [];
}
