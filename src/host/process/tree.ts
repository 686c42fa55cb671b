// A started process and all its descendants: watched while it runs, and ended to the last one.
import { setTimeout as pause } from "node:timers/promises";
import {
  carriersOf,
  killQuietly,
  listProcesses,
  ourselves,
  type Process,
  type ProcessId,
  readProcess,
  signalProcess,
  writersOf,
} from "./processes.ts";

/** How members of a tree are recognized. Each way alone can be evaded: setsid, double fork, `env -i`, redirection. */
export type TreeRoot = {
  /** The first process, the leader of its own group; null when only the marker is known. */
  leader: ProcessId | null;
  /** "NAME=value" in the environment. */
  marker: string;
  /** Files that only the tree writes to. */
  outputs: readonly string[];
  /** The leader only wraps the others and kills them when it is ended: it gets no first signal. */
  leaderWraps?: boolean;
};

export type Ended = {
  /** Processes that were alive when we started to end them. */
  found: number;
  /** Those that ignored the first signal. */
  killed: number;
  /** Those that could not be ended in time: stuck in the kernel, or not ours to signal. */
  left: number;
};

export type Tree = {
  /** Records parents and children while the parents are alive. Cheap enough for several times a second. */
  look(): void;
  members(): Process[];
  end(order: EndOrder): Promise<Ended>;
};

/** `settleMs`: how long they may take to exit by themselves before they count as found. */
export type EndOrder = { signal: NodeJS.Signals; graceMs: number; settleMs?: number };

const killBoundMs = 5000;

export function watchTree(root: TreeRoot): Tree {
  const seen = new Map<number, number>();
  const remember = (one: ProcessId) => seen.set(one.pid, one.startTicks);
  if (root.leader !== null) remember(root.leader);
  // Processes older than the leader cannot descend from it, so they are not inspected.
  const since = root.leader?.startTicks ?? 0;

  function look(processes = listProcesses()): Process[] {
    const spared = ourselves(processes);
    const living = processes.filter((one) => one.startTicks >= since && !one.dead && !spared.has(one.pid));
    const groups = ownGroups(root, processes);
    const known = new Set(living.filter((one) => seen.get(one.pid) === one.startTicks || groups.has(one.group)));
    for (const one of descendants(living, known)) remember(one);
    return living;
  }

  function members(): Process[] {
    const living = look();
    for (const one of carriersOf(root.marker, living)) remember(one);
    for (const one of writersOf(root.outputs, living)) remember(one);
    const known = new Set(living.filter((one) => seen.get(one.pid) === one.startTicks));
    const all = [...descendants(living, known)];
    for (const one of all) remember(one);
    return all;
  }

  async function end({ signal, graceMs, settleMs = 0 }: EndOrder): Promise<Ended> {
    const found = new Set<number>();
    const note = (now: Process[]) => {
      for (const one of now) found.add(one.pid);
      return now;
    };
    let now = note(await until(settleMs, members, members()));
    for (const one of now.filter(({ pid }) => root.leaderWraps !== true || pid !== root.leader?.pid)) {
      signalProcess(one, signal);
      signalProcess(one, "SIGCONT"); // A stopped process does not handle signals.
    }
    now = await until(graceMs, () => note(members()), now);
    const stubborn = new Set<number>();
    now = await until(
      killBoundMs,
      () => {
        const still = note(members());
        for (const one of still) stubborn.add(one.pid);
        killAll(root, still);
        return still;
      },
      now,
    );
    return { found: found.size, killed: stubborn.size, left: now.length };
  }

  return { look: () => void look(), members, end };
}

/** Every process that carries the marker now, except this process and its ancestors. */
export function sweep(marker: string): Process[] {
  return watchTree({ leader: null, marker, outputs: [] }).members();
}

/** For a tree that was not watched: after a crash, from the record. */
export function endTree(root: TreeRoot, order: EndOrder): Promise<Ended> {
  return watchTree(root).end(order);
}

/** Looks again until all have exited or the time is up; returns the remaining ones. */
async function until(ms: number, look: () => Process[], first: Process[]): Promise<Process[]> {
  const end = performance.now() + ms;
  let now = first;
  for (let wait = 5; now.length > 0 && performance.now() < end; wait = Math.min(wait * 2, 100)) {
    await pause(wait);
    now = look();
  }
  return now;
}

function killAll(root: TreeRoot, still: readonly Process[]): void {
  // Kill the whole group at once: a leader that forks faster than we look must not escape.
  const { leader } = root;
  if (leader !== null && still.some((one) => one.group === leader.pid) && isOurGroup(leader)) {
    killQuietly(-leader.pid, "SIGKILL");
  }
  for (const one of still) signalProcess(one, "SIGKILL");
}

/** A group id is not reused while it has members, so it is ours unless another process has the leader's pid. */
function isOurGroup(leader: ProcessId): boolean {
  const now = readProcess(leader.pid);
  return now === null || now.startTicks === leader.startTicks;
}

function ownGroups({ leader }: TreeRoot, processes: readonly Process[]): Set<number> {
  if (leader === null) return new Set();
  const now = processes.find((one) => one.pid === leader.pid);
  return new Set(now === undefined || now.startTicks === leader.startTicks ? [leader.pid] : []);
}

function descendants(living: readonly Process[], known: Set<Process>): Set<Process> {
  const all = new Set(known);
  const pids = new Set([...known].map((one) => one.pid));
  for (let grew = true; grew; ) {
    grew = false;
    for (const one of living) {
      if (all.has(one) || !pids.has(one.parent)) continue;
      all.add(one);
      pids.add(one.pid);
      grew = true;
    }
  }
  return all;
}
