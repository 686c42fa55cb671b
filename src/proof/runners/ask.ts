// Asks the runners of a check for a report: with variables, which reach them through any script, and with shims where
// one could be lost.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Shim } from "../rooms/room.ts";
import type { Asking, RunnerKind, RunnerUse } from "./runner.ts";
import { batsShim, cargoShim, goShim, type NodeOptions, nodeShim, pythonShim } from "./shims.ts";

export type NamesOrder = {
  /** Empty: the command is unknown, so every possible runner is asked. */
  readonly uses: readonly RunnerUse[];
  /** The room's tree and its folder for reports, as a process in the room sees them. */
  readonly cwd: string;
  readonly out: string;
  /** Where a process in the room finds the assets; left out: where the loop is installed. */
  readonly assets?: string;
  /** Test files to run, relative to the tree; left out: all. */
  readonly only?: readonly string[];
  /** Variables that the room already sets: NODE_OPTIONS and PYTHONPATH are extended. */
  readonly env?: Readonly<Record<string, string | undefined>>;
};

/** What runners load to report. A room may hide the loop's installation, so each gets a copy of this folder. */
export const assetsFolder = fileURLToPath(new URL("./assets", import.meta.url));
type Assets = (name: string) => string;
const javascript: readonly RunnerKind[] = ["node", "vitest", "jest", "mocha", "playwright", "ava"];
const python: readonly RunnerKind[] = ["pytest", "unittest"];
/** AVA names the file of a test only when it runs several: a selection would change the names. */
const selecting: readonly RunnerKind[] = ["node", "vitest", "jest", "mocha", "playwright", ...python, "go"];
/** One variable holds at most 128 KiB, and a shim carries it as well. */
const namesLengthMax = 64 << 10;

export function askForNames(order: NamesOrder): Asking {
  const assets: Assets = (name) => join(order.assets ?? assetsFolder, name);
  const mark = `loop-${randomBytes(12).toString("hex")}`;
  const asked = (kinds: readonly RunnerKind[]): boolean =>
    order.uses.length === 0 || order.uses.some(({ kind }) => kinds.includes(kind));
  const options = asked(javascript) ? nodeOptions(asked(["node"]), assets) : null;
  const { text, selects } = namesText(order, mark, options);
  const env: Record<string, string> = options !== null || asked(python) ? { LOOP_NAMES: text } : {};
  if (options !== null)
    env["NODE_OPTIONS"] = joined(" ", order.env?.["NODE_OPTIONS"], options.hook, options.reporters?.[0]);
  if (asked(python)) env["PYTHONPATH"] = joined(":", assets("python"), order.env?.["PYTHONPATH"]);
  return { env, shims: shimsFor(order, mark, text, options, assets), mark, selects };
}

function nodeOptions(withReporters: boolean, assets: Assets): NodeOptions {
  // As a URL the path has no spaces. The reporter prints nothing: stderr is the only destination that is never synced.
  const ours = `--test-reporter=${pathToFileURL(assets("node-reporter.mjs")).href} --test-reporter-destination=stderr`;
  const both = `--test-reporter=spec --test-reporter-destination=stdout ${ours}`;
  const hook = `--require=${JSON.stringify(assets("node-hook.cjs"))}`;
  return { hook, reporters: withReporters ? [both, ours] : null };
}

/** For the assets: where to write, which files are selected, and what to remove from the environment again. */
function namesText(order: NamesOrder, mark: string, options: NodeOptions | null): { text: string; selects: boolean } {
  const names = {
    to: `${order.out}/${mark}`,
    mark,
    root: order.cwd,
    options: options === null ? [] : [options.hook, ...(options.reporters ?? [])],
    reporters: options?.reporters ?? ["", ""],
    shims: shimNames(order.uses),
  };
  const text = JSON.stringify({ ...names, only: order.only ?? null });
  const [first, ...others] = order.uses;
  const canSelect =
    order.only !== undefined &&
    first !== undefined &&
    [first, ...others].every(({ kind, selects }) => kind === first.kind && selects) &&
    selecting.includes(first.kind) &&
    text.length <= namesLengthMax;
  return canSelect ? { text, selects: true } : { text: JSON.stringify({ ...names, only: null }), selects: false };
}

/** Only programs that the check starts: a program that is not installed must not seem to be. */
function shimNames(uses: readonly RunnerUse[]): readonly string[] {
  const names = uses.flatMap(({ kind, programs }) => {
    if (javascript.includes(kind)) return ["node"];
    if (python.includes(kind)) return programs;
    return kind === "go" || kind === "bats" || kind === "cargo" ? [kind] : [];
  });
  return [...new Set(names)].sort();
}

function shimsFor(
  order: NamesOrder,
  mark: string,
  text: string,
  options: NodeOptions | null,
  assets: Assets,
): readonly Shim[] {
  return shimNames(order.uses).flatMap((name) => {
    if (name === "node") return options === null ? [] : [nodeShim(mark, text, options)];
    if (name === "go") return [goShim(mark, text, process.execPath, assets("go-test.mjs"))];
    if (name === "cargo") return [cargoShim(mark)];
    if (name === "bats") return [batsShim(mark, `${order.out}/${mark}`)];
    return [pythonShim(name, mark, text, assets("python"))];
  });
}

const joined = (by: string, ...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join(by);
