// The permanent lines that a run prints in progress. Pure, so that a pipe and a terminal show the same.
import { stripVTControlCharacters } from "node:util";
import type { RunEvent } from "../../core/event.ts";
import { isSignalType, recordEdited } from "../../core/event.ts";
import type { Run } from "../../core/run.ts";
import { featureOf } from "../../core/select.ts";
import { shortened } from "../../formats/text/shortened.ts";
import { visibleLine } from "../../formats/text/visible-text.ts";
import type { Iteration, SessionNote } from "../../report/chronicle.ts";
import type { Story } from "../../report/story.ts";
import { causeText, firstLine } from "../../report/words/cause-words.ts";
import { isAsItShould, shownLine } from "../../report/words/shown.ts";
import { cost, count, duration, isoTime, money } from "../../report/words/words.ts";
import type { Paint } from "./paint.ts";

export const linesFor = (event: RunEvent, story: Story, paint: Paint): string[] => [
  ...linesOf(event, story, paint),
  ...waitLines(event, story.run, paint),
];

/** Said once, when the wait begins. */
function waitLines(event: RunEvent, { now }: Run, paint: Paint): string[] {
  return event.type === "woke" || isSignalType(event.type) ? [] : waitingLines(now, paint);
}

/** For one who joins: the wait has begun, and nothing else is printed before it ends. */
export const waitingLines = (now: Run["now"], paint: Paint): string[] =>
  now.is === "waiting" ? [row(paint.yellow("wait"), `until ${isoTime(now.until)}: ${shorten(now.because)}`)] : [];

function linesOf(event: RunEvent, { run, chronicle }: Story, paint: Paint): string[] {
  const iteration = chronicle.iterations.at(-1);
  switch (event.type) {
    case "prepared":
      return event.baseline.map(({ name, green }) =>
        row("baseline", `${name} ${green ? paint.green("green") : paint.yellow("red, and has to turn green")}`),
      );
    case "observed":
      return run.now.is === "marking" && iteration !== undefined ? ["", heading(run, iteration, paint)] : [];
    case "session-ended": {
      const notes = [...chronicle.whole.slice(-1), ...(iteration?.sessions.slice(-1) ?? [])];
      const note = notes.find(({ session }) => session === event.session);
      const refused = (event.refused ?? []).map(({ command }) =>
        row(paint.red("misdeed"), `tried: ${shorten(command)}`),
      );
      return note === undefined ? [] : [sessionLine(note, paint), ...refused];
    }
    case "collected":
      return [
        ...event.violations.map(({ kind, what }) =>
          row(kind === recordEdited ? paint.yellow("put back") : paint.red("misdeed"), shorten(what)),
        ),
        ...(event.moved === null ? [] : [row(paint.red("moved"), shorten(event.moved))]),
      ];
    case "proved":
      return proofLines(event, paint);
    case "committed":
      return [row(paint.green("commit"), event.commit.slice(0, 10))];
    case "rolled-back":
      return [
        row(
          paint.yellow("undo"),
          event.quarantine === null
            ? "nothing had to be undone"
            : `rolled back; what was there is kept: loop recover ${event.quarantine}`,
        ),
      ];
    case "held":
      return [
        row(paint.yellow("held"), event.branch === null ? "kept in the vault" : `kept as the branch ${event.branch}`),
      ];
    case "taken-up":
      return [
        event.conflicts.length === 0
          ? row("take up", `${count(event.changed, "changed file")}, on top of the current commit`)
          : row(paint.yellow("conflict"), shorten(event.conflicts.join(", "))),
      ];
    case "noted":
      // The opening has just said it; it is recorded for the report.
      if (event.about === "walls") return [];
      // The normal case after a kill: that the run resumes was said.
      if (event.about === "stale-lock-taken-over") return [];
      return [row(paint.dim(event.about), paint.dim(shorten(event.text)))];
    case "closed":
      return [
        "",
        row(
          "checks",
          event.red.length === 0
            ? paint.green("all green at the end")
            : paint.red(`still red: ${event.red.join(", ")}`),
        ),
      ];
    default:
      return [];
  }
}

/** Printed after the lines of an event if the agent's question was answered with its own supposition. */
export const answeredLines = (before: Run | null, { decisions }: Run, paint: Paint): string[] =>
  decisions
    .slice(before?.decisions.length ?? decisions.length)
    .filter(({ source }) => source === "supposition")
    .map(({ answer }) => row(paint.yellow("suppose"), shorten(answer)));

/** Printed after the lines of an event if an attempt has just failed. */
export function verdictLine(before: Iteration | undefined, after: Iteration | undefined, paint: Paint): string[] {
  if (after === undefined || after.cause === null || after.ending === "open" || before?.ending === after.ending)
    return [];
  const what = after.ending === "shelved" ? "put into the inbox" : "retrying";
  return [row(paint.red("refused"), `${what}: ${shorten(firstLine(causeText(after.cause)))}`)];
}

/** When a run is resumed in the middle of a feature; empty: none is in work. */
export function resumedLines({ run, chronicle }: Story, paint: Paint): string[] {
  const iteration = chronicle.iterations.at(-1);
  const isIn = "work" in run.now && run.now.work !== null;
  return isIn && iteration?.ending === "open" ? ["", heading(run, iteration, paint)] : [];
}

function heading(run: Run, { feature, attempt, number }: Iteration, paint: Paint): string {
  const { name } = featureOf(run.contract, feature);
  const again = attempt > 1 ? paint.yellow(`, attempt ${attempt} of ${run.contract.limits.reworkMax + 1}`) : "";
  const { iterationsMax, costUsdMax } = run.contract.limits;
  const of = (most: string | number | null) => (most === null ? "" : ` of ${most}`);
  const where = `iteration ${number}${of(iterationsMax)}, ${cost(run.spent)}${of(costUsdMax === null ? null : money(costUsdMax))}`;
  return `${paint.bold(`${feature} ${visibleLine(name)}`)}${again}  ${paint.dim(where)}`;
}

const verbs: Readonly<Record<SessionNote["role"], string>> = {
  planner: "plan",
  "plan-verifier": "verify",
  skeptic: "doubt",
  designer: "design",
  examiner: "examine",
  builder: "build",
  evaluator: "verify",
  tester: "test",
  "test-verifier": "verify",
  auditor: "audit",
  "audit-verifier": "verify",
};

function sessionLine({ role, how, says, costUsd, estimated, ms }: SessionNote, paint: Paint): string {
  const good = how === "done" || how === "pass" || how === "planned";
  const said = role === "builder" && good ? `says it is ${how}` : good ? paint.green(how) : paint.red(how);
  const why = good || says === "" ? "" : `: ${shorten(firstLine(says))}`;
  return row(verbs[role], `${duration(ms).padEnd(7)} ${money(costUsd, estimated).padEnd(8)} ${said}${why}`);
}

function proofLines(event: Extract<RunEvent, { type: "proved" }>, paint: Paint): string[] {
  const lines = event.checks.map((check) => {
    const good = isAsItShould(check);
    const line = shorten(shownLine(check));
    return row("prove", good === null ? line : good ? paint.green(line) : paint.red(line));
  });
  if (event.failures.length > 0) return lines;
  const { contradiction = null, missing = [] } = event;
  if (contradiction !== null)
    return [
      ...lines,
      row("prove", paint.yellow(shorten(`rewrote protected files: ${contradiction.tests.join(", ")}`))),
    ];
  return [...lines, ...missing.map((text) => row("missing", paint.yellow(shorten(text))))];
}

export const row = (name: string, text: string): string => `  ${padTo(name, 9)} ${text}`;

function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stripVTControlCharacters(text).length));
}

const shorten = (text: string): string => shortened(visibleLine(text), 160);
