// The arguments that make each JavaScript test runner write a report, and run only some files.
"use strict";
const path = require("node:path");

/** By package. Each returns the new arguments; null: this is not a test run, or one that cannot be asked. */
const runners = {
  vitest,
  jest,
  "jest-cli": jest,
  mocha,
  "@playwright/test": playwright,
  playwright,
  ava,
  tsx,
};
module.exports = { runners };

vitest.kind = "vitest";
function vitest({ args, only, report }) {
  const [command, ...rest] = /^(?:run|watch|dev|related)$/.test(args[0] ?? "") ? args : ["run", ...args];
  if (isOther(args) || /^(?:bench|list|init|typecheck)$/.test(args[0] ?? "")) return null;
  nothingSelected(only);
  const options = without(rest, ["--watch", "-w", "--ui", "--run"], []);
  const own = options.some((arg) => /^--reporters?(?:=|$)/.test(arg));
  // Vitest's own JSON reporter loses its file when the configuration names one for another reporter.
  globalThis[Symbol.for("loopwright.report")] = report();
  const more = [...(own ? [] : ["--reporter=default"]), `--reporter=${path.join(__dirname, "vitest-reporter.mjs")}`];
  const chosen = only === null || command === "related" ? options : [...optionsOf(options, vitestFlags), ...only];
  return inserted([command === "related" ? "related" : "run", ...chosen], [...more, "--run"]);
}
const vitestFlags =
  /^--(?:no-.*|coverage|globals|silent|typecheck|passWithNoTests|dom|isolate|update|allowOnly|hideSkippedTests|standalone|expandSnapshotDiff|dangerouslyIgnoreUnhandledErrors|fileParallelism|logHeapUsage)$|^-u$/;

jest.kind = "jest";
function jest({ args, only, report }) {
  if (isOther(args) || args.some((arg) => /^--(?:listTests|showConfig|init|clearCache|outputFile)/.test(arg)))
    return null;
  nothingSelected(only);
  const options = without(args, ["--watch", "--watchAll", "--json"], []);
  const more = ["--watchAll=false", "--json", `--outputFile=${report()}`];
  if (only === null || options.includes("--findRelatedTests")) return inserted(options, more);
  return inserted([...optionsOf(options, jestFlags), "--runTestsByPath", ...only], more);
}
const jestFlags =
  /^--(?:no-.*|coverage|collectCoverage|runInBand|ci|verbose|silent|passWithNoTests|detectOpenHandles|forceExit|bail|updateSnapshot|onlyChanged|runTestsByPath|logHeapUsage|colors?|expand|errorOnDeprecated|all|useStderr|debug)$|^-[iuobe]$/;

mocha.kind = "mocha";
function mocha({ args, only, report }) {
  if (isOther(args) || args.some((arg) => /^--(?:list-|dry-run)/.test(arg)) || args[0] === "init") return null;
  nothingSelected(only);
  const options = without(
    args,
    ["--watch", "-w"],
    ["--reporter", "-R", "--reporter-option", "--reporter-options", "-O"],
  );
  // A comma or an equals sign in the folder's name would split the option.
  const to = encodeURIComponent(report());
  const more = ["--reporter", path.join(__dirname, "mocha-reporter.cjs"), "--reporter-option", `to=${to}`];
  return inserted(only === null ? options : [...optionsOf(options, mochaFlags), ...only.map(plainPattern)], more);
}
const mochaFlags =
  /^--(?:no-.*|exit|recursive|bail|check-leaks|forbid-only|forbid-pending|full-trace|inline-diffs|parallel|async-only|colors?|diff|allow-uncaught|delay|fail-zero|sort|enable-source-maps|pass-on-failing-test-suite)$|^-[bpAcCS]$/;

playwright.kind = "playwright";
function playwright({ args, only, report }) {
  const [command, ...rest] = args;
  if (command !== "test" || isOther(rest) || rest.includes("--list")) return null;
  nothingSelected(only);
  const own = rest.flatMap((arg, at) =>
    /^--reporter=/.test(arg) ? [arg.slice(11)] : /^--reporter$/.test(arg) ? [rest[at + 1] ?? ""] : [],
  );
  const options = without(rest, ["--ui", "--debug", "--headed"], ["--reporter", "--ui-host", "--ui-port"]);
  // Playwright has no argument for the file.
  const file = report();
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = file;
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = file;
  const chosen = only === null ? options : [...optionsOf(options, playwrightFlags), ...only.map(plainExpression)];
  return [command, ...inserted(chosen, [`--reporter=${[...(own.length > 0 ? own : ["list"]), "json"].join(",")}`])];
}
const playwrightFlags =
  /^--(?:no-.*|fully-parallel|forbid-only|pass-with-no-tests|quiet|last-failed|ignore-snapshots|fail-on-flaky-tests)$|^-x$/;

ava.kind = "ava";
/** AVA has no reporters, but prints TAP on request; its output is kept. */
function ava({ args, report }) {
  if (isOther(args) || /^(?:debug|reset-cache)$/.test(args[0] ?? "")) return null;
  keepOutput(report());
  return inserted(without(args, ["--watch", "-w", "--tap", "-t", "--verbose", "-v"], []), ["--tap"]);
}

/** tsx starts node with its own arguments: a reporter without a destination would not match the two that node gets. */
function tsx({ args, names }) {
  if (!args.includes("--test") || !args.some((arg) => /^--test-reporter(?:=|$)/.test(arg))) return null;
  const [both, ours] = names.reporters;
  process.env.NODE_OPTIONS = (process.env.NODE_OPTIONS ?? "").replace(both, ours);
  if (args.some((arg) => /^--test-reporter-destination/.test(arg))) return args;
  return ["--test-reporter-destination=stdout", ...args];
}

function keepOutput(file) {
  const { appendFileSync } = require("node:fs");
  const write = process.stdout.write;
  process.stdout.write = function (chunk, ...rest) {
    appendFileSync(file, chunk);
    return write.call(this, chunk, ...rest);
  };
}

const isOther = (args) => args.some((arg) => /^(?:--help|--version|-h)$/.test(arg));

/** A package of a workspace without any of the selected files has nothing to run, which is not a failure. */
function nothingSelected(only) {
  if (only !== null && only.length === 0) process.exit(0);
}

/** Removes options: those without a value, and those with one, in the same argument or in the next. */
function without(args, alone, valued) {
  const left = [];
  for (let at = 0; at < args.length; at += 1) {
    const [name, value] = args[at].split("=", 2);
    if (valued.includes(name)) at += value === undefined ? 1 : 0;
    else if (!alone.includes(name)) left.push(args[at]);
  }
  return left;
}

/**
 * Removes files and patterns. An argument after an option that may take a value could be that value and stays: the
 * runner then runs more than it has to, and nothing is lost.
 */
function optionsOf(args, flags) {
  return args.filter((arg, at) => {
    const before = args[at - 1] ?? "";
    return arg.startsWith("-") || (before.startsWith("-") && !before.includes("=") && !flags.test(before));
  });
}

/** Puts options before a `--`. */
function inserted(args, more) {
  const end = args.indexOf("--");
  return end < 0 ? [...args, ...more] : [...args.slice(0, end), ...more, ...args.slice(end)];
}

const plainPattern = (file) => file.replace(/[*?[\]{}()!]/g, "\\$&");
const plainExpression = (file) => `${file.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
