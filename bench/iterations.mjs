// What an iteration costs beside the agent: the loop against a bare shell script, and against one that does the same work.
import * as fs from "node:fs";
import { join } from "node:path";
import { ms, ratio, sideBySide, timed } from "./measure.mjs";
import { bareScript, makeProject, sameWorkScript } from "./project.mjs";

export async function iterations(place, loop, { count, seconds, rounds, warmUp }) {
  const inProject = (act) => () => {
    const root = makeProject(place, count, seconds);
    const took = act({ cwd: root, env: { ...place.env, REPLY: join(root, "..", "reply.json") } });
    const commits = Number(place.git(root, "rev-list", "--count", "HEAD"));
    if (commits < count + 1) throw new Error(`only ${commits - 1} of ${count} features were committed`);
    fs.rmSync(root, { recursive: true });
    return took;
  };
  const shell = (script) => inProject((where) => timed("sh", ["-c", script], where));
  const times = await sideBySide(
    rounds,
    {
      ours: inProject((where) => timed(process.execPath, [loop, "run", "--quiet"], where)),
      bare: shell(bareScript(count)),
      same: shell(sameWorkScript(count)),
    },
    { warmUp },
  );
  const each = Object.fromEntries(Object.entries(times).map(([name, took]) => [name, took / count]));
  const who = seconds === 0 ? "an instant agent" : `an agent that takes ${seconds} s`;
  return [
    [
      `iteration with ${who}, against a bare script (agent, test, commit)`,
      ms(each.ours),
      ms(each.bare),
      ratio(each.ours / each.bare),
    ],
    [
      `the same, against a script with the same sessions and test runs (adds ${ms(each.same - each.bare)})`,
      ms(each.ours),
      ms(each.same),
      ratio(each.ours / each.same),
    ],
    ["what the loop itself adds to an iteration", ms(each.ours - each.same), "", ""],
  ];
}
