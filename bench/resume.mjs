// Opening a run with a short and with a long journal: with a snapshot it must not matter how long it is.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { ms, ratio, sideBySide } from "./measure.mjs";
import { makeProject } from "./project.mjs";

const sinceSnapshot = 100;

export async function resume(place, dist, counts) {
  const load = (path) => import(join(dist, path));
  const { openRun, readStory } = await load("engines/local/runs.js");
  const runs = [];
  for (const count of counts) runs.push(await makeRun(place, load, count));
  const [short, long] = runs;
  const open = async ({ root, run }) => {
    const held = await openRun(root, run);
    await held.close();
  };
  const opened = await sideBySide(15, { short: () => open(short), long: () => open(long) }, { warmUp: 2 });
  const read = await sideBySide(15, {
    short: () => void readStory(short.root, short.run),
    long: () => void readStory(long.root, long.run),
  });
  const [few, many] = counts.map((count) => count.toLocaleString("en"));
  return [
    [
      `opening a run with ${many} events to go on, against one with ${few}`,
      ms(opened.long),
      ms(opened.short),
      ratio(opened.long / opened.short),
    ],
    [`reading its journal alone`, ms(read.long), ms(read.short), ratio(read.long / read.short)],
  ];
}

/** A run that was begun and then heard many things: they are legal events, and change nothing but the journal. */
async function makeRun(place, load, count) {
  const { beginRun } = await load("engines/local/begin.js");
  const { encodeLine, firstLink } = await load("journal/line.js");
  const { writeSnapshot } = await load("journal/file/snapshot-file.js");
  const { follow, newStory, storyVersion } = await load("runtime/story.js");
  const root = makeProject(place, 3, 0);
  const { run, close } = await beginRun({ root, request: null, flags: {}, kind: "git" });
  const { home, plan } = run;
  await close();
  const journal = join(home.dir, "events.jsonl");
  const [begun] = fs.readFileSync(journal, "utf8").split("\n", 1);
  const first = JSON.parse(begun);
  const event = first.event ?? first.e ?? first;
  let story = follow(newStory(plan.contract), event);
  let last = encodeLine(event, firstLink(home.run));
  if (last.bytes.toString() !== `${begun}\n`) throw new Error("the journal does not begin as it was written");
  const lines = [last.bytes];
  let length = last.bytes.length;
  for (let at = 1; at < count; at++) {
    const noted = { type: "noted", about: "bench", text: `note ${at}`, at: event.at + at, tookMs: 1 };
    story = follow(story, noted);
    last = encodeLine(noted, last.link);
    lines.push(last.bytes);
    length += last.bytes.length;
    if (count > sinceSnapshot && at === count - sinceSnapshot)
      writeSnapshot(home.dir, storyVersion, { state: story, link: last.link, offset: length });
  }
  for (const path of [journal, join(home.mirror, "events.jsonl")]) {
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, Buffer.concat(lines));
  }
  return { root, run: home.run };
}
