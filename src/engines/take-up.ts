// What changed since a run began, checked, and what it means for the run. Writes nothing: resuming does, once all is checked.
import type { Limits } from "../core/limits.ts";
import type { NoteKind } from "../core/note-kinds.ts";
import { autoloopNames } from "../formats/config/autoloop-yaml.ts";
import type { LoopYaml } from "../formats/config/loop-yaml.ts";
import { defaults } from "../formats/config/settings.ts";
import { withPrices } from "../project/agents/agent-prices.ts";
import { agentName } from "../project/agents/agent-words.ts";
import { withAgents, withEdits, withModel } from "../project/agents/chosen-agents.ts";
import { twoVendors } from "../project/agents/two-vendors.ts";
import { configurationIn } from "../project/config/config-files.ts";
import { type Configured, configuredBy, readConfigured } from "../project/config/configured.ts";
import { readInputs } from "../project/config/contract-inputs.ts";
import { agentChanges, type Change, changeText, drift } from "../project/config/drift.ts";
import { readConfiguration } from "../project/config/read-once.ts";
import { workspaceDisk } from "../project/place/workspace-disk.ts";
import { agentsFor } from "../project/plan/plan-run.ts";
import { runFiles } from "../project/runs/home.ts";
import type { WorkspaceDisk } from "../runtime/ports.ts";
import { known } from "../runtime/records/guard.ts";
import { guardedPaths } from "../runtime/records/paths.ts";
import { version } from "../version.ts";
import { refuseMissing } from "./begin.ts";
import { changedLimits, editedLimits } from "./changed-limits.ts";
import type { Crew } from "./current-agents.ts";
import type { Changes } from "./engine.ts";
import type { Running } from "./running.ts";

export type TakenUp = {
  readonly changes: readonly Change[];
  /** For the run log. */
  readonly notes: readonly { readonly about: NoteKind; readonly text: string }[];
  /** Those that work from the next session on; null: no others than before. */
  readonly crew: Crew | null;
  /** The content of the event that resumes the run. */
  readonly going: { readonly limits: Partial<Limits>; readonly crew?: "new" };
  /** What later changes are compared with, once that event is on record: until then these have not been taken up. */
  readonly configured: Configured;
};

export async function takeUp(run: Running, { flags, model, yesReally = false }: Changes): Promise<TakenUp> {
  const files = runFiles(run.home.dir);
  const now = configuredBy(run.home.root, readBelieved(run));
  const began = readConfigured(files) ?? now;
  const seen = drift({ configured: began, version: run.story.chronicle.version }, { configured: now, version });
  const given = Object.keys(flags.limits ?? {});
  const others = [...seen, ...unbelieved(run)].filter(({ what }) => !given.some((key) => what === `limits.${key}`));
  const limits = limitsNow(run, began, now, flags.limits ?? {}, yesReally);
  const said = { agents: flags.agents ?? {}, model: model ?? null };
  const { crew, isNew } = await crewNow(run, began, now, said);
  const replaced = crew === null ? [] : agentChanges({ agents: run.agents, env: run.env }, crew);
  // What a change of the files means for the agents depends on who worked before.
  const changes = [...others.filter(({ what }) => what !== "env" && !what.startsWith("agents.")), ...replaced];
  return {
    changes,
    notes: [
      ...(crew === null || !isNew ? [] : [{ about: "agents", text: crewText(crew) } as const]),
      ...changes.map((change) => ({ about: "changed", text: changeText(change) }) as const),
    ],
    crew,
    going: { limits, ...(isNew ? { crew: "new" } : {}) },
    // What cannot apply remains a difference and is reported each time.
    configured: { ...began, limits: now.limits, agents: now.agents, env: now.env },
  };
}

const crewText = ({ agents }: Crew): string =>
  `${agentName(agents.maker)} makes and ${agentName(agents.checker)} checks from now on.`;

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

/** What changed in the files or on the command line, applied to the agents that the run has. Everything else stays. */
async function crewNow(
  run: Running,
  began: Configured,
  now: Configured,
  said: { readonly agents: NonNullable<LoopYaml["agents"]>; readonly model: string | null },
): Promise<{ readonly crew: Crew | null; readonly isNew: boolean }> {
  const before: Crew = { agents: run.agents, env: run.env };
  const edited = isSame(began.agents, now.agents) ? before.agents : await editedAgents(run, began, now);
  const agents = withModel(withAgents(edited, said.agents), said.model);
  const crew: Crew = { agents, env: isSame(began.env, now.env) ? before.env : now.env };
  const isSameCrew = isSame(agents, before.agents);
  // Agents that the files have named since were not yet taken up, even if a process that was killed has replaced them.
  const isNew = !isSameCrew || !isSame(began.agents, now.agents);
  if (isSameCrew && isSame(crew.env, before.env)) return { crew: null, isNew };
  await refuseMissing(crew, run.home.root, run.registered, "The run did not go on. Nothing is lost.");
  return { crew, isNew };
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
