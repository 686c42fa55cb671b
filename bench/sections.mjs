// What is measured, in the order of the page: each section says what is compared, and why a user should care.
import { events } from "./events.mjs";
import { flood } from "./flood.mjs";
import { iterations } from "./iterations.mjs";
import { manyFeatures } from "./many-features.mjs";
import { manyFiles } from "./many-files.mjs";
import { fixedTokens, prompts } from "./prompts.mjs";
import { proof } from "./proof.mjs";
import { served } from "./served.mjs";
import { status } from "./status.mjs";
import { walls } from "./walls.mjs";

/**
 * `measure(place, build)`: rows, plots and notes. `build`: the build's folder, its command line, and the real agents.
 */
export const sections = [
  {
    id: "iteration",
    title: "An iteration",
    why: "The whole of `loop run`, divided by its features, against a shell script: how much longer a night takes because everything is checked. An agent that needs no time shows what the loop itself adds; a real session takes minutes, and beside that it disappears.",
    measure: (place, build) =>
      iterations(place, build, [
        { count: 8, seconds: 0, rounds: 5, warmUp: 1 },
        { count: 3, seconds: 2, rounds: 1, warmUp: 0 },
      ]),
  },
  {
    id: "proof",
    title: "Proof",
    why: "From the candidate to its evidence, against one plain run of the same tests in the person's folder: what it costs to trust only what was run.",
    measure: (place, build) =>
      proof(place, build, [
        { files: 20, tests: 3, seconds: 0, rounds: 5 },
        { files: 10_000, tests: 3, seconds: 0, rounds: 3 },
        { files: 40, tests: 12, seconds: 5.2, rounds: 1 },
      ]),
  },
  {
    id: "files",
    title: "Checkpoint, checkout, restore",
    why: "The same on a large folder as git's nearest commands, which keep less: a checkpoint holds untracked files and all of `.git`, and nothing is overwritten before it is in quarantine.",
    measure: (place, build) => manyFiles(place, build, 10_000),
  },
  {
    id: "features",
    title: "Growth with the queue",
    why: "What an iteration costs beside agents, checks and git (selection, journal, records), with long queues against a short one and late in a run against early: a long night must not become slower towards the morning.",
    measure: (place, build) => manyFeatures(place, build, { features: [10, 100, 500], histories: [10, 50], rounds: 3 }),
  },
  {
    id: "events",
    title: "Growth with the journal",
    why: "A run with a long history against one with a short one: going on after a crash, and asking how it stands, take the same time however long the run has been.",
    measure: (place, build) => events(place, build, [100, 1000, 10_000, 100_000, 1_000_000]),
  },
  {
    id: "flood",
    title: "Memory under flood",
    why: "An agent that prints without end against one that says nothing: it must take neither the machine's memory nor its disk.",
    measure: (place, build) => flood(place, build, 1024),
  },
  {
    id: "served",
    title: "The page of a run",
    why: "The page of a run with a long history against one with a short one, and a run that 50 people watch against one without viewers: looking must cost the run nothing.",
    measure: (place, build) => served(place, build, { counts: [100, 100_000], viewers: 50, rounds: 3, features: 6 }),
  },
  {
    id: "status",
    title: "Commands",
    why: "A whole process from the shell and back, against Node doing nothing: what a person waits for.",
    measure: status,
  },
  {
    id: "prompts",
    title: "Prompts",
    why: "What we send at the beginning of a session, late in a run against early, in tokens of four characters: it is paid for every time, so it must not grow.",
    measure: prompts,
  },
  {
    id: "fixed-tokens",
    title: "Fixed part of a session",
    why: "What the first request of each real agent holds beside our prompt, in tokens of four characters: it is paid before anything is done.",
    measure: fixedTokens,
  },
  {
    id: "walls",
    title: "Walls",
    why: "A session inside walls, from making them to taking them down, against the same session outside, with a model that answers at once: what it costs to leave an agent alone safely.",
    measure: (place, build) => walls(place, build, 7),
  },
];
