// Resumes a run with what changed since it began: checks first, and writes nothing if something is wrong.
import type { Limits } from "../core/limits.ts";
import { autoloopNames } from "../formats/config/autoloop-yaml.ts";
import type { LoopYaml } from "../formats/config/loop-yaml.ts";
import { defaults } from "../formats/config/settings.ts";
import { withPrices } from "../project/agents/agent-prices.ts";
import { agentName } from "../project/agents/agent-words.ts";
import { withAgents, withEdits, withModel } from "../project/agents/chosen-agents.ts";
import { twoVendors } from "../project/agents/two-vendors.ts";
import { configurationIn } from "../project/config/config-files.ts";
import { type Configured, configuredBy, keepConfigured, readConfigured } from "../project/config/configured.ts";
import { readInputs } from "../project/config/contract-inputs.ts";
import { agentChanges, type Change, changeText, drift } from "../project/config/drift.ts";
import { readConfiguration } from "../project/config/read-once.ts";
import { workspaceDisk } from "../project/place/workspace-disk.ts";
import { agentsFor } from "../project/plan/plan-run.ts";
import { runFiles } from "../project/runs/home.ts";
import type { SignalFact, WorkspaceDisk } from "../runtime/ports.ts";
import { known } from "../runtime/records/guard.ts";
import { guardedPaths } from "../runtime/records/paths.ts";
import { version } from "../version.ts";
import { refuseMissing } from "./begin.ts";
import { changedLimits, editedLimits } from "./changed-limits.ts";
import type { Crew } from "./current-agents.ts";
import type { Changes } from "./engine.ts";
import type { Running } from "./running.ts";

/** How a fact gets on record: directly, or through the driver of the run, which alone may write while it drives. */
export type Recorder = (fact: SignalFact) => Promise<unknown>;

export type TakenUp = {
  readonly changes: readonly Change[];
  /** The content of the event that resumes the run. */
  readonly going: { readonly limits: Partial<Limits>; readonly crew?: "new" };
};

export async function takeUp(
  run: Running,
  { flags, model, yesReally = false }: Changes,
  record: Recorder,
): Promise<TakenUp> {
  const files = runFiles(run.home.dir);
  const now = configuredBy(run.home.root, readBelieved(run));
  const began = readConfigured(files) ?? now;
  const seen = drift({ configured: began, version: run.story.chronicle.version }, { configured: now, version });
  const given = Object.keys(flags.limits ?? {});
  const others = [...seen, ...unbelieved(run)].filter(({ what }) => !given.some((key) => what === `limits.${key}`));
  const limits = limitsNow(run, began, now, flags.limits ?? {}, yesReally);
  const said = { agents: flags.agents ?? {}, model: model ?? null };
  const { changes: replaced, ...crew } = await replaceCrew(run, began, now, said, record);
  // What a change of the files means for the agents depends on who worked before.
  const changes = [...others.filter(({ what }) => what !== "env" && !what.startsWith("agents.")), ...replaced];
  for (const change of changes) await record({ type: "noted", about: "changed", text: changeText(change) });
  // What cannot apply remains a difference and is reported each time.
  keepConfigured(files, { ...began, limits: now.limits, agents: now.agents, env: now.env });
  return { changes, going: { limits, ...crew } };
}

/** A changed configuration that does not count is said: its effect would be waited for. */
function unbelieved({ home, story }: Running): Change[] {
  if (story.run.now.is === "resting") return [];
  const [disk, files] = [workspaceDisk(home.project.root), runFiles(home.dir)];
  const isOurs = disk.read("loop.yaml") !== null || known(files, "loop.yaml") !== null;
  const why = "The run was interrupted, and an agent may have made the change. Make it while the run is paused.";
  return (isOurs ? ["loop.yaml"] : autoloopNames)
    .filter((name) => disk.read(name) !== known(files, name))
    .map((name) => ({ what: name, from: "as the run knows it", to: "changed", applies: "next run", why }));
}

/** If the run was interrupted, an agent may have written last, so the loop's known copies are used. */
function readBelieved({ home, story, plan }: Running): ReturnType<typeof readInputs> {
  const disk = workspaceDisk(home.root);
  if (story.run.now.is === "resting") return readInputs(home.root, disk, {});
  const files = runFiles(home.dir);
  const { recordsDir } = plan.contract;
  const guarded = guardedPaths(recordsDir);
  const believed: WorkspaceDisk = {
    ...disk,
    read: (path) => (guarded.includes(path) ? known(files, path) : disk.read(path)),
  };
  const isSame = disk.read("loop.yaml") === known(files, "loop.yaml");
  const configuration = isSame ? readConfiguration(home.root, believed) : configurationIn(home.root, believed.read);
  return readInputs(home.root, believed, {}, configuration);
}

function limitsNow(
  { story }: Running,
  began: Configured,
  now: Configured,
  flags: NonNullable<LoopYaml["limits"]>,
  yesReally: boolean,
): Partial<Limits> {
  return changedLimits(story.run, editedLimits(began, now), flags, yesReally);
}

type Replaced = { readonly changes: readonly Change[]; readonly crew?: "new" };

/** What changed in the files or on the command line, applied to the agents that the run has. Everything else stays. */
async function replaceCrew(
  run: Running,
  began: Configured,
  now: Configured,
  said: { readonly agents: NonNullable<LoopYaml["agents"]>; readonly model: string | null },
  record: Recorder,
): Promise<Replaced> {
  const before: Crew = { agents: run.agents, env: run.env };
  const edited = isSame(began.agents, now.agents) ? before.agents : await editedAgents(run, began, now);
  const agents = withModel(withAgents(edited, said.agents), said.model);
  const crew: Crew = { agents, env: isSame(began.env, now.env) ? before.env : now.env };
  const isNew = !isSame(agents, before.agents);
  if (!isNew && isSame(crew.env, before.env)) return { changes: [] };
  await refuseMissing(crew, run.home.root, run.registered, "The run did not go on. Nothing is lost.");
  if (isNew) {
    const text = `${agentName(agents.maker)} makes and ${agentName(agents.checker)} checks from now on.`;
    await record({ type: "noted", about: "agents", text });
  }
  run.useAgents(crew);
  return { changes: agentChanges(before, crew), ...(isNew ? { crew: "new" } : {}) };
}

/** Roles that the files name otherwise than when the run began. What was found or chosen for the others holds. */
async function editedAgents(run: Running, began: Configured, now: Configured): Promise<Crew["agents"]> {
  const { sandbox = "off", network = null, diskGb = now.diskGb ?? defaults.diskGb } = began;
  const isOpen = now.agents.maker === null && now.agents.checker === null;
  const here = isOpen ? await twoVendors(run.home.root, { env: now.env, sandbox }) : null;
  const named = agentsFor({ sandbox, network, diskGb, agents: now.agents }, here ?? undefined);
  return withPrices(withEdits(run.agents, { began: began.agents, now: now.agents, named }), run.home.project.root)
    .agents;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
