// Programs that are test runners, or interpreters that run one.
import { posix } from "node:path";
import type { RunnerKind, RunnerUse } from "../runner.ts";
import { type Place, textAt } from "./place.ts";

type Found = Pick<RunnerUse, "kind" | "selects">;
type Recognise = (args: readonly string[], place: Place) => Found | null;

const is = (kind: RunnerKind, selects = true): Found => ({ kind, selects });
const unless = (kind: RunnerKind, other: RegExp) => (args: readonly string[]) =>
  other.test(args[0] ?? "") ? null : is(kind);
const command =
  (kind: RunnerKind, name: RegExp, selects = true) =>
  (args: readonly string[]) =>
    name.test(args.find((arg) => !/^[-+]/.test(arg)) ?? "") ? is(kind, selects) : null;

const recognisers: Readonly<Record<string, Recognise>> = {
  vitest: unless("vitest", /^(?:bench|list|init)$/),
  jest: unless("jest", /^--(?:init|showConfig|clearCache|listTests)$/),
  mocha: unless("mocha", /^init$/),
  _mocha: () => is("mocha"),
  playwright: command("playwright", /^test$/),
  ava: unless("ava", /^reset-cache$/),
  pytest: () => is("pytest"),
  "py.test": () => is("pytest"),
  go: command("go", /^test$/),
  gotestsum: () => is("go", false),
  cargo: command("cargo", /^(?:test|t)$/, false),
  bats: () => is("bats", false),
  tape: () => is("tap", false),
  node: nodeRuns,
  nodejs: nodeRuns,
  tsx: nodeRuns,
  "ts-node": nodeRuns,
  borp: () => is("node", false),
};

export function runnerIn(program: string, args: readonly string[], place: Place): Found | null {
  if (/^python[\d.]*$/.test(program)) return pythonRuns(args, place);
  return Object.hasOwn(recognisers, program) ? (recognisers[program]?.(args, place) ?? null) : null;
}

const valuedByNode =
  /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file|--tsconfig|--test-.*)$/;

function nodeRuns(args: readonly string[], place: Place): Found | null {
  const at = args.findIndex((arg, index) => !arg.startsWith("-") && !valuedByNode.test(args[index - 1] ?? ""));
  const options = at < 0 ? args : args.slice(0, at);
  if (options.includes("--test")) return is("node");
  const script = args[at];
  if (script === undefined) return null;
  const installed = /(?:^|\/)node_modules\/(@playwright\/test|[\w.-]+)\//.exec(script)?.[1];
  if (installed !== undefined) {
    const name = installed.replace(/^@playwright\/test$/, "playwright").replace(/^jest-cli$/, "jest");
    return runnerIn(name, args.slice(at + 1), place);
  }
  const text = textAt(place, script) ?? textAt(place, `${script}.js`) ?? "";
  if (/["']node:test(?:\/\w+)?["']/.test(text)) return is("node", false);
  return /["']tape["']/.test(text) ? is("tap", false) : null;
}

function pythonRuns(args: readonly string[], place: Place): Found | null {
  const at = args.findIndex(
    (arg, index) => arg === "-m" || (!arg.startsWith("-") && !/^-[WX]$/.test(args[index - 1] ?? "")),
  );
  if (args[at] === "-m") {
    const module = args[at + 1] ?? "";
    return /^(?:pytest|py\.test)$/.test(module) ? is("pytest") : module === "unittest" ? is("unittest") : null;
  }
  const script = args[at];
  if (script === undefined) return null;
  if (posix.basename(script) === "manage.py" && args[at + 1] === "test") return is("unittest");
  const text = textAt(place, script) ?? "";
  if (/\bpytest\.main\(/.test(text)) return is("pytest");
  return /\bunittest\.(?:main|TextTestRunner)\(/.test(text) ? is("unittest") : null;
}
