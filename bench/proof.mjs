// The proof of a feature beside the same checks run by hand in a clean checkout, in a small repository and in a large one.
import * as fs from "node:fs";
import { join } from "node:path";
import { median, timed } from "./measure.mjs";
import { featureIds, makeProject } from "./project.mjs";
import { row } from "./results.mjs";

/** Of these the first is left out: its checkout is a new one, for the loop and by hand. */
const features = 6;

export async function proof(place, { loop }, sizes) {
  const measured = [];
  for (const files of sizes) measured.push({ files, ...(await inRepository(place, loop, files)) });
  const n = (files) => `${files.toLocaleString("en")} files`;
  return {
    rows: measured.map(({ files, ours, byHand }) =>
      row(
        `the proof of a feature in a repository of ${n(files)}, against the same two runs of the tests by hand`,
        "ms",
        ours,
        byHand,
      ),
    ),
    plots: [
      {
        kind: "bars",
        name: "proof",
        title: "The proof of a feature: clean checkout, tests, tests over the old code",
        unit: "ms",
        groups: measured.map(({ files, ours, byHand }) => ({
          name: n(files),
          bars: [
            { name: "the loop", value: ours },
            { name: "by hand", value: byHand },
          ],
        })),
      },
    ],
  };
}

async function inRepository(place, loop, files) {
  const root = makeProject(place, features, 0, "", others(files));
  place.git(root, "repack", "-adq"); // As a repository of that size is, in practice.
  const env = { ...place.env, XDG_STATE_HOME: place.folder("proof-state") };
  timed(process.execPath, [loop, "run", "--quiet"], { cwd: root, env });
  const proved = eventsOf(env.XDG_STATE_HOME).filter(({ type }) => type === "proved");
  if (proved.length !== features) throw new Error(`${proved.length} of ${features} features were proved`);
  const clean = place.folder("clean");
  place.git(root, "clone", "-q", "--shared", root, clean);
  const commits = place.git(root, "log", "--reverse", "--format=%H", "--grep=^Loop-Feature").trim().split("\n");
  const script = (commit, id) =>
    `git clean -fdxq && git checkout -q --force --detach ${commit} && sh run-tests.sh &&
     git checkout -q ${commit}~1 && git checkout -q ${commit} -- test/${id}.sh && ! sh run-tests.sh`;
  const times = featureIds(features).map((id, at) =>
    timed("sh", ["-c", script(commits[at], id)], { cwd: clean, env: place.env }),
  );
  for (const dir of [root, clean, env.XDG_STATE_HOME]) fs.rmSync(dir, { recursive: true });
  return { ours: median(proved.slice(1).map(({ tookMs }) => tookMs)), byHand: median(times.slice(1)) };
}

const others = (count) =>
  Object.fromEntries(
    Array.from({ length: Math.max(0, count - 10) }, (_, at) => [
      `lib/part-${Math.floor(at / 500)}/folder-${Math.floor(at / 50)}/file-${at}.txt`,
      `file ${at}\n${"a line of text\n".repeat(20)}`,
    ]),
  );

function eventsOf(state) {
  const journal = fs.readdirSync(state, { recursive: true }).find((name) => /\/runs\/[^/]+\/events\.jsonl$/.test(name));
  return fs
    .readFileSync(join(state, journal), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).event);
}
