// loop check on the screen: the clean checkout, each check in it, and what a red one lacks. At most 60 columns.
import { stripVTControlCharacters } from "node:util";
import { unreachable } from "../../core/errors.ts";
import { type CheckoutKeys, keysText } from "../../formats/config/loop-yaml-edit.ts";
import { shortened } from "../../formats/text/shortened.ts";
import type { CheckedProject } from "../../project/checks/check-project.ts";
import type { CheckedCheck } from "../../project/checks/look-at-checks.ts";
import { type Addition, entryOf, looksSecret } from "../../proof/diagnose/addition.ts";
import { type Diagnosis, trialsMax, trialsMsMax } from "../../proof/diagnose/diagnose.ts";
import { count, duration } from "../../report/words/words.ts";
import type { Paint } from "./paint.ts";

const width = 60;
const indent = 10;

export type CheckAnswer = {
  readonly project: CheckedProject;
  /** What would make the red checks green; null: unknown. */
  readonly keys: CheckoutKeys | null;
  readonly wrote: boolean;
  readonly exitCode: number;
  readonly next: string;
};

export function checkText({ project, keys, wrote, next }: CheckAnswer, paint: Paint): string {
  const parts = [
    around(project, paint),
    project.obstacle === null ? "" : row(`${paint.red("✗")} ${paint.bold("folder")}`, project.obstacle.why).join("\n"),
    ...project.checks.map((check) => checkPart(check, paint)),
    project.notes.flatMap((note) => row(paint.dim("note"), note)).join("\n"),
    keys === null ? "" : block(project, keys, wrote, paint),
    project.estimate === null ? "" : takes(project.estimate).join("\n"),
    wrapped(`Next: ${next}`, width)
      .join("\n")
      .replace(/^Next:/, paint.bold("Next:")),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function around({ rooms, kept, build, product, protected: judged }: CheckedProject, paint: Paint): string {
  const checkout = rooms.kind === "mounts" ? "laid over this folder's own path" : `a folder elsewhere: ${rooms.why}`;
  const paths =
    kept.paths.length === 0
      ? "nothing: there is no dependency folder here, such as node_modules or .venv"
      : listed(kept.paths);
  const cost = kept.paths.length === 0 ? "" : `, ${bytes(kept.bytes)} in ${duration(kept.ms)}`;
  return [
    ...row(paint.bold("checkout"), checkout),
    ...row(paint.bold("kept"), `${paths}${cost}`),
    ...row(paint.bold("build"), build.from === "none" ? "none" : `${build.run} (${build.from})`),
    ...row(paint.bold("files"), `${product} product, ${judged} protected (loop status --seal)`),
  ].join("\n");
}

function checkPart(check: CheckedCheck, paint: Paint): string {
  const { spec, looks, isFit, tail, log, diagnosis } = check;
  const mark = !isFit
    ? paint.red("✗")
    : looks === "empty" || looks === "unnamed"
      ? paint.yellow("!")
      : paint.green("✓");
  const failure = looks === "red" && spec.must === "stay-green";
  return [
    ...row(`${mark} ${paint.bold(spec.name)}`, spec.run),
    ...row("", verdict(check)),
    ...(failure ? firstLines(tail).map((line) => `${" ".repeat(indent)}${paint.dim(`│ ${line}`)}`) : []),
    // A path is not wrapped: people copy it.
    ...(isFit || log === null ? [] : [`${" ".repeat(indent)}${log}`]),
    ...(diagnosis === null ? [] : row("", explained(diagnosis))),
    ...row("", reach(check)).filter((line) => line !== ""),
  ].join("\n");
}

function verdict({ spec, looks, how, tests, ms }: CheckedCheck): string {
  const took = duration(ms);
  if (looks === "flaky") return `flaky: red and green on the same files, ${took}`;
  if (looks === "red" && spec.must === "turn-green") return `red, and has to turn green, ${took}`;
  if (looks === "red") return `red in the clean checkout, ${redWords[how] ?? took}`;
  if (spec.must === "turn-green") return `green already, and has to turn green, ${took}`;
  switch (looks) {
    case "named":
      return `green, ${count(tests ?? 0, "test")} by name, ${took}`;
    case "unnamed":
      return `green, ${took}; it names no tests, so that only its exit code is compared`;
    case "empty":
      return `green, ${took}; it runs no test: it proves nothing until it has some`;
    default:
      return unreachable(looks);
  }
}

/** Which network its runs have from now on. */
function reach({ spec, offline }: CheckedCheck): string {
  if (offline === null) return "";
  if (spec.network === "none") return "It is green with the network.";
  if (offline === "green") return "green without the network too: runs keep it from the network from now on";
  return `It needs the network, and keeps it. To say so: network: open for ${spec.name} in loop.yaml.`;
}

const redWords: Partial<Record<CheckedCheck["how"], string>> = {
  "timed-out": "stopped at its time limit (timeout_s)",
  unready: "which could not be prepared",
};

function explained(diagnosis: Diagnosis): string {
  const after = `${count(diagnosis.runs, "trial")}, ${duration(diagnosis.ms)}`;
  switch (diagnosis.is) {
    case "found":
      return `Green with ${listed(diagnosis.additions.map(named), 6)} (${after}).${diagnosis.smallest ? "" : ` Less would do: the search for it ended at ${bound}.`}`;
    case "red":
      return `It stays red with all ignored files, your whole environment and the settings in your home (${after}). It is red in the folder as well, or needs what no setting brings: git's history, a terminal, CI to be unset.`;
    case "asked":
      return `It is green when its runner is not asked for the names of its tests (${after}). That is a fault of Loopwright: please report it, with the output.`;
    case "undecided":
      return `Nothing that was tried makes it green (${after}; the search ends at ${bound}).`;
    default:
      return unreachable(diagnosis);
  }
}

const bound = `${trialsMax} trials or ${duration(trialsMsMax)}`;

/** Names an addition in a sentence. Values of variables are never shown. */
export function named(addition: Addition): string {
  const entry = entryOf(addition);
  switch (addition.is) {
    case "build":
      return entry === "" ? "no build" : `the build ${entry}`;
    case "env":
      return `the variable ${entry}`;
    case "file":
      return entry;
    case "home":
      return `~/${entry}`;
    case "outside":
      return `the folder ${entry}`;
    default:
      return unreachable(addition);
  }
}

function block({ additions }: CheckedProject, keys: CheckoutKeys, wrote: boolean, paint: Paint): string {
  const text = keysText(keys).trimEnd().split("\n");
  const secret = additions.filter(looksSecret).map(named);
  const warning = `${listed(secret)} may hold secrets, and becomes readable to the checks, and so to code that an agent wrote.`;
  return [
    paint.bold(wrote ? "Added to loop.yaml" : "Add to loop.yaml"),
    ...text.map((line) => `  ${line}`),
    ...(secret.length === 0 ? [] : row(paint.yellow("warning"), warning)),
  ].join("\n");
}

function takes({ quick, standard, deep }: NonNullable<CheckedProject["estimate"]>): string[] {
  const each = [`quick ${duration(quick)}`, `standard ${duration(standard)}`, `deep ${duration(deep)}`];
  return wrapped(`The checks of a proof take about, per feature: ${each.join(", ")}.`, width);
}

const firstLinesMax = 8;
const failing =
  /\bnot ok\b|\berror\b|\bfail(?:ed|ure|s)?\b|exception|traceback|panicked|✖|✗|\bENOENT\b|cannot find|not found|missing/i;

/** A summary: how many failed, not which. */
const counting =
  /^\W*(?:\d+ )?(?:tests? |suites? )?(?:fail(?:ed|ing|ures?)?|errors?)\W*\d*$|\b\d+ (?:failed|failures?|errors?)\b/i;

/** Where the failure begins, if that can be detected; else the end. */
export function firstLines(tail: string): string[] {
  const lines = tail
    .split("\n")
    .map((line) => stripVTControlCharacters(line).replace(/\s+$/, ""))
    .filter((line) => line.trim() !== "" && !/^\s+at .*(?:\bnode:|node_modules)/.test(line));
  const at = lines.findIndex((line) => failing.test(line) && !counting.test(line));
  const from = at < 0 ? Math.max(0, lines.length - firstLinesMax) : at;
  return lines
    .slice(from, from + firstLinesMax)
    .map((line) => shortened(line.replaceAll("\t", "  "), width - indent - 2));
}

function listed(items: readonly string[], max = 3): string {
  const more = items.length > max ? ` and ${items.length - max} more` : "";
  return `${items.slice(0, max).join(", ")}${more}`;
}

function bytes(size: number): string {
  if (size < 1 << 20) return `${Math.max(1, Math.round(size / 1024))} KB`;
  return size < 1 << 30 ? `${Math.round(size / (1 << 20))} MB` : `${(size / (1 << 30)).toFixed(1)} GB`;
}

/** A name and a text next to it, wrapped. */
function row(name: string, text: string): string[] {
  const gap = " ".repeat(Math.max(1, indent - stripVTControlCharacters(name).length));
  return wrapped(clean(text), width - indent).map((line, at) =>
    at === 0 ? `${name}${gap}${line}`.trimEnd() : `${" ".repeat(indent)}${line}`,
  );
}

const clean = (text: string): string => stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f]+/g, " ");

function wrapped(text: string, max: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && `${line} ${word}`.length > max) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
