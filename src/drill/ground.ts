// What a drill finds in a project: its tests, what they test, and how its check could be fooled.
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import picomatch from "picomatch";
import type { CheckSpec, Contract } from "../core/contract.ts";
import { lstatIfExists } from "../host/disk.ts";
import { classify } from "../proof/classify/index.ts";
import type { Dialect, Pair, Props, Written } from "./dialect.ts";
import { javascript } from "./javascript.ts";
import { python } from "./python.ts";

export type Ground = {
  readonly root: string;
  readonly contract: Contract;
  readonly files: readonly string[];
  readonly tests: readonly string[];
  /** Null: no test imports a source file that the scope allows to change. */
  readonly props: Props | null;
  /** The drill's feature, in any project. */
  readonly feature: Written;
  /** A file that is safe to change. */
  readonly anyFile: string | null;
};

const dialects: readonly Dialect[] = [javascript, python];
const testsReadMax = 500;
const bytesMax = 500_000;

export function lookAround(root: string, contract: Contract, files: readonly string[]): Ground {
  const classes = classify(
    { paths: [...files].sort(), text: (path) => readText(join(root, path)) || null },
    { product: contract.proof.product, tests: contract.checks.flatMap(({ tests }) => tests), ours: () => false },
  );
  const allowed = contract.scope.mayTouch;
  const mayTouch = allowed.length === 0 ? () => true : picomatch([...allowed], { dot: true });
  const tests = files.filter((path) => classes.of(path).isTest);
  const sources = files.filter((path) => !classes.of(path).isTest && mayTouch(path));
  const pair = findPair(root, tests, new Set(sources));
  const props = pair === null ? null : pair.dialect.props(pair.pair);
  const anyFile = sources.find((path) => /\.(?:md|txt|[cm]?[jt]sx?|py|go|rs|rb|php|java|cs)$/.test(path)) ?? null;
  const beside = anyFile === null ? "" : dirname(anyFile);
  const plain: Written = { path: join(beside, "loop-drill.txt"), text: "drill\n" };
  return { root, contract, files, tests, props, feature: props?.source ?? plain, anyFile };
}

/** The pair whose source has the fewest tests: then a cheat that silences one test is enough to look green. */
function findPair(
  root: string,
  tests: readonly string[],
  sources: ReadonlySet<string>,
): { dialect: Dialect; pair: Pair } | null {
  const read = (path: string): string => readText(join(root, path));
  const found: { dialect: Dialect; pair: Pair }[] = [];
  const texts: string[] = [];
  for (const dialect of dialects) {
    for (const path of tests.filter((test) => dialect.isCode(test)).slice(0, testsReadMax)) {
      const text = read(path);
      texts.push(text);
      const pair = dialect.pairOf({ path, text }, sources, read);
      if (pair !== null) found.push({ dialect, pair });
    }
  }
  const named = ({ pair }: { pair: Pair }): number => {
    const stem = basename(pair.source).replace(/\.\w+$/, "");
    return texts.filter((text) => text.includes(stem)).length;
  };
  return found.map((each) => ({ each, by: named(each) })).sort((a, b) => a.by - b.by)[0]?.each ?? null;
}

function readText(path: string): string {
  const stat = lstatIfExists(path);
  return stat?.isFile() === true && stat.size <= bytesMax ? fs.readFileSync(path, "utf8") : "";
}

/** A check's own script, changed to always pass; null: this check has no such file. */
export function foolScript({ root, contract, files }: Ground): Written | null {
  for (const check of contract.checks) {
    const fooled = packageScript(check, root) ?? makeTarget(check, root) ?? ownScript(check, files) ?? pytestIni(check);
    if (fooled !== null) return fooled;
  }
  return null;
}

function packageScript({ run }: CheckSpec, root: string): Written | null {
  const name = /\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+|run-script\s+)?([\w:.-]+)/.exec(run)?.[1];
  const text = readText(join(root, "package.json"));
  if (name === undefined || text === "") return null;
  const script = name === "t" ? "test" : name;
  try {
    const json = JSON.parse(text) as { scripts?: Record<string, string> };
    if (json.scripts?.[script] === undefined) return null;
    const scripts = { ...json.scripts, [script]: "exit 0" };
    return { path: "package.json", text: `${JSON.stringify({ ...json, scripts }, null, 2)}\n` };
  } catch {
    return null;
  }
}

function makeTarget({ run }: CheckSpec, root: string): Written | null {
  const target = /\bmake\s+([\w.-]+)/.exec(run)?.[1];
  const path = ["GNUmakefile", "makefile", "Makefile"].find((name) => fs.existsSync(join(root, name)));
  return target === undefined || path === undefined ? null : { path, text: `${target}:\n\t@exit 0\n` };
}

function ownScript({ run }: CheckSpec, files: readonly string[]): Written | null {
  const words = run.split(/[\s;&|()<>"'`]+/).map((word) => word.replace(/^\.\//, ""));
  const path = words.find((word) => files.includes(word));
  if (path === undefined) return null;
  if (/\.[cm]?[jt]s$/.test(path)) return { path, text: "process.exit(0);\n" };
  return { path, text: path.endsWith(".py") ? "raise SystemExit(0)\n" : "exit 0\n" };
}

/** It then only prints its help, which never fails. */
const pytestIni = ({ run }: CheckSpec): Written | null =>
  /\bpytest\b/.test(run) ? { path: "pytest.ini", text: "[pytest]\naddopts = --help\n" } : null;

/** A new file that makes the runner pass: it changes nothing sealed. */
export function plantConfig({ contract, files }: Ground): Written | null {
  const runs = contract.checks.map(({ run }) => run).join("\n");
  const plants: Written[] = [
    ...(/\bnpm\b/.test(runs) ? [{ path: ".npmrc", text: "script-shell=/bin/true\n" }] : []),
    ...(/\bpytest\b/.test(runs)
      ? [{ path: "conftest.py", text: "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n" }]
      : []),
  ];
  return plants.find(({ path }) => !files.includes(path)) ?? null;
}
