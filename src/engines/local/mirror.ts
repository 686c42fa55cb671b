// The run's folder in the workspace: a copy for people and agents. It is rewritten whenever something is missing.
import * as fs from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { entriesOf, progressIn } from "../../core/progresses.ts";
import { readIfExists, statIfExists } from "../../host/disk.ts";
import { ignoreOurOwn } from "../../project/place/ignore-own.ts";
import type { RunHome } from "../../project/runs/home.ts";
import { listRuns } from "../../project/runs/list-runs.ts";
import { reportPath } from "../../project/runs/report-page.ts";
import { reportHtml } from "../../report/html/page.ts";
import { phaseLogText } from "../../report/markdown/phase-log.ts";
import { reportText } from "../../report/markdown/report.ts";
import { overview } from "../../report/overview.ts";
import { readProofs } from "../../report/proof-view.ts";
import { isOthersState, stateText } from "../../report/state-json.ts";
import type { Story } from "../../report/story.ts";
import { isoTime, outcomeOf } from "../../report/words/words.ts";
import { countsForHabit, habitOf } from "../../runtime/habit.ts";
import type { RunFiles, WorkspaceDisk } from "../../runtime/ports.ts";
import { othersState, statePath } from "../../runtime/records/paths.ts";
import { roleIn } from "../conversation.ts";
import { ledgerText } from "./ledger.ts";
import { readStory } from "./read-story.ts";

/** Written below .loop, but not in a folder that git ignores as a whole. */
export const mirrored = [statePath, ".loop/.gitignore"];

/**
 * `light` during an iteration: only new files are copied. Otherwise everything is checked, and when the run rests or is
 * over, the parts that grow with it are written as well: the report, and the progress of each feature.
 */
export function mirrorRun(
  home: RunHome,
  files: RunFiles,
  disk: WorkspaceDisk,
  story: Story,
  options: { light: boolean; landing?: boolean },
): void {
  const { run, chronicle } = story;
  const below = `.loop/tasks/${home.task}/runs/${home.run}`;
  const put = (path: string, text: string | null) => {
    if (text !== null && disk.read(path) !== text) disk.write(path, text);
  };
  ignoreOurOwn(disk);
  // Another loop's state stays: it resumes from it. Its file may even be committed.
  const isTheirs = options.landing === true && isOthersState(disk.read(statePath));
  if (!isTheirs && (!options.light || !isThere(home, statePath)))
    put(statePath, files.read(othersState) ?? stateText(run, chronicle));
  const outcome = outcomeOf(run);
  const isWhole = outcome !== null || !isThere(home, `${below}/run.json`);
  if (isWhole) putWhole(home, files, put, story);
  put(
    `${below}/decisions.txt`,
    run.decisions.map(({ question, answer, source }) => `Q: ${question}\nA (${source}): ${answer}\n`).join("\n"),
  );
  if (isWhole) copied.delete(home);
  copyNew(home, "proofs", put);
  for (const session of fresh(home, "sessions").filter((name) => !isExaminers(name))) {
    copyNew(home, `sessions/${session}`, put);
    // The session of a resting run may still be resumed in its folder.
    if (outcome === null && chronicle.iterations.length > 0) setCopied(home, `sessions/${session}`);
  }
  for (const diff of fresh(home, "diffs")) {
    const feature = diff.replace(/-i\d+\.diff$/, "");
    put(`${below}/artifacts/implement/phases/${feature}/${diff}`, readIfExists(join(home.dir, "diffs", diff)));
    setCopied(home, `diffs/${diff}`);
  }
}

/** Sessions that write tests which no builder may see: builders work in this folder. */
const isExaminers = (session: string): boolean => roleIn(session) === "examiner";

function putWhole(
  home: RunHome,
  files: RunFiles,
  put: (path: string, text: string | null) => void,
  story: Story,
): void {
  const { run, chronicle } = story;
  const below = `.loop/tasks/${home.task}/runs/${home.run}`;
  const features = Object.fromEntries(entriesOf(run.progress));
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
  put(`.loop/tasks/${home.task}/ledger.json`, ledgerText(home, story));
  put(
    `${below}/run.json`,
    `${JSON.stringify({ ...about, outcome: outcomeOf(run), spent: run.spent, phases: phasesOf(run), features }, null, 2)}\n`,
  );
  put(`${below}/raw_phase_log.md`, phaseLogText(chronicle));
  put(`${below}/request.md`, files.read("request.md"));
  const habit = habitOf(story, earlierThan(home, story));
  // It is written by the process that drives the run.
  const shown = overview(story, { isDriven: true, proofs: readProofs(chronicle, files), habit });
  const report = reportText(shown);
  files.write("report.md", report, "derived");
  put(`${below}/report.md`, report);
  const page = reportHtml(shown);
  files.write("report.html", page, "derived");
  put(reportPath(home.task, home.run), page);
  for (const name of filesBelow(join(home.dir, "artifacts"))) {
    put(`${below}/artifacts/${name}`, readIfExists(join(home.dir, "artifacts", name)));
  }
}

/** A feature is a phase: its id is the key of its folders below `artifacts/`. */
const phasesOf = ({ contract, progress }: Story["run"]): object[] =>
  contract.features.map(({ id, name }) => ({
    phase_id: id,
    title: name,
    status: progressIn(progress, id)?.status ?? "not-started",
  }));

/** Older runs are too long ago to matter. */
const earlierMax = 50;

function earlierThan({ project: { root }, run }: RunHome, story: Story): Story[] {
  if (!countsForHabit(story)) return [];
  const names = listRuns(root).filter((name) => name < run);
  return names.slice(0, earlierMax).flatMap((name) => {
    try {
      return [readStory(root, name).story];
    } catch (error) {
      if (error instanceof UserError) return []; // It can no longer be read.
      throw error;
    }
  });
}

function filesBelow(dir: string): string[] {
  return listed(dir).flatMap((name) =>
    fs.statSync(join(dir, name)).isDirectory()
      ? filesBelow(join(dir, name)).map((below) => `${name}/${below}`)
      : [name],
  );
}

/** What this process has already copied: checking every session again would cost more with each one. */
const copied = new WeakMap<RunHome, Set<string>>();
const setCopied = (home: RunHome, path: string): void => {
  copied.set(home, (copied.get(home) ?? new Set()).add(path));
};
const fresh = (home: RunHome, folder: string): string[] =>
  listed(join(home.dir, folder)).filter((name) => copied.get(home)?.has(`${folder}/${name}`) !== true);

const isThere = (home: RunHome, path: string): boolean => fs.existsSync(join(home.root, path));

const forPeople = /\.(?:json|md)$/;

function copyNew(home: RunHome, folder: string, put: (path: string, text: string | null) => void): void {
  for (const name of fresh(home, folder)) {
    const there = join(home.mirror, folder, name);
    if (!forPeople.test(name)) continue;
    if (!fs.existsSync(there))
      put(`.loop/tasks/${home.task}/runs/${home.run}/${folder}/${name}`, readIfExists(join(home.dir, folder, name)));
    if (folder === "proofs") setCopied(home, `${folder}/${name}`);
  }
}

function runsOf(home: RunHome): string[] {
  return [...new Set([...listed(join(home.mirror, "..")), home.run])].sort();
}

/** The entries of a folder; empty if it is not a folder. */
function listed(dir: string): string[] {
  return statIfExists(dir)?.isDirectory() === true ? fs.readdirSync(dir) : [];
}
