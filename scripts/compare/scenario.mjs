// What a scenario is, and how to play one: a person's commands, and what happens while they run.
import { look } from "./look.mjs";
import { Place, until } from "./place.mjs";

/**
 * What to wait for while a command runs: a mark that the scripted agent, a check or git leaves in the home, or its end.
 * Never the journal, whose format may differ between builds.
 * @typedef {{ mark: string } | "end"} Moment
 *
 * One action of a person. `loop` is a command line; `isLater` runs it an hour later by its clock.
 * @typedef {{ loop: string[], isLater?: boolean, meanwhile?: ({ after?: Moment } & Step)[] }
 *   | { write: Record<string, string> } | { git: string[] } | { mark: string } | { signal: NodeJS.Signals }} Step
 *
 * @typedef {{ name: string, files: Record<string, string>, isGit?: boolean, holdsGit?: boolean, steps: Step[] }} Scenario
 */

/** Plays a scenario with one build, and returns what it left behind and what its commands printed. */
export async function play(build, scenario) {
  const place = new Place(build, scenario);
  await place.open();
  const exits = [];
  const said = [];
  const tell = (line, { stdout, stderr }) => {
    exits.push(line);
    said.push(`$ loop ${line}\n${stderr}${stdout}`);
  };
  try {
    for (const step of scenario.steps) {
      await perform(place, step, tell);
      await settle(place, tell);
    }
    return { ...(await look(place, exits)), said };
  } finally {
    place.remove();
  }
}

async function perform(place, step, tell) {
  if (step.loop !== undefined) await command(place, step, tell);
  if (step.write !== undefined) place.write(step.write);
  if (step.git !== undefined) byHand(place, step.git, tell);
  if (step.mark !== undefined) place.mark(step.mark);
}

/** If a build leaves the repository in another state, a person's git may have nothing to do, or be refused. */
function byHand(place, args, tell) {
  try {
    place.git(...args);
  } catch (error) {
    tell(`git ${args.join(" ")} → ${error.status}`, { stdout: String(error.stdout), stderr: String(error.stderr) });
  }
}

async function command(place, { loop, isLater = false, meanwhile = [] }, tell) {
  const { child, end } = place.start(loop, { isLater });
  const others = [];
  await during(place, { child, end, meanwhile }, (line, ended) => others.push([`  meanwhile ${line}`, ended]));
  const ended = await end;
  const how = ended.hung ? "it hung" : (ended.code ?? ended.signal);
  tell(`${loop.join(" ")} → ${how}`, ended);
  for (const [line, other] of others) tell(line, other);
}

async function during(place, { child, end, meanwhile }, tell) {
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  for (const { after, ...step } of meanwhile) {
    const came = after === "end" ? await end.then(() => true) : await until(() => isThere(place, after), { isOver });
    if (!came) {
      tell(`never came: ${JSON.stringify(after)}`, silent);
      // Processes that wait for the rest of this scenario would wait forever.
      for (const name of ["at-work.go", "proving.go", "committed.go"]) place.mark(name);
      return;
    }
    if (after?.mark !== undefined) place.unmark(after.mark); // The next one is waited for again.
    if (step.signal !== undefined) child.kill(step.signal);
    await perform(place, step, tell);
  }
}

/** The leash ends a killed loop's agents; the next command's result must not depend on when. */
async function settle(place, tell) {
  if (await until(() => place.processes().length === 0, { msMax: 15_000 })) return;
  tell(`  ${place.processes().length} processes left behind`, silent);
}

const silent = { stdout: "", stderr: "" };

const isThere = (place, moment) => moment === undefined || place.isMarked(moment.mark);
