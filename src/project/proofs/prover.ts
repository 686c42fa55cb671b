// The prover of a workspace in this process, with real rooms.
import type { RegisteredChecks } from "../../checks/library/library-check.ts";
import type { Tools } from "../../proof/case.ts";
import { makeProver } from "../../proof/make-prover.ts";
import type { Prover } from "../../proof/prover.ts";
import { openRooms } from "../../proof/rooms/open-rooms.ts";
import type { Rooms } from "../../proof/rooms/room.ts";
import { KnownTrees } from "../../proof/trees.ts";
import type { RunFiles } from "../../runtime/ports.ts";
import { notWork } from "../../runtime/records/paths.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { confineHere } from "../walls/walls.ts";

export type ProverParts = {
  readonly workspace: Workspace;
  readonly vaultDir: string;
  readonly files: RunFiles;
  readonly recordsDir: string;
  /** A separate folder, for a proof that must not change what a run has kept. */
  readonly placesDir?: string;
  /** Checks that the program in this process has registered; a command of ours has none. */
  readonly checks: RegisteredChecks;
};

/** To be disposed of: `tools.rooms.dispose()`. */
export async function proofTools({
  workspace,
  vaultDir,
  files,
  recordsDir,
  placesDir,
  checks,
}: ProverParts): Promise<Tools> {
  const own = placesDir === undefined ? {} : { placesDir };
  const rooms = await openRooms({
    root: workspace.root,
    vaultDir,
    workspace: workspace.kind,
    registered: checks,
    walls: confineHere,
    ...own,
  });
  return {
    workspace,
    rooms,
    // Cached results can be reproduced; losing them in a power cut only costs time.
    files: {
      read: (path) => files.read(path),
      write: (path, text) => files.write(path, text, path.startsWith("seen/") ? "derived" : "durable"),
      path: (path) => files.path(path),
    },
    trees: new KnownTrees(workspace),
    ours: notWork(recordsDir),
  };
}

/** Rooms that leave a note in which one a command runs, for people who watch. */
function announced(rooms: Rooms, files: Pick<RunFiles, "write">): Rooms {
  return {
    kind: rooms.kind,
    why: rooms.why,
    whyNotOffline: () => rooms.whyNotOffline(),
    keep: (base, terms, signal) => rooms.keep(base, terms, signal),
    open: (order, signal) => {
      const onStart = () => files.write("step.json", JSON.stringify({ version: 1, room: order.name }), "derived");
      return rooms.open({ ...order, onStart }, signal);
    },
    dispose: () => rooms.dispose(),
  };
}

export type LocalProver = Prover & { dispose(): Promise<void> };

/** Rooms are opened when the first one is needed: most commands need none. */
export function localProver(parts: ProverParts): LocalProver {
  let opening: Promise<Tools> | null = null;
  const prover = async (): Promise<Prover> => {
    opening ??= proofTools(parts).then((tools) => ({ ...tools, rooms: announced(tools.rooms, parts.files) }));
    return makeProver(await opening);
  };
  return {
    baseline: async (order, cut) => (await prover()).baseline(order, cut),
    prove: async (order, cut) => (await prover()).prove(order, cut),
    close: async (order, cut) => (await prover()).close(order, cut),
    checkout: async (order, cut) => (await prover()).checkout(order, cut),
    dispose: async () => {
      const tools = await opening;
      await tools?.rooms.dispose();
    },
  };
}
