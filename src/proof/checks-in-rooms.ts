// Runs checks in rooms, one room each, and remembers the results: an identical room is not run twice. Runs may be asked
// for at once: the next room is made ready while a check runs in the one before.
import { createHash } from "node:crypto";
import type { CheckResult } from "../checks/check.ts";
import type { CheckSpec, ProofTerms } from "../core/contract.ts";
import { UserError } from "../core/errors.ts";
import type { TreeId } from "../core/ids.ts";
import { seenFile as seenKept } from "../formats/kept/proof-files.ts";
import { readTail } from "../host/process/follow.ts";
import type { Dependencies, Room, Rooms } from "./rooms/room.ts";
import {
  type Asking,
  askForNames,
  assetsFolder,
  keysOf,
  type RunnerUse,
  readNames,
  runnersOf,
  type TestResult,
} from "./runners/index.ts";
import { isGreen, type Seen } from "./seen.ts";
import type { LoadedTree } from "./trees.ts";
import { Turns } from "./turns.ts";

export type ProofFiles = {
  write(path: string, text: string): void;
  read(path: string): string | null;
  path(path: string): string;
};

export type RunOrder = {
  /** For people and file names: F003-i4-A. */
  readonly label: string;
  readonly tree: TreeId;
  readonly dependencies: Dependencies;
  /** Tells dependencies apart: two trees with the same lockfiles have the same. */
  readonly installed: string;
  /** Test files to run; left out: all. Where the runner cannot select, all are run. */
  readonly only?: readonly string[];
  /** Ignore an earlier red result: a person may have started a database since, or fixed the network. */
  readonly fresh?: boolean;
  /** Run it again even if there is a result, to detect flaky tests. */
  readonly again?: number;
  /** The code or the tests are wrong on purpose: a shorter time limit is enough. */
  readonly altered?: true;
  /** Run it a second time in the same room: always, or if it leaves more than this behind. */
  readonly second?: "always" | { readonly unlessOnly: readonly string[] };
  /** Variables of the room that differ from what the terms say, or the person has. */
  readonly env?: Readonly<Record<string, string>>;
  /** Do not ask for test names, to find out whether asking turns the check red. */
  readonly unasked?: true;
};

export type Setting = {
  readonly rooms: Rooms;
  readonly files: ProofFiles;
  readonly terms: ProofTerms;
  /** The tree that says how each check runs its tests. A candidate's changes to its scripts do not count. */
  readonly script: LoadedTree;
  /** The tree without the loop's own files, which change all the time and matter to no check. */
  readonly identity: (tree: TreeId) => Promise<TreeId>;
};

/** Raise it when the same room could give another result: earlier results are then no longer used. */
const seenVersion = 2;
/** Time limit of a check on something that is wrong on purpose: a multiple of its green time, and at least this. */
const alteredMsMin = 10_000;
const alteredFactor = 5;
const reportBytesMax = 32 << 20;
/** One in which a check runs, and one that is made ready or taken away. */
const roomsAtOnce = 2;

type Opened = { readonly room: Room; readonly asking: Asking | undefined };

export class ChecksInRooms {
  readonly #setting: Setting;
  readonly #cut: AbortSignal;
  /** Keys of the results that were not green. */
  readonly #red = new Set<string>();
  /** The longest time of a green run, by check. */
  readonly #usualMs = new Map<string, number>();
  /** Runs at work, by key: a second order for the same one waits for its result. */
  readonly #atWork = new Map<string, Promise<Seen>>();
  /** Rooms that were opened ahead of their run, by key. */
  readonly #ready = new Map<string, Promise<Opened>>();
  readonly #slots = new Turns(roomsAtOnce);
  /** How many output files have each name. */
  readonly #named = new Map<string, number>();
  #ms = 0;
  #runs = 0;

  constructor(setting: Setting, cut: AbortSignal) {
    this.#setting = setting;
    this.#cut = cut;
  }

  /** How long checks have run, and how often. Remembered results do not count. */
  get cost(): { readonly ms: number; readonly runs: number } {
    return { ms: this.#ms, runs: this.#runs };
  }

  /** Whether the check can run some of its test files alone. */
  selects(check: CheckSpec): boolean {
    return askForNames({ uses: this.#uses(check), cwd: "/", out: "/out", only: ["x"] }).selects;
  }

  async run(check: CheckSpec, order: RunOrder): Promise<Seen> {
    const key = await this.#key(check, order);
    const known = this.#recall(key);
    if (known !== null) this.#notice(known);
    if (known !== null && !isGreen(known)) this.#red.add(key);
    if (known !== null && (order.fresh !== true || (isGreen(known) && known.merged !== true))) return known;
    const atWork = this.#atWork.get(key);
    if (atWork !== undefined) return atWork;
    const running = this.#runAndRemember(check, order, key).finally(() => this.#atWork.delete(key));
    this.#atWork.set(key, running);
    return running;
  }

  /** Opens the room for a run that probably comes next, while another one is at work. */
  async ahead(check: CheckSpec, order: RunOrder): Promise<void> {
    const key = await this.#key(check, order);
    if (this.#cut.aborted || this.#ready.has(key) || this.#recall(key) !== null) return;
    const opened = this.#open(check, order);
    // The run that uses it reports the failure; without one, it does not matter.
    opened.catch(() => {});
    this.#ready.set(key, opened);
  }

  /** Closes the rooms that were opened ahead and not used. */
  async close(): Promise<void> {
    for (const opened of await Promise.allSettled(this.#ready.values()))
      if (opened.status === "fulfilled") await opened.value.room.close();
    this.#ready.clear();
  }

  async #runAndRemember(check: CheckSpec, order: RunOrder, key: string): Promise<Seen> {
    if (this.#cut.aborted) return cutShort(check);
    const ready = this.#ready.get(key);
    this.#ready.delete(key);
    const seen = await this.#run(check, order, ready);
    this.#notice(seen);
    if (!isGreen(seen)) this.#red.add(key);
    // A room that could not be prepared says nothing about the tree.
    if (seen.how !== "cut" && seen.how !== "unready") this.#remember(key, seen);
    return seen;
  }

  /** Ignores earlier results, and does not record this one. */
  async runNow(check: CheckSpec, order: RunOrder): Promise<Seen> {
    return this.#cut.aborted ? cutShort(check) : this.#run(check, order, undefined);
  }

  /** Drops the red results seen here, because the tree was not at fault. */
  forgetRed(): void {
    for (const key of this.#red) this.#setting.files.write(seenFile(key), "");
    this.#red.clear();
  }

  /** Records the combined result of several runs as one run of everything. */
  async adopt(check: CheckSpec, order: RunOrder, seen: Seen): Promise<void> {
    this.#remember(await this.#key(check, order), { ...seen, merged: true });
  }

  #run(check: CheckSpec, order: RunOrder, ready: Promise<Opened> | undefined): Promise<Seen> {
    return this.#slots.take(async () => {
      const { room, asking } = await (ready ?? this.#open(check, order));
      try {
        return await this.#inRoom(check, order, room, asking);
      } finally {
        await room.close();
      }
    });
  }

  async #open(check: CheckSpec, order: RunOrder): Promise<Opened> {
    const uses = this.#uses(check);
    const asked: { asking?: Asking } = {};
    const shims = (at: { cwd: string; out: string }) => {
      if (order.unasked === true) return [];
      asked.asking = askForNames({
        uses,
        ...at,
        assets: `${at.out}/assets`,
        ...(order.only === undefined ? {} : { only: order.only }),
      });
      return asked.asking.shims;
    };
    const why = check.network === "none" ? await this.#setting.rooms.whyNotOffline() : null;
    if (why !== null) throw cannotBeOffline(check, why);
    const { tree, dependencies, label: name } = order;
    const plain = check.browser === undefined && check.library === undefined ? {} : { plain: true };
    const room = await this.#setting.rooms.open(
      { name, tree, dependencies, terms: this.#setting.terms, shims, assets: assetsFolder, ...plain },
      this.#cut,
    );
    return { room, asking: asked.asking };
  }

  async #inRoom(check: CheckSpec, order: RunOrder, room: Room, asking: Asking | undefined): Promise<Seen> {
    const file = this.#outputFile(`${order.label}-${check.name}${order.again === undefined ? "" : `-${order.again}`}`);
    const output = this.#setting.files.path(file);
    if (room.failed !== null) {
      const { at, result } = room.failed;
      if (at === "setup" && offline.test(result.tail)) throw noNetwork(result.tail);
      const tail = `${at === "setup" ? "Installing the dependencies" : "The build"} failed in the clean checkout:\n${result.tail}`;
      this.#setting.files.write(file, `${tail}\n`);
      return {
        ...cutShort(check),
        how: "unready",
        exitCode: result.exitCode,
        tail,
        signature: result.signature,
        output,
      };
    }
    const env = { ...asking?.env, ...order.env };
    const command = {
      name: check.name,
      command: commandOf(check),
      timeoutMs: this.#timeoutMs(check, order),
      outputFile: output,
      env,
      ...(check.browser === undefined ? {} : { browser: check.browser }),
      ...(check.library === undefined ? {} : { library: check.library }),
      ...(check.network === undefined ? {} : { network: check.network }),
    };
    const result = await room.run(command, this.#cut);
    this.#ms += result.ms;
    this.#runs += 1;
    const names = readNames({
      folder: room.out.outside,
      mark: asking?.mark ?? "",
      uses: this.#uses(check),
      cwd: room.cwd,
      output: readTail(output, reportBytesMax),
      declared: check.report == null ? null : room.written(check.report).map((bytes) => bytes.toString("utf8")),
    });
    const left = await room.left();
    const ignored = [...left.ignored, ...room.leftInScratch()];
    const isTwice = result.how === "passed" && isRunTwice(order.second, [...left.files, ...ignored]);
    const again = isTwice ? await room.run({ ...command, outputFile: `${output}.again` }, this.#cut) : null;
    if (again !== null) {
      this.#ms += again.ms;
      this.#runs += 1;
    }
    return {
      check: check.name,
      how:
        result.how === "passed"
          ? "green"
          : result.how === "interrupted"
            ? "cut"
            : result.how === "timed-out"
              ? "timed-out"
              : "red",
      exitCode: result.exitCode,
      ms: result.ms,
      tail: [result.tail, ...remarks(check, result)].join("\n"),
      signature: result.signature,
      output,
      tests: names?.complete === true ? keysOf(names.tests) : null,
      problem: names?.problem ?? null,
      leftBehind: result.leftBehind,
      left: left.files,
      ignored,
      ...(again === null || again.how === "interrupted"
        ? {}
        : { second: { isGreen: again.how === "passed", tail: again.tail } }),
    };
  }

  /** One file for each run: another with the same label may start before this one's output has been read. */
  #outputFile(name: string): string {
    const number = (this.#named.get(name) ?? 0) + 1;
    this.#named.set(name, number);
    return `output/${name}${number === 1 ? "" : `.${number}`}.txt`;
  }

  #notice(seen: Seen): void {
    if (isGreen(seen)) this.#usualMs.set(seen.check, Math.max(seen.ms, this.#usualMs.get(seen.check) ?? 0));
  }

  #timeoutMs({ name, timeoutMs }: CheckSpec, { altered }: RunOrder): number {
    const usual = this.#usualMs.get(name);
    if (altered !== true || usual === undefined) return timeoutMs;
    return Math.min(timeoutMs, Math.max(alteredMsMin, alteredFactor * usual));
  }

  #uses(check: CheckSpec): readonly RunnerUse[] {
    const isCommand = check.browser === undefined && check.library === undefined;
    return isCommand ? runnersOf(check.run, this.#setting.script) : [];
  }

  async #key(check: CheckSpec, { tree, installed, only, again, unasked, env, second }: RunOrder): Promise<string> {
    const { setup, build, room } = this.#setting.terms;
    const same = await this.#setting.identity(tree);
    const how = [
      only?.toSorted() ?? null,
      again ?? 0,
      ...(unasked === true ? ["unasked"] : []),
      ...(env === undefined ? [] : [env]),
      ...(second === "always" ? ["twice"] : []),
    ];
    const parts = [seenVersion, process.version, check, same, installed, ...how, setup, build, room];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
  }

  #recall(key: string): Seen | null {
    const text = this.#setting.files.read(seenFile(key));
    if (text === null || text === "") return null;
    // A damaged one is as good as none: the check runs again.
    const kept = seenKept.parseIfPossible<StoredSeen>(text);
    return kept === null ? null : { ...kept, tests: kept.tests === null ? null : new Map(kept.tests) };
  }

  #remember(key: string, { tests, ...rest }: Seen): void {
    this.#setting.files.write(seenFile(key), JSON.stringify({ ...rest, tests: tests === null ? null : [...tests] }));
  }
}

const isRunTwice = (second: RunOrder["second"], left: readonly string[]): boolean =>
  second !== undefined && (second === "always" || left.some((path) => !second.unlessOnly.includes(path)));

/** An installer without a network says nothing about the work. */
const offline =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENETDOWN)\b|Could not resolve host|Temporary failure in name resolution|Network is unreachable|dial tcp: lookup /;

const noNetwork = (tail: string): UserError =>
  new UserError("no-network-to-install", {
    what: "The work could not be judged.",
    why: `It needs other packages, and they cannot be installed without the network:\n${tail.slice(-800)}`,
    next: "Bring back the network, then: loop continue",
  });

type StoredSeen = Omit<Seen, "tests"> & { readonly tests: readonly (readonly [string, TestResult])[] | null };
const seenFile = (key: string): string => `seen/${key}.json`;

/** One command, because background processes end with their command: a server from `before` must live until `after`. */
function commandOf({ run, before, after }: CheckSpec): string {
  if (before == null && after == null) return run;
  const start = before == null ? "" : `{ ${before}\n} || { echo "before the check: failed" >&2; exit 97; }\n`;
  const end = after == null ? "" : `{ ${after}\n}\n`;
  return `${start}( ${run}\n)\nloop_code=$?\n${end}exit $loop_code`;
}

/** What the output itself does not say. */
const remarks = (check: CheckSpec, { how, tail }: CheckResult): string[] => [
  ...(how === "timed-out" ? [neverEnded(check)] : []),
  ...(how !== "passed" && check.network === "none" && offline.test(tail) ? [withoutNetwork(check)] : []),
];

const withoutNetwork = ({ name }: CheckSpec): string =>
  `${name} ran without the network. If it needs it, say network: open for it in loop.yaml.`;

const cannotBeOffline = ({ name }: CheckSpec, why: string): UserError =>
  new UserError("check-not-offline", {
    what: `The check ${name} was not run.`,
    why: `It must run without the network (network: none), and this machine cannot do that: ${why}`,
    next: `Make that possible, or say network: open for ${name} in loop.yaml.`,
  });

/** The output may be green to the last line: then only this says why the check failed. */
const neverEnded = ({ timeoutMs }: CheckSpec): string =>
  `It did not end within ${timeoutMs / 1000} s, and the loop ended it. A check has to end by itself: leave out a watch mode, or raise its timeout_s.`;

const cutShort = (check: CheckSpec): Seen => ({
  check: check.name,
  how: "cut",
  exitCode: null,
  ms: 0,
  tail: "",
  signature: "",
  output: "",
  tests: null,
  problem: null,
  leftBehind: 0,
  left: [],
});
