// The cost of an iteration apart from the agent: against a bare shell script, and one that does the same work.
import * as fs from "node:fs";
import { join } from "node:path";
import { sideBySide, timed } from "./measure.mjs";
import { bareScript, makeProject, runArgs, sameWorkScript } from "./project.mjs";
import { row } from "./results.mjs";

/** `agents`: how many seconds each takes, over how many features and rounds. */
export async function iterations(place, { loop }, agents) {
  const measured = [];
  for (const agent of agents) measured.push({ ...agent, each: await perIteration(place, loop, agent) });
  return {
    rows: measured.flatMap(({ seconds, each: { ours, bare, same } }) => [
      row(`with ${named(seconds)}, against a bare script (agent, test, commit)`, "ms", ours, bare),
      row(`the same, against a script with the same sessions and test runs`, "ms", ours, same),
      row("what the loop itself adds", "ms", ours - same),
    ]),
    plots: [
      {
        kind: "bars",
        name: "iteration",
        title: "One iteration, by who runs it",
        unit: "ms",
        groups: measured.map(({ seconds, each: { ours, bare, same } }) => ({
          name: named(seconds),
          bars: [
            { name: "the loop", value: ours },
            { name: "a script with the same sessions and tests", value: same },
            { name: "a bare script", value: bare },
          ],
        })),
      },
    ],
  };
}

const named = (seconds) => (seconds === 0 ? "an instant agent" : `an agent that takes ${seconds} s`);

async function perIteration(place, loop, { count, seconds, rounds, warmUp }) {
  const inProject = (act) => () => {
    const root = makeProject(place, count, seconds);
    const took = act({ cwd: root, env: { ...place.env, REPLY: join(root, "..", "reply.json") } });
    const commits = Number(place.git(root, "rev-list", "--count", "HEAD"));
    if (commits < count + 1) throw new Error(`only ${commits - 1} of ${count} features were committed`);
    fs.rmSync(root, { recursive: true });
    return took / count;
  };
  const shell = (script) => inProject((where) => timed("sh", ["-c", script], where));
  return sideBySide(
    rounds,
    {
      ours: inProject((where) => timed(process.execPath, [loop, ...runArgs], where)),
      bare: shell(bareScript(count)),
      same: shell(sameWorkScript(count)),
    },
    { warmUp },
  );
}
