// The walls of this machine, and those around each session of a run.
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { claudeState } from "../../agents/claude/claude.ts";
import { thisMachine } from "../../agents/cli/machine.ts";
import { codexState } from "../../agents/codex/state.ts";
import { furnish, type PrivateState } from "../../agents/session/private-state.ts";
import type { SessionResult, SessionWalls } from "../../agents/session/session.ts";
import type { CheckSpec } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import type { AgentSettings, Autonomy, Network, Settings } from "../../formats/config/settings.ts";
import { type Gateway, startGateway } from "../../gateway/gateway.ts";
import { registries } from "../../gateway/registries.ts";
import type { Confine } from "../../host/confine/confine.ts";
import { type Trial, tryWalls } from "../../host/confine/trial.ts";
import { removeTree } from "../../host/remove-tree.ts";
import { makeGit } from "../../workspace/git/git.ts";
import { vaultsDir } from "../../workspace/vault.ts";
import type { Inside } from "../agents/agents.ts";
import { findInside, withoutCredentials } from "./found-inside.ts";
import { type ApartOrder, layApart, layersFor } from "./ignored-apart.ts";
import {
  bridgePrefix,
  codexKey,
  costsFor,
  envInside,
  networkOf,
  openaiInside,
  socketInside,
  upstreamsOf,
} from "./model-access.ts";
import { layToolCaches, toolCaches } from "./tool-caches.ts";

let tried: Promise<Trial> | null = null;

/** Tried once by each process, and remembered for the machine. */
function wallsHere(): Promise<Trial> {
  tried ??= tryWalls(join(vaultsDir(), "walls.json"));
  return tried;
}

/** Null: this machine has no walls. */
export async function confineHere(): Promise<Confine | null> {
  const trial = await wallsHere();
  return trial.works ? trial.confine : null;
}

const states: Partial<Record<AgentSettings["kind"], PrivateState>> = { claude: claudeState, codex: codexState };

export type Around = {
  readonly walls: SessionWalls;
  readonly inside: Inside;
  /** The session's result, with what the gateway counted. */
  settled(result: SessionResult): SessionResult;
  /** Models that the session used and whose price is not known. */
  unpriced(): readonly string[];
  /** The session is over. Returns what a person should know of their login. */
  leave(): Promise<readonly string[]>;
};
type Place = {
  readonly root: string;
  readonly vault: string;
  /** The session's folder. */
  readonly folder: string;
  readonly costUsdMax: number | null;
  readonly tokensMax: number | null;
  /** Whole paths of what `room.outside` names: checks see it, so an agent that is to make them pass does too. */
  readonly outside: readonly string[];
  /** Keeps the person's ignored files from changes: null for a worktree, whose files are copies. */
  readonly ignored: Omit<ApartOrder, "root" | "vault"> | null;
};

/** Null: this agent has no walls. Throws if it must have them, and this machine has none. */
export async function wallsAround(settings: AgentSettings, place: Place): Promise<Around | null> {
  const { kind, sandbox = "off" } = settings;
  if (!isWalled(settings)) return null;
  const trial = await wallsHere();
  if (!trial.works) {
    if (sandbox === "require") throw noWalls(trial);
    return null;
  }
  const machine = thisMachine();
  const state = join(place.vault, "agents", kind);
  const own = states[kind];
  const tidyUp = own === undefined ? () => [] : furnish(own, state, machine.env);
  const env = own === undefined ? machine.env : { ...machine.env, [own.variable]: state };
  const reads = [...(settings.home ?? []).map((path) => join(homedir(), path)), ...place.outside];
  const laid = place.ignored === null ? null : await layApart(trial.program, { ...place, ...place.ignored });
  const store = laid?.apart.store ?? join(place.folder, "layers");
  const caches = await layToolCaches(store, toolCaches(machine.env), (path) => layersFor(trial.program, path));
  const clean = join(place.folder, "clean");
  const leave = async (): Promise<string[]> => {
    const said = tidyUp();
    caches.drop();
    removeTree(clean);
    await laid?.settle();
    return said;
  };
  const folders = [...(laid?.apart.folders ?? []), ...caches.folders];
  const inside = findInside(
    place.root,
    folders.map(({ at }) => at),
  );
  const roots = [place.root, ...inside.repositories.map((path) => dirname(path))];
  const sockets = [...inside.sockets, ...reads.flatMap((path) => findInside(path, []).sockets)];
  const walls = {
    ...{
      confine: laid?.confine ?? caches.confine ?? trial.confine,
      root: place.root,
      state,
      reads: [...reads, ...inside.repositories],
      covers: [
        ...(await withoutCredentials(makeGit(place.folder), roots, clean)),
        ...sockets.map((at) => ({ from: "/dev/null", at })),
      ],
      hides: [vaultsDir()],
    },
    ...(folders.length === 0 && laid === null ? {} : { apart: { store, folders, copies: laid?.apart.copies ?? [] } }),
  };
  const network = networkOf(settings, machine.env);
  const isRegistry = network === "registry";
  if (network === "open")
    return {
      walls: { ...walls, network: "shared" },
      inside: { machine: { ...machine, env } },
      settled: (result) => result,
      unpriced: () => [],
      leave,
    };
  const gateway = await startGateway({
    upstreams: upstreamsOf(machine.env),
    costUsdMax: place.costUsdMax,
    tokensMax: place.tokensMax,
    record: join(place.folder, "metered.jsonl"),
    ...costsFor(settings),
    hosts: isRegistry ? [...registries, ...(settings.registryHosts ?? [])] : [],
    hostsRecord: join(place.folder, "hosts.jsonl"),
  });
  return {
    walls: {
      ...walls,
      network: "none",
      env: envInside,
      prefix: bridgePrefix(kind),
      shows: [{ from: gateway.socket, at: socketInside }],
    },
    inside: {
      machine: { ...machine, env: { ...env, ...envInside } },
      gateway: { openai: openaiInside, keyEnv: codexKey },
    },
    settled: (result) => {
      const counted = metered(result, gateway, place);
      // With network: model, agents' own telemetry is refused all the time, which is no news.
      return isRegistry ? withRefused(counted, gateway.refusedHosts()) : counted;
    },
    unpriced: () => gateway.unpriced(),
    async leave() {
      await gateway.close();
      return leave();
    },
  };
}

/** The gateway's count is complete: it has requests that the agent does not report, and those that were cut. */
function metered(result: SessionResult, gateway: Gateway, { costUsdMax, tokensMax }: Place): SessionResult {
  const usage = gateway.usage();
  const counted = usage === null ? result : { ...result, usage };
  const spent = gateway.spent();
  if (counted.how !== "failed" || spent === null) return counted;
  const failure =
    spent === "cost"
      ? ({ class: "no-result", text: `The budget of the session, $${costUsdMax?.toFixed(2)}, is spent.` } as const)
      : ({ class: "out-of-tokens", text: `Of ${tokensMax} tokens too few are left for another request.` } as const);
  return { ...counted, failure: { ...failure, retryAt: null } };
}

const hostsShown = 20;

function withRefused(result: SessionResult, hosts: readonly string[]): SessionResult {
  const refused = hosts
    .slice(0, hostsShown)
    .map((host) => ({ command: `a connection to ${host}`, why: "not a registry", mild: true }));
  return { ...result, refused: [...result.refused, ...refused] };
}

/** The rehearsal plays a script with a program of ours. */
export const isWalled = ({ kind, sandbox = "off" }: AgentSettings): boolean =>
  sandbox !== "off" && kind !== "rehearsal";

export async function refuseWithoutWalls(agents: Settings["agents"]): Promise<void> {
  if (Object.values(agents).every((agent) => agent?.sandbox !== "require")) return;
  const trial = await wallsHere();
  if (!trial.works) throw noWalls(trial);
}

/** Why not every agent of a run is confined; null: all are. Those that play a script or belong to a program need not be. */
export async function whyUnconfined(agents: Settings["agents"]): Promise<string | null> {
  const real = Object.values(agents).filter(
    (agent) => agent !== null && agent.kind !== "rehearsal" && agent.kind !== "library",
  );
  if (real.length === 0) return null;
  if (real.some((agent) => agent?.sandbox === "off")) return "sandbox is off";
  const trial = await wallsHere();
  return trial.works ? null : trial.why;
}

/** A run that never asks must not have a person's rights without the person's word. */
export async function refuseUnattended({ agents, contract, unconfined }: Unattended): Promise<void> {
  if (contract.autonomy !== "L3" || unconfined === true) return;
  const why = await whyUnconfined(agents);
  if (why === null) return;
  throw new UserError("unconfined", {
    what: "The run did not start.",
    why: `L3 (unattended) without walls gives agents your rights while you are not looking, and there are no walls: ${why}`,
    next: "Have walls (loop doctor says how), lower it with --autonomy L2, or allow it with --unconfined.",
  });
}
type Unattended = {
  readonly agents: Settings["agents"];
  readonly contract: { readonly autonomy: Autonomy };
  readonly unconfined?: boolean;
};

const noWalls = ({ why, fix }: Trial & { works: false }): UserError =>
  new UserError("no-walls", {
    what: "The run did not start.",
    why: `Agents must be confined (sandbox: require), and this machine cannot do that: ${why}`,
    next: fix,
  });

/** `isOff`: by choice. `fix`: what would give walls to this machine. */
export type WallsSaid = { readonly text: string; readonly isOff: boolean; readonly fix: string | null };

/**
 * Which walls the agents of a run have, and its checks, for the opening, the report and doctor. `here`: the folder, if it
 * is a person's.
 */
export async function sayWalls(
  { maker, checker }: Settings["agents"],
  here: string | null,
  checks: readonly CheckSpec[] = [],
): Promise<WallsSaid> {
  const agents = [maker, checker].filter((agent) => agent !== null);
  const walled = agents.filter(isWalled);
  if (walled.length === 0) return { text: "off: agents run with your rights", isOff: true, fix: null };
  const trial = await wallsHere();
  if (!trial.works) return { text: `none: ${trial.why}. ${sayWithout(walled)}`, isOff: false, fix: trial.fix };
  const said = [...new Set(agents.map(sayOne))].join("; ");
  const apart = here === null ? "" : await sayApart(trial.program, here);
  const text = [`bubblewrap ${trial.version}`, `${said}${apart}`, ...sayChecks(checks)].join("; ");
  return { text, isOff: false, fix: null };
}

function sayWithout(walled: readonly AgentSettings[]): string {
  if (walled.some(({ sandbox }) => sandbox === "require"))
    return "The run does not start without them (sandbox: require)";
  const served = walled.map((agent) => networkOf(agent, process.env)).find((network) => network !== "open");
  const off =
    served === undefined ? "" : `. Without walls there is no gateway: network: ${served} is off, and so is its cap`;
  return `Agents run with your rights${off}`;
}

/** Checks have the network until `loop check` has seen them green without, or loop.yaml says so. */
function sayChecks(checks: readonly CheckSpec[]): string[] {
  const open = checks.filter(({ network }) => network !== "none");
  if (checks.length === 0) return [];
  if (open.length === 0) return ["checks: no network"];
  const isUnknown = open.some(({ network }) => network === undefined);
  const names = open.map(({ name }) => name).join(", ");
  return [`checks: network open for ${names}${isUnknown ? " (loop check finds out whether it is needed)" : ""}`];
}

/** The same without an agent to speak of. */
export async function sayMachineWalls(): Promise<WallsSaid> {
  const trial = await wallsHere();
  return trial.works
    ? { text: `bubblewrap ${trial.version}`, isOff: false, fix: null }
    : { text: `none: ${trial.why}. Agents would run with your rights`, isOff: false, fix: trial.fix };
}

async function sayApart(program: string, root: string): Promise<string> {
  const trial = await layersFor(program, root);
  return trial.works ? "" : `; with --here they can change your ignored files (${trial.why})`;
}

const networkWords: Readonly<Record<Network, string>> = {
  model: "only its model",
  registry: "its model and registries",
  open: "open",
};

function sayOne(agent: AgentSettings): string {
  if (!isWalled(agent)) return `${agent.kind}: off`;
  return `${agent.kind}: the workspace alone, network: ${networkWords[networkOf(agent, process.env)]}`;
}
