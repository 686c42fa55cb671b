// Short and long journals: opening one to resume, its status, and reading it must not depend on its length.
import * as fs from "node:fs";
import { join } from "node:path";
import { bytesRead, sideBySide, timed } from "./measure.mjs";
import { makeProject } from "./project.mjs";
import { row } from "./results.mjs";

const sinceSnapshot = 100;
/** A journal and its copy of a million events, twice over. */
const roomBytes = 2 * 2 ** 30;

export async function events(place, { dist, loop }, counts) {
  const load = (path) => import(join(dist, path));
  const { openRun, readStory } = {
    ...(await load("engines/local/open.js")),
    ...(await load("engines/local/read-story.js")),
  };
  const sizes = counts.filter((count) => count < 1_000_000 || place.freeBytes() > roomBytes);
  const runs = [];
  for (const count of sizes) runs.push(await makeRun(place, load, count));
  const each = (act) => Object.fromEntries(runs.map((one) => [one.count, () => act(one)]));
  const open = async ({ root, run }) => (await openRun(root, run)).close();
  const opened = await sideBySide(15, each(open), { warmUp: 2 });
  const read = await sideBySide(
    15,
    each(({ root, run }) => void readStory(root, run)),
  );
  const said = await sideBySide(
    7,
    each(({ root }) => timed(process.execPath, [loop, "status"], { cwd: root, env: place.env })),
  );
  const bytes = [];
  for (const one of runs) bytes.push(await bytesRead(() => open(one)));
  for (const { snapshot } of runs) fs.rmSync(snapshot, { force: true });
  const whole = await sideBySide(
    1,
    each(({ root, run }) => void readStory(root, run)),
    { warmUp: 0 },
  );
  for (const one of runs) one.remove();

  const [first, last] = [sizes[0], sizes.at(-1)];
  const n = (count) => count.toLocaleString("en");
  const against = (what, times) =>
    row(`${what}, ${n(last)} events against ${n(first)}`, "ms", times[last], times[first]);
  const line = (name, times) => ({ name, points: sizes.map((count) => [count, times[count]]) });
  const perEvent = (whole[last] / last) * 1000;
  return {
    rows: [
      against("opening a run to go on", opened),
      ...(bytes.includes(null)
        ? []
        : [
            row(
              `bytes read for that, ${n(last)} events against ${n(first)}`,
              "KB",
              bytes.at(-1) / 1024,
              bytes[0] / 1024,
            ),
          ]),
      against("`loop status` of it, the whole process", said),
      against("reading its journal alone", read),
      row(`reading ${n(last)} events without a snapshot, every line checked`, "ms", whole[last]),
      row("that, for each event", "µs", perEvent),
    ],
    plots: [
      {
        name: "events",
        title: "Going on with a run, by the length of its journal",
        x: { label: "events in the journal", log: true },
        y: { label: "ms", log: true },
        lines: [
          line("opening to go on", opened),
          line("loop status", said),
          line("reading", read),
          line("reading every line", whole),
        ],
      },
    ],
    notes: [
      "Reading every line cannot be flat: each is checked against the sum of the one before. It happens where there is no snapshot, " +
        "which is after a change of version or damage; otherwise what is before the last snapshot is not read again.",
      ...(last === counts.at(-1) ? [] : [`There was no room on the disk for ${n(counts.at(-1))} events.`]),
    ],
  };
}

/** A run that started and then got many events: they are legal, and change nothing but the journal. */
export async function makeRun(place, load, count) {
  const { beginRun } = await load("engines/local/open.js");
  const { planRun } = await load("project/plan/plan-run.js");
  const { encodeLine, firstLink } = await load("journal/line.js");
  const { writeSnapshot } = await load("journal/file/snapshot-file.js");
  const { snapshotIn } = await load("journal/file/paths.js");
  const { follow, newStory, storyVersion } = await load("report/story.js");
  const root = makeProject(place, 3, 0);
  const { run, close } = await beginRun(root, { planned: planRun({ root, request: null, flags: {} }), kind: "git" });
  const { home, plan } = run;
  await close();
  const journal = join(home.dir, "events.jsonl");
  const [begun] = fs.readFileSync(journal, "utf8").split("\n", 1);
  const { event } = JSON.parse(begun);
  let story = follow(newStory(plan.contract), event);
  let last = encodeLine(event, firstLink(home.run));
  if (last.bytes.toString() !== `${begun}\n`) throw new Error("the journal does not begin as it was written");
  const fd = fs.openSync(journal, "w");
  let lines = [last.bytes];
  let length = last.bytes.length;
  for (let at = 1; at < count; at++) {
    const noted = { type: "noted", about: "bench", text: `note ${at}`, at: event.at + at, tookMs: 1 };
    story = follow(story, noted);
    last = encodeLine(noted, last.link);
    lines.push(last.bytes);
    length += last.bytes.length;
    if (count > sinceSnapshot && at === count - sinceSnapshot)
      writeSnapshot(home.dir, storyVersion, { state: story, link: last.link, offset: length });
    if (lines.length < 10_000) continue;
    fs.writeSync(fd, Buffer.concat(lines));
    lines = [];
  }
  fs.writeSync(fd, Buffer.concat(lines));
  fs.closeSync(fd);
  fs.mkdirSync(home.mirror, { recursive: true });
  fs.copyFileSync(journal, join(home.mirror, "events.jsonl"));
  const remove = () => [root, home.dir].forEach((dir) => void fs.rmSync(dir, { recursive: true }));
  return { root, run: home.run, count, snapshot: snapshotIn(home.dir), remove };
}
