// The walls around a session: which files its process sees, and which of them it may change.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Confine, Confined, Layers, Start, Walls } from "../../host/confine/confine.ts";
import { noWalls } from "../../host/confine/none.ts";
import { findOnPath } from "../../host/confine/toolchains.ts";
import { ensureDir, statIfExists } from "../../host/disk.ts";
import type { Launch, SessionRequest } from "../agent.ts";
import { promptFile } from "./session-folder.ts";

export type SessionWalls = Pick<Walls, "hides" | "network" | "shows" | "covers"> & {
  readonly confine: Confine;
  /** The person's workspace: a maker changes it, a checker only reads it. */
  readonly root: string;
  /** The agent's own folder, which it keeps from session to session. */
  readonly state: string;
  /** Places outside of the workspace that a person lets it read. */
  readonly reads?: readonly string[];
  /** What it changes only for itself. */
  readonly apart?: Apart;
  /** Replaces variables of the agent's; an empty value removes one. */
  readonly env?: Readonly<Record<string, string>>;
  /** Program and arguments that start the agent's program inside. */
  readonly prefix?: readonly string[];
};

/** Folders under layers, and copies of files in place of the files. All that is written there lands in `store`. */
export type Apart = Layers & { readonly copies: readonly { readonly from: string; readonly at: string }[] };

/** Our own programs run inside the walls too: the bridge to ACP agents, the rehearsal's player. */
const ownPackage = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

/** The part of a session's folder that its process sees. Without walls it is the whole folder. */
export const deskOf = (folder: string): string => (existsSync(join(folder, "desk")) ? join(folder, "desk") : folder);

/** An empty desk: what an earlier part left there could lead our own writes elsewhere. */
export function layDesk(folder: string, walls: SessionWalls | undefined): string {
  const desk = join(folder, "desk");
  rmSync(desk, { recursive: true, force: true });
  if (walls === undefined) return folder;
  ensureDir(desk);
  return desk;
}

const everything: Walls = { writes: ["/"], reads: [], hides: [], network: "shared" };

export function confineSession(
  launch: Launch,
  request: SessionRequest,
  desk: string,
  walls: SessionWalls | undefined,
): Confined {
  if (walls === undefined) return noWalls.confine(launch, everything);
  const { confine, root, state, hides, network, apart, covers = [] } = walls;
  const places = [...new Set([root, request.cwd])];
  const written = request.mayWrite ? places : places.filter((place) => place !== root);
  ensureDir(state);
  return confine.confine(inside(launch, walls), {
    writes: [...written, state, desk],
    reads: [
      ...places.filter((place) => !written.includes(place)),
      ...places.flatMap(repositoryOf),
      ...[promptFile(desk), ...(launch.files ?? []).map(({ path }) => path)],
      ...[ownPackage, ...(walls.reads ?? [])],
    ],
    programs: launch.programs ?? [],
    hides,
    network,
    covers,
    shows: [...(walls.shows ?? []), ...(apart?.copies ?? [])],
    ...(apart === undefined ? {} : { layers: apart }),
  });
}

function inside(launch: Launch, { env = {}, prefix = [] }: SessionWalls): Start {
  const given = Object.entries({ ...launch.env, ...env }).filter(([, value]) => value !== "");
  const start = { ...launch, env: Object.fromEntries(given) };
  const program = findOnPath(launch.file, start.env);
  const [file, ...args] = prefix;
  // A missing program stays one that cannot be started.
  return file === undefined || program === null ? start : { ...start, file, args: [...args, program, ...launch.args] };
}

/** The git folders of a workspace: inside it, or elsewhere for a linked worktree. */
function repositoryOf(place: string): string[] {
  const git = join(place, ".git");
  const stat = statIfExists(git);
  if (stat === undefined) return [];
  if (!stat.isFile()) return [git];
  const linked = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(git, "utf8"))?.[1];
  if (linked === undefined) return [git];
  const dir = resolve(place, linked);
  const common = join(dir, "commondir");
  const shared = existsSync(common) ? resolve(dir, readFileSync(common, "utf8").trim()) : dirname(dir);
  return [git, dir, ...(existsSync(common) ? [shared] : [])];
}
