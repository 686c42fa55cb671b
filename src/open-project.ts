// The library: a project and its runs, from code. The same runs as the command line's, with the same journal and vault.

import { existsSync, realpathSync } from "node:fs";
import type { Agent } from "./agents/agent.ts";
import type { Check } from "./checks/check.ts";
import { UserError } from "./core/errors.ts";
import type { Engine, Landed } from "./engines/engine.ts";
import { goOn } from "./engines/go-on.ts";
import { land, runToLand } from "./engines/landing.ts";
import { LocalEngine } from "./engines/local/engine.ts";
import { isReadable, overviewsOf } from "./engines/overview.ts";
import { type Resumable, resumableRun } from "./engines/resumable.ts";
import { findRestingRun } from "./engines/watch.ts";
import { type LoopYaml, parseLoopYaml } from "./formats/config/loop-yaml.ts";
import { type Names, refuseWrongOptions } from "./project/config/given-options.ts";
import { requireTrust } from "./project/config/trust.ts";
import { prepareRun } from "./project/plan/prepare-run.ts";
import { nothingLeft } from "./project/queue/nothing-left.ts";
import { ProjectRun, type Settled, settledIn } from "./project-run.ts";
import type { Overview } from "./report/overview.ts";
import { refuseForeign } from "./workspace/owner.ts";

/** What a program brings to a project. */
export type ProjectOptions = {
  /** Agents of your own, by name. Use one with `settings: { agents: { maker: { kind: "library", name: "mine" } } }`. */
  readonly agents?: Readonly<Record<string, Agent>>;
  /** Checks of your own, by name. Use one with `settings: { checks: [{ name: "budget", library: "mine" }, …] }`. */
  readonly checks?: Readonly<Record<string, Check>>;
  /** Where runs are kept and driven. By default, in this process and the workspace's vault. */
  readonly engine?: Engine;
  /** Agrees to the programs, permissions and variables that the project's own loop.yaml names. */
  readonly trust?: boolean;
};

/** What a run should do, and within which limits. All of it is optional. */
export type BeginOptions = {
  /** What should be done. If omitted: the open features of docs/FEATURES.json. */
  readonly request?: string;
  /** The keys of `limits:` in loop.yaml. They take precedence over it. */
  readonly limits?: LoopYaml["limits"];
  /** Any other setting of loop.yaml; takes precedence over the workspace's file. */
  readonly settings?: LoopYaml;
  /** Works without git, with only the vault. */
  readonly noGit?: boolean;
  /** Waits for usage limits to end. True unless said otherwise. */
  readonly wait?: boolean;
  /** Skips the review before building. */
  readonly yes?: boolean;
  /** Takes limits above the built-in ceilings. */
  readonly yesReally?: boolean;
};

/** How to go on with a run that rests. */
export type ContinueOptions = {
  readonly run?: string;
  readonly wait?: boolean;
  /** They replace the limits of the run: a run at its cap resumes with a higher one. */
  readonly limits?: LoopYaml["limits"];
  readonly yesReally?: boolean;
};

/** Programs misspell keys as people do: an unknown key is an error, and never ignored. */
const parsed = (verb: string, given: LoopYaml): LoopYaml =>
  parseLoopYaml(JSON.stringify(given), `What was given to ${verb}`);

/** Every option, so that the compiler keeps the lists complete. */
const projectNames: Names<ProjectOptions> = { agents: "object", checks: "object", engine: "object", trust: "boolean" };
const beginNames: Names<BeginOptions> = {
  request: "string",
  limits: "object",
  settings: "object",
  noGit: "boolean",
  wait: "boolean",
  yes: "boolean",
  yesReally: "boolean",
};
const continueNames: Names<ContinueOptions> = {
  run: "string",
  wait: "boolean",
  limits: "object",
  yesReally: "boolean",
};

/** Opens a folder as a project. Nothing is written. */
export async function openProject(dir: string, options: ProjectOptions = {}): Promise<Project> {
  refuseWrongOptions("openProject", "The project was not opened.", options, projectNames);
  if (!existsSync(dir)) throw noFolder(dir);
  const { agents = {}, checks = {} } = options;
  for (const [name, agent] of Object.entries(agents))
    refuseIncomplete("agent", name, agent, ["probe", "launch", "reader"]);
  for (const [name, check] of Object.entries(checks)) refuseIncomplete("check", name, check, ["run"]);
  const root = realpathSync(dir);
  refuseForeign(root);
  return new Project(root, options.engine ?? new LocalEngine(root, { agents, checks }), options.trust === true);
}

const noFolder = (dir: string): UserError =>
  new UserError("no-workspace", {
    what: "The project was not opened.",
    why: `${dir} is not a folder.`,
    next: "Name a folder that is there.",
  });

function refuseIncomplete<T>(
  what: "agent" | "check",
  name: string,
  given: T,
  parts: readonly (keyof T & string)[],
): void {
  const missing = parts.filter((part) => typeof given?.[part] !== "function");
  if (missing.length === 0) return;
  throw new UserError("bad-config", {
    what: "The project was not opened.",
    why: `The ${what} ${JSON.stringify(name)} has no ${missing.join(", no ")}.`,
    next: `${what === "agent" ? "An agent" : "A check"} has ${parts.join(", ")}: see examples/own-${what}.mjs.`,
  });
}

/** A folder with its runs. Made by `openProject`. */
export class Project {
  readonly root: string;
  readonly #engine: Engine;

  readonly #trust: boolean;

  constructor(root: string, engine: Engine, trust = false) {
    this.root = root;
    this.#engine = engine;
    this.#trust = trust;
  }

  /** Begins a run, and drives it. Throws a UserError if it cannot begin; then nothing was written. */
  async begin(options: BeginOptions = {}): Promise<ProjectRun> {
    refuseWrongOptions("begin", "The run did not start.", options, beginNames);
    const { request = null, limits, settings = {}, wait = true, yes = false, yesReally = false } = options;
    const given = { ...settings, limits: { ...settings.limits, ...limits } };
    const flags = parsed("begin()", given);
    const plan = await prepareRun({ root: this.root, request, flags, yes, yesReally }, this.#trust);
    const terms = { wait, attended: true };
    const kind = options.noGit === true ? "plain" : "git";
    return new ProjectRun(this.#engine, await this.#engine.begin({ plan, kind }, terms), terms);
  }

  /** The latest run, if it has to be resumed, answered or given up before another one begins; null: nothing is in the way. */
  async resumable(hasRequest = false): Promise<Resumable | null> {
    return await resumableRun(this.#engine, hasRequest);
  }

  /** How many features are in scope, if all of them are complete; else null. */
  finished(settings: LoopYaml = {}): number | null {
    return nothingLeft(this.root, parsed("begin()", settings))?.done ?? null;
  }

  /** The run that `continue()` resumes: the latest that is not over and that no process drives; else the latest. */
  async runToContinue(named?: string): Promise<string> {
    return findRestingRun(this.#engine, named);
  }

  /** Lets a run go on that was paused, waits or was interrupted: the named one, or `runToContinue()`. */
  async continue(options: ContinueOptions = {}): Promise<ProjectRun> {
    refuseWrongOptions("continue", "The run was not continued.", options, continueNames);
    const flags = parsed("continue()", { limits: options.limits ?? {} });
    const run = await this.runToContinue(options.run);
    requireTrust(this.root, this.#trust);
    const terms = { wait: options.wait ?? true, attended: true };
    const gone = await goOn(this.#engine, run, terms, { flags, yesReally: options.yesReally === true });
    return new ProjectRun(this.#engine, gone, terms);
  }

  /** Lands a run as `ProjectRun.land` does; the latest with commits that have not landed, unless one is named. */
  async land(run?: string): Promise<Landed> {
    return land(this.#engine, await runToLand(this.#engine, run));
  }

  /** How a run ended, or stands. */
  async look(run: string): Promise<Settled> {
    return settledIn(this.#engine, run);
  }

  /** Every run that is kept here, newest first, except those that can no longer be read: `look` says why. */
  async runs(): Promise<readonly Overview[]> {
    return (await overviewsOf(this.#engine)).filter(isReadable);
  }
}
