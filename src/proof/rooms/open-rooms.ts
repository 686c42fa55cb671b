// Opens the rooms of a workspace: with mounts where the machine has them, else as plain folders.
import * as fs from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { browserChecks } from "../../checks/browser/browser-check.ts";
import type { CheckRunner } from "../../checks/check.ts";
import { commandChecks } from "../../checks/command/command-check.ts";
import { libraryChecks, type RegisteredChecks } from "../../checks/library/library-check.ts";
import { machineTrouble, UserError } from "../../core/errors.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Confine } from "../../host/confine/confine.ts";
import { openRoomSource, type RoomSource } from "../../workspace/git/rooms/room-source.ts";
import { Turns } from "../turns.ts";
import { buildCache } from "./build-cache.ts";
import type { RoomBuilder } from "./builder.ts";
import { copy } from "./copy.ts";
import { layersFor } from "./dependencies.ts";
import { programFolders } from "./dependency-folders.ts";
import { roomEnvironment } from "./environment.ts";
import { folderBuilder } from "./folder/folder-builder.ts";
import type { InstallGround, SetupRoom } from "./install.ts";
import { keep } from "./kept.ts";
import { isNamed, plainPath } from "./kept-roots.ts";
import { type KeptState, readState, writeState } from "./kept-state.ts";
import { type Layer, layerDir } from "./layer.ts";
import { dependencyKeys } from "./lockfiles.ts";
import { mountsBuilder } from "./mounts/mounts-builder.ts";
import { whyNotOffline } from "./mounts/offline.ts";
import { probeMounts } from "./mounts/probe.ts";
import { asRoom, prepare, type RoomParts } from "./open-room.ts";
import { type Places, preparePlaces } from "./places.ts";
import type { Kept, Room, RoomOrder, Rooms, RoomTerms } from "./room.ts";
import { type ToolPlaces, toolPlaces } from "./tools.ts";
import { manifestsOf } from "./tree-view.ts";

export type RoomsOrder = {
  readonly root: string;
  readonly vaultDir: string;
  readonly workspace: "git" | "plain";
  /** Where rooms and their layers lie; left out: in the vault, where the next run finds them. */
  readonly placesDir?: string;
  /** Left out: the best that the machine supports. */
  readonly kind?: Rooms["kind"];
  /** Checks that a program has registered. */
  readonly registered?: RegisteredChecks;
  /** Walls for commands in plain folders that must not reach the network; null: this machine has none. */
  readonly walls?: () => Promise<Confine | null>;
  /** The person's environment and home. */
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
};

export async function openRooms(order: RoomsOrder): Promise<Rooms> {
  const { root, vaultDir, workspace, env = process.env, home = homedir() } = order;
  const source = await openRoomSource({ root, vaultDir, kind: workspace });
  const places = preparePlaces(fs.realpathSync(order.placesDir ?? vaultDir));
  const tools = toolPlaces(env, home);
  const probe =
    order.kind === "folder"
      ? { namespaces: null, why: "plain folders were asked for" }
      : await probeMounts(source.root, fs.realpathSync(vaultDir), places, {
          tools: tools.written,
          toolPlaces: Object.values(tools.env),
          env,
          home,
        });
  if (order.kind === "mounts" && probe.namespaces === null) throw noMounts(probe.why);
  const confine = probe.namespaces === null ? ((await order.walls?.()) ?? null) : null;
  const walls =
    confine === null ? null : { confine, vaultDir: fs.realpathSync(vaultDir), tools: Object.values(tools.env) };
  const plain = folderBuilder(source, places, walls);
  const builder = probe.namespaces === null ? plain : mountsBuilder(source, places, probe.namespaces);
  const checks = libraryChecks(browserChecks(commandChecks), order.registered ?? {});
  const own: Own = { source, places, tools, env, home, plain, builder, checks };
  const kind = probe.namespaces === null ? "folder" : "mounts";
  return new OpenedRooms(own, kind, { ...probe, isWalled: walls !== null });
}

const noMounts = (why: string): UserError =>
  new UserError("no-mounts", {
    what: "Clean checkouts cannot be mounted on this machine.",
    why: `A trial failed: ${why}`,
    next: "Let them be plain folders.",
  });

type Own = {
  readonly source: RoomSource;
  readonly places: Places;
  readonly tools: ToolPlaces;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly builder: RoomBuilder;
  /** For checks that need a plain folder. */
  readonly plain: RoomBuilder;
  readonly checks: CheckRunner;
};

type Probe = Awaited<ReturnType<typeof probeMounts>> & { readonly isWalled: boolean };

class OpenedRooms implements Rooms {
  readonly kind: Rooms["kind"];
  readonly why: string;
  readonly #own: Own;
  readonly #probe: Probe;
  readonly #turns = new Turns(1);
  #offline: Promise<string | null> | null = null;
  readonly #known = new Map<string, { readonly state: KeptState; readonly kept: Kept }>();
  #state: KeptState | null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(own: Own, kind: Rooms["kind"], probe: Probe) {
    this.#own = own;
    this.kind = kind;
    this.why = probe.why;
    this.#probe = probe;
    this.#state = readState(own.places);
  }

  whyNotOffline(): Promise<string | null> {
    const { namespaces, why, isWalled } = this.#probe;
    this.#offline ??= namespaces === null ? Promise.resolve(isWalled ? null : why) : whyNotOffline(namespaces);
    return this.#offline;
  }

  keep(base: TreeId, terms: RoomTerms, signal: AbortSignal): Promise<Kept> {
    return this.#alone(async () => {
      const asked = JSON.stringify([base, terms.room.files, terms.room.home]);
      const { source, places, home } = this.#own;
      const found = this.#known.get(asked) ?? (await keep(source, places, { base, terms, home }, signal));
      this.#known.set(asked, found);
      this.#state = found.state;
      return found.kept;
    });
  }

  open(order: RoomOrder, signal: AbortSignal): Promise<Room> {
    return this.#alone(() => this.#open(order, signal));
  }

  async #open(order: RoomOrder, signal: AbortSignal): Promise<Room> {
    const { source } = this.#own;
    this.#state ??= await stateWithout(source, order.tree);
    const state = this.#state;
    const ground: InstallGround = {
      ...this.#own,
      state,
      openSetup: (tree, layers, terms) => this.#openSetup(state, tree, layers, terms, signal),
    };
    const { layers: all, failed, notes } = await layersFor(ground, order.dependencies, order.terms, signal);
    const named = all.filter((layer) => (layer.of !== "files" && layer.of !== "home") || isNamed(layer, order.terms));
    const layers = [...named, ...this.#cacheFor(order, state)];
    const parts = await this.#build(state, order, layers, order.terms.room.env, signal);
    try {
      const missing = order.terms.room.files.filter((path) => !isKept(path, layers));
      const said = [...parts.built.notes, ...notes, ...missing.map((path) => `${path} was not kept.`)];
      const build = order.terms.build ?? state.build ?? "";
      if (failed !== null || build === "")
        return asRoom({ ...parts, failed, notes: said, leftByBuild: { files: [], ignored: [] } });
      const result = await prepare(parts, "build", build, signal);
      if (result.how === "failed" && order.terms.build === null && order.tree === state.base) {
        // The build was only a guess, and the base does not build here: its checks decide.
        await parts.built.close();
        this.#state = { ...state, build: null };
        writeState(this.#own.places, this.#state);
        return await this.#open(order, signal);
      }
      const leftByBuild = await parts.built.left();
      const unbuilt = result.how === "passed" ? null : { at: "build" as const, result };
      return asRoom({ ...parts, failed: unbuilt, notes: said, leftByBuild });
    } catch (error) {
      await parts.built.close();
      throw error;
    }
  }

  /** In a plain folder a copy would cost more than it saves. */
  #cacheFor({ plain }: RoomOrder, { base }: KeptState): Layer[] {
    const found = this.kind === "mounts" && plain !== true ? buildCache(this.#own.places, base) : null;
    return found === null ? [] : [found];
  }

  async #build(
    state: KeptState,
    order: Pick<RoomOrder, "tree" | "shims" | "plain" | "assets" | "terms" | "onStart">,
    layers: readonly Layer[],
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<RoomParts> {
    const { builder, plain, places, checks, env: person, tools } = this.#own;
    const shims = order.shims ?? (() => []);
    const outside = (order.terms.room.outside ?? []).map((path) => resolve(this.#own.source.root, path));
    const plan = { tree: order.tree, base: state.base, layers, names: state.names, shims, outside };
    const built = await (order.plain === true ? plain : builder).build(plan, signal);
    if (order.assets !== undefined)
      fs.cpSync(order.assets, join(built.out.outside, "assets"), { recursive: true, verbatimSymlinks: true });
    const home = layers.filter(({ of }) => of === "home");
    for (const layer of home)
      for (const root of layer.roots)
        await copy(join(layerDir(places, layer), root), join(built.homeOutside, root), signal);
    const python = layers.filter(({ of }) => of === "python").flatMap(({ roots }) => roots);
    const own = programFolders(python.map((path) => ({ path, of: "python" as const })));
    const env = roomEnvironment({
      person,
      tools: tools.env,
      names,
      home: built.home,
      tmp: built.tmp,
      programs: [...(order.shims === undefined ? [] : [built.programs]), ...own.map((path) => join(built.cwd, path))],
      at: built.at,
    });
    return { built, env, checks, turns: this.#turns, onStart: order.onStart ?? (() => {}) };
  }

  /** With files of the home and variables that checks do not get. */
  async #openSetup(
    state: KeptState,
    tree: TreeId,
    layers: readonly Layer[],
    terms: RoomTerms,
    signal: AbortSignal,
  ): Promise<SetupRoom> {
    const { setup, room } = terms;
    const parts = await this.#build(state, { tree, terms }, layers, [...room.env, ...(setup?.env ?? [])], signal);
    for (const path of (setup?.home ?? []).map((one) => one.replace(/^~\//, ""))) {
      const [from, to] = [join(this.#own.home, path), join(parts.built.homeOutside, path)];
      if (fs.existsSync(from) && !fs.existsSync(to)) await copy(from, to, signal);
    }
    return {
      cwd: parts.built.cwd,
      out: parts.built.out,
      run: (name, command) => prepare(parts, name, command, signal),
      close: () => parts.built.close(),
    };
  }

  async dispose(): Promise<void> {
    await this.#alone(async () => {
      this.#own.builder.dispose();
      this.#own.plain.dispose();
    });
  }

  /** Makes layers one at a time, so that each is made only once. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work).catch((error: unknown) => {
      throw machineTrouble(error) ?? error;
    });
    this.#last = mine.catch(() => {});
    return mine;
  }
}

function isKept(path: string, layers: readonly Layer[]): boolean {
  const plain = plainPath(path);
  const isOf = (root: string): boolean =>
    root === plain || plain.startsWith(`${root}/`) || root.startsWith(`${plain}/`);
  return layers.some(({ of, roots }) => of !== "home" && roots.some(isOf));
}

/** For a workspace without kept state: a tree with nothing installed. */
async function stateWithout(source: RoomSource, tree: TreeId): Promise<KeptState> {
  const keys = dependencyKeys(await manifestsOf(source, tree));
  return { base: tree, layers: [], keys, build: null, names: await source.names() };
}
