// loop schedule: a timer of the system that looks at the triggers, for people who want no server.
import { realpathSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import { servePlaces } from "../../serve/places.ts";
import { readRegistry } from "../../serve/registry.ts";
import { lookOnce } from "../../serve/schedule/look.ts";
import { type TimerKind, timerKinds, timerOf, usualKind } from "../../serve/schedule/timers.ts";
import type { Command } from "../../serve/schedule/units.ts";
import { configuredIn } from "../../serve/triggers/configured.ts";
import { waitsFor } from "../../serve/triggers/routes.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";

export type ScheduleFlags = GlobalFlags & { with?: string; dryRun?: boolean };

export async function install(flags: ScheduleFlags): Promise<number> {
  const context = contextOf(flags);
  const timer = timerOf(kindOf(flags.with));
  if (flags.dryRun === true) context.answer(timer.text(ownCommand()));
  else context.answer(`${timer.install(ownCommand())}\nTo see what it looks at: loop schedule list\n`);
  return 0;
}

export async function remove(flags: ScheduleFlags): Promise<number> {
  const context = contextOf(flags);
  const kinds =
    flags.with === undefined ? timerKinds.filter((each) => timerOf(each).isInstalled()) : [kindOf(flags.with)];
  if (kinds.length === 0) context.answer("No timer is installed.\n");
  for (const kind of kinds) context.answer(`${timerOf(kind).remove()}\n`);
  return 0;
}

export async function list(flags: ScheduleFlags): Promise<number> {
  const context = contextOf(flags);
  const timers = timerKinds.filter((kind) => timerOf(kind).isInstalled());
  const workspaces = readRegistry(servePlaces().registry).map((each) => ({ root: each.root, ...configuredIn(each) }));
  const triggers = workspaces.flatMap(({ root, triggers: all }) =>
    all.map((trigger) => ({ root, name: trigger.name, on: waitsFor(trigger) })),
  );
  const problems = workspaces.flatMap(({ root, problem }) =>
    problem === null ? [] : [{ root, problem: problem.why }],
  );
  if (context.json) {
    printAnswer(answers.schedule, { timers, triggers, problems }, 0);
    return 0;
  }
  context.answer(
    timers.length === 0 ? "No timer is installed. Next: loop schedule install\n" : `Timer: ${timers.join(", ")}\n`,
  );
  for (const { root, name, on } of triggers) context.answer(`${root}  ${name}  ${on}\n`);
  for (const { root, problem } of problems) context.answer(`${root}  no trigger fires. ${problem}\n`);
  if (triggers.length + problems.length === 0)
    context.answer("No registered workspace has triggers: loop serve --add DIR\n");
  return 0;
}

export async function run(flags: ScheduleFlags): Promise<number> {
  const context = contextOf(flags);
  const begun = await lookOnce();
  if (begun === null) context.comment("loop serve keeps the triggers.\n");
  else if (begun > 0) context.answer(`Began ${begun} ${begun === 1 ? "run" : "runs"}.\n`);
  return 0;
}

function kindOf(given: string | undefined): TimerKind {
  const kind = given === undefined ? usualKind() : timerKinds.find((each) => each === given);
  if (kind !== undefined) return kind;
  throw new UserError("bad-flag", {
    what: "Nothing was changed.",
    why: `There is no ${given}.`,
    next: `Name one of: ${timerKinds.join(", ")}`,
  });
}

/** Timers start with little of a person's environment, and agents have to be found. */
function ownCommand(): Command {
  const names = ["PATH", "XDG_STATE_HOME", "XDG_CONFIG_HOME"];
  const env = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const program = realpathSync(process.argv[1] ?? "");
  return { argv: [process.execPath, program, "schedule", "run", "--quiet"], env: Object.fromEntries(env) };
}
