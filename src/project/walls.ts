// The walls of this machine, and those around each agent of a run.
import { join } from "node:path";
import { claudeState } from "../agents/claude/claude.ts";
import { codexState } from "../agents/codex/state.ts";
import { thisMachine } from "../agents/machine.ts";
import { furnish, type PrivateState } from "../agents/private-state.ts";
import type { SessionWalls } from "../agents/session.ts";
import { UserError } from "../core/errors.ts";
import type { AgentSettings, Settings } from "../formats/settings.ts";
import { type Trial, tryWalls } from "../host/confine/trial.ts";
import { vaultsDir } from "../workspace/vault.ts";
import type { Inside } from "./agents.ts";

let tried: Promise<Trial> | null = null;

/** Tried once by each process, and remembered for the machine. */
export function wallsHere(): Promise<Trial> {
  tried ??= tryWalls(join(vaultsDir(), "walls.json"));
  return tried;
}

const states: Partial<Record<AgentSettings["kind"], PrivateState>> = { claude: claudeState, codex: codexState };

/** `leave` is called when the session is over. */
export type Around = { readonly walls: SessionWalls; readonly inside: Inside; leave(): void };

/** Null: this agent has no walls. Throws if it must have them, and this machine has none. */
export async function wallsAround(
  { kind, sandbox = "off" }: AgentSettings,
  place: { readonly root: string; readonly vault: string },
): Promise<Around | null> {
  if (sandbox === "off" || isOurs(kind)) return null;
  const trial = await wallsHere();
  if (!trial.works) {
    if (sandbox === "require") throw noWalls(trial);
    return null;
  }
  const state = join(place.vault, "agents", kind);
  const own = states[kind];
  const machine = thisMachine();
  const leave = own === undefined ? () => {} : furnish(own, state, machine.env);
  return {
    walls: { confine: trial.confine, root: place.root, state, hides: [vaultsDir()], network: "shared" },
    inside: { machine: own === undefined ? machine : { ...machine, env: { ...machine.env, [own.variable]: state } } },
    leave,
  };
}

/** It plays a script with a program of ours. */
const isOurs = (kind: AgentSettings["kind"]): boolean => kind === "rehearsal";

export async function refuseWithoutWalls(agents: Settings["agents"]): Promise<void> {
  if (Object.values(agents).every((agent) => agent?.sandbox !== "require")) return;
  const trial = await wallsHere();
  if (!trial.works) throw noWalls(trial);
}

const noWalls = ({ why, fix }: Trial & { works: false }): UserError =>
  new UserError("no-walls", {
    what: "The run did not start.",
    why: `Agents must be confined (sandbox: require), and this machine cannot do that: ${why}`,
    next: fix,
  });

/** `isOff`: by choice. `fix`: what would give walls to this machine. */
export type WallsSaid = { readonly text: string; readonly isOff: boolean; readonly fix: string | null };

/** Which walls the agents of a run have, for the opening, the report and doctor. */
export async function sayWalls(agents: Settings["agents"]): Promise<WallsSaid> {
  const modes = new Set([agents.maker, agents.checker].map((agent) => (agent === null ? "off" : modeOf(agent))));
  if (!modes.has("on")) return { text: offText, isOff: true, fix: null };
  const trial = await wallsHere();
  if (!trial.works) return { text: `none: ${trial.why}. Agents run with your rights`, isOff: false, fix: trial.fix };
  const some = modes.size > 1 ? "for one of the agents: " : "";
  return { text: `${some}bubblewrap ${trial.version}, ${onText}`, isOff: false, fix: null };
}

const modeOf = ({ kind, sandbox = "off" }: AgentSettings): "on" | "off" =>
  sandbox === "off" || isOurs(kind) ? "off" : "on";

const offText = "off: agents run with your rights";
const onText = "your home, the vault and .git are out of reach; the network is not";
