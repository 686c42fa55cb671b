// Creates a first loop.yaml and contract. Checks everything first, overwrites nothing, and keeps what it replaces.

import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { limitsFrom } from "../../core/limits.ts";
import { parseLoopYaml } from "../../formats/config/loop-yaml.ts";
import { draftLoopYaml } from "../../formats/config/loop-yaml-draft.ts";
import { type Autonomy, type CheckSettings, settle } from "../../formats/config/settings.ts";
import { draftLoopMd, readLoopMd } from "../../formats/contract/loop-md.ts";
import { markAnswered } from "../../formats/contract/loop-md-mark.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { isErrno, lstatIfExists, statIfExists } from "../../host/disk.ts";
import { featuresPath, isInIgnored, keptRecordsDir, ownRecordsDir, recordPath } from "../../runtime/records/paths.ts";
import { findRepositoryRoot } from "../../workspace/open.ts";
import { type AgentHere, agentsHere } from "../agents/agents-here.ts";
import { detectChecks } from "../checks/detect.ts";
import { loadSettings } from "../config/settings.ts";
import { trust } from "../config/trust.ts";
import { workspaceDisk } from "../place/workspace-disk.ts";

export type Survey = {
  readonly root: string;
  readonly git: boolean;
  readonly agents: readonly AgentHere[];
  readonly detected: readonly CheckSettings[];
  readonly recordsDir: string;
  /** The goal of an existing contract that is kept. */
  readonly goal: string | null;
  /** Open features of the work queue; null: there is no queue. */
  readonly open: number | null;
  /** A queue of earlier runs that the contract takes along into its folder. */
  readonly queue: { readonly path: string; readonly text: string } | null;
  /** The two files, and whether they exist. */
  readonly files: { readonly yaml: InitFile; readonly contract: InitFile };
};
export type InitFile = { readonly path: string; readonly isThere: boolean };
export type InitAnswers = {
  readonly goal: string;
  /** Empty: none yet. */
  readonly check: string;
  readonly autonomy: Autonomy;
  readonly agent: string | null;
};
export type Initialised = {
  readonly wrote: readonly string[];
  readonly left: readonly string[];
  readonly kept: readonly string[];
};

export async function survey(root: string, options: { force: boolean }): Promise<Survey> {
  // A file that is about to be replaced may be broken; one that stays may not.
  const loaded = options.force ? settle({}) : loadSettings(root, {}, true);
  // A person who asks for a contract keeps it with the project.
  const settings = isInIgnored(loaded.recordsDir) ? { ...loaded, recordsDir: keptRecordsDir } : loaded;
  refuseNoFolder(root, settings.recordsDir);
  const path = featuresPath(settings.recordsDir);
  const kept = workspaceDisk(root).read(path);
  const own =
    kept === null && settings.recordsDir === keptRecordsDir
      ? workspaceDisk(root).read(featuresPath(ownRecordsDir))
      : null;
  const queue = kept ?? own;
  const features = queue === null ? null : parseFeaturesJson(queue, path).features;
  const contract = options.force ? null : workspaceDisk(root).read(recordPath(settings.recordsDir, "LOOP.md"));
  const file = (path: string): InitFile => ({ path, isThere: isThere(join(root, path)) });
  return {
    root,
    git: findRepositoryRoot(root) !== null,
    agents: await agentsHere(root, settings),
    detected: settings.checks ?? detectChecks(root),
    recordsDir: settings.recordsDir,
    goal: contract === null ? null : readLoopMd(contract).goal,
    open: features?.filter(({ status }) => status !== "complete" && status !== "existing").length ?? null,
    queue: own === null ? null : { path, text: own },
    files: { yaml: file("loop.yaml"), contract: file(recordPath(settings.recordsDir, "LOOP.md")) },
  };
}

/** Everything is drafted and validated before the first byte is written. */
export function initialise(found: Survey, answers: InitAnswers, options: { force: boolean }): Initialised {
  const { yaml, contract } = found.files;
  const checks = checksOf(found, answers.check);
  const texts = [
    { ...yaml, text: yamlText(found, answers, checks) },
    { ...contract, text: contractText(answers, checks) },
  ];
  const due = texts.filter(({ isThere }) => options.force || !isThere);
  const kept = due.filter((file) => file.isThere).map(({ path }) => keepOld(found.root, path));
  if (found.queue !== null) writeNew(found.root, found.queue.path, found.queue.text);
  for (const { path, text } of due) writeNew(found.root, path, text);
  // What the person has just answered needs no second question.
  if (due.some(({ path }) => path === yaml.path)) trust(found.root);
  return {
    wrote: [...due.map(({ path }) => path), ...(found.queue === null ? [] : [found.queue.path])],
    left: texts.filter((file) => !due.includes(file)).map(({ path }) => path),
    kept,
  };
}

/** Detected checks keep their names; one that a person typed is "test". */
function checksOf({ detected }: Survey, check: string): Pick<CheckSettings, "name" | "run" | "must">[] {
  if (check === "") return [];
  const known = detected.filter(({ run }) => run === check);
  return known.length > 0 ? known : [{ name: "test", run: check, must: "stay-green" }];
}

function yamlText(
  { root, agents }: Survey,
  { agent }: InitAnswers,
  checks: readonly Pick<CheckSettings, "name" | "run">[],
): string {
  const schema = "node_modules/loopwright/schema/loop.json";
  const text = draftLoopYaml({
    agent,
    agentsHere: agents.map(({ kind }) => kind),
    checks,
    schema: fs.existsSync(join(root, schema)) ? `./${schema}` : null,
  });
  parseLoopYaml(text, "The loop.yaml that was asked for");
  return text;
}

const contractText = ({ goal, autonomy }: InitAnswers, checks: Parameters<typeof draftLoopMd>[0]["checks"]): string =>
  markAnswered(draftLoopMd({ goal, include: [], exclude: [], autonomy, checks, limits: limitsFrom({}) }));

/** A dangling link exists, too. */
const isThere = (path: string): boolean => lstatIfExists(path) !== undefined;

/** Under the first free name, so that an earlier backup is not overwritten. */
function keepOld(root: string, path: string): string {
  for (let number = 1; ; number++) {
    const kept = `${path}.bak${number === 1 ? "" : `-${number}`}`;
    if (isThere(join(root, kept))) continue;
    fs.renameSync(join(root, path), join(root, kept));
    return kept;
  }
}

/** Never overwrites a file created in the meantime. */
function writeNew(root: string, path: string, text: string): void {
  const full = join(root, path);
  fs.mkdirSync(dirname(full), { recursive: true });
  try {
    fs.writeFileSync(full, text, { flag: "wx" });
  } catch (error) {
    if (!isErrno(error, "EEXIST")) throw error;
    throw inTheWay(path, "Something is there already.");
  }
}

function refuseNoFolder(root: string, folder: string): void {
  const stat = statIfExists(join(root, folder));
  if (stat !== undefined && !stat.isDirectory())
    throw inTheWay(`${folder}/LOOP.md`, `${folder} is a file, and should be a folder.`);
}

const inTheWay = (path: string, why: string): UserError =>
  new UserError("file-in-the-way", { what: `${path} was not written.`, why, next: "Move it away, then: loop init" });
