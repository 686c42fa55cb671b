// What must hold after any fault, checked from the outside: files, git and processes, never the loop's own word.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { canary } from "./place.mjs";
import { bystanders, featureIds } from "./sample.mjs";

const sha256 = (data) => createHash("sha256").update(data).digest("hex");

/** Every complete line proves itself and its place; text after the last newline is a torn tail. */
export function readJournal(bytes) {
  const text = bytes.toString("utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const lines = whole.split("\n").slice(0, -1);
  const broken = [];
  let prev = null;
  const events = lines.map((line, at) => {
    const [, body, sum] = /^(.*),"sum":"([0-9a-f]{64})"\}$/.exec(line) ?? [];
    const json = parse(line);
    if (body === undefined || sha256(body) !== sum) broken.push(`line ${at + 1} does not prove itself`);
    else if (json?.seq !== at + 1) broken.push(`line ${at + 1} has number ${json?.seq}`);
    else if (prev !== null && json.prev !== prev) broken.push(`line ${at + 1} does not follow the one before`);
    prev = sum;
    return json?.event ?? { type: "?" };
  });
  return { events, broken, whole };
}

/** After each fault: the journal is readable, and keeps its earlier events. */
export function checkJournal(place, before = "") {
  const { broken, whole } = readJournal(place.journal());
  return [...broken, ...(whole.startsWith(before) ? [] : ["an event that had been written is gone"])];
}

/** At the end, after the faults, when the run was continued. `calm` is `lookAt` of an undisturbed run. */
export function checkEnd(place, calm, count, { kills = 0, hasRested = false } = {}) {
  const found = [...checkJournal(place), ...checkBystanders(place), ...checkMoney(place, count, kills, hasRested)];
  // A run killed before its first event never started: its folder is empty, and nothing was done or paid.
  const begun = place.runs().filter((run) => place.journal(run).length > 0);
  if (begun.length !== 1) found.push(`${begun.length} runs were begun`);
  const seen = lookAt(place, count, hasRested);
  for (const key of ["subjects", "trees", "status", "branch", "endings"]) {
    if (JSON.stringify(seen[key]) !== JSON.stringify(calm[key]))
      found.push(`${key}: ${JSON.stringify(seen[key])} instead of ${JSON.stringify(calm[key])}`);
  }
  return [...found, ...checkProofs(place, count), ...checkCopies(place)];
}

/** What two runs of the same contract must share. Records contain times, so for `docs` only presence is compared. */
export function lookAt(place, count, hasRested = false) {
  const { events } = readJournal(place.journal());
  const all = place.git("log", "--format=%H %s").split("\n");
  // A run that rested between saving its records and finishing has more to record, in one more commit.
  const commits = all.filter((line, at) => !(hasRested && at > 0 && isOfRecords(line) && isOfRecords(all[at - 1])));
  return {
    subjects: commits.map((line) => line.slice(41).replace(/\d{8}-[\w.-]+/, "RUN")),
    trees: commits.map((line) => sha256(filesOf(place, line.slice(0, 40)))),
    status: place.git("status", "--porcelain"),
    branch: place.git("symbolic-ref", "HEAD"),
    endings: [
      events.filter(({ type }) => type === "committed").length - count,
      ...["begun", "filed"].map((type) => events.filter((event) => event.type === type).length),
    ],
  };
}

const isOfRecords = (line) => line.slice(41).startsWith("chore(loop): record run ");

const filesOf = (place, commit) =>
  place
    .git("ls-tree", "-r", "--full-tree", commit)
    .split("\n")
    .map((line) => (line.includes("\tdocs/") ? line.replace(/[0-9a-f]{40}/, "") : line))
    .join("\n");

function checkBystanders({ dir }) {
  return Object.entries(bystanders).flatMap(([path, text]) =>
    fs.existsSync(join(dir, path)) && fs.readFileSync(join(dir, path), "utf8") === text ? [] : [`${path} was touched`],
  );
}

/** Two sessions per feature, each started once; an interrupted one continues as itself. Refused work may need more. */
function checkMoney(place, count, kills, hasRested) {
  const { events } = readJournal(place.journal());
  const reserved = new Set(events.filter(({ type }) => type === "session-reserved").map(({ session }) => session));
  const paid = place.paid();
  const fresh = paid.filter((line) => !line.endsWith(" 1")).map((line) => line.split(" ")[0]);
  const found = [];
  if (reserved.size !== 2 * count && !hasRested) found.push(`${reserved.size} sessions were reserved`);
  if (new Set(fresh).size !== fresh.length) found.push(`a session was begun twice: ${paid.join(", ")}`);
  if (paid.length > reserved.size + kills) found.push(`${paid.length} sessions were paid for`);
  for (const line of paid) if (!reserved.has(line.split(" ")[0])) found.push(`${line} was never written down`);
  return found;
}

/** A feature's commit names a proof of exactly that tree, with a verdict that passed. */
function checkProofs(place, count) {
  const run = place.runs().at(-1) ?? place.dir;
  return featureIds(count).flatMap((id) => {
    const format =
      "%T %(trailers:key=Loop-Iteration,valueonly,separator=) %(trailers:key=Loop-Proof,valueonly,separator=)";
    const [tree, iteration, hash] = place.git("log", `--grep=^Loop-Feature: ${id}$`, `--format=${format}`).split(" ");
    const path = join(run, "proofs", `${id}-i${iteration}.json`);
    if (!fs.existsSync(path)) return [`the proof of ${id} is missing`];
    const text = fs.readFileSync(path, "utf8");
    if (sha256(text) !== hash) return [`the proof of ${id} is not the one that its commit names`];
    const proof = parse(text);
    const fits = proof.verdict.tree === tree && proof.candidate === tree && proof.verdict.reply.pass === true;
    return fits ? [] : [`the proof of ${id} is of another tree than its commit, or did not pass`];
  });
}

/** The copy in the workspace matches the vault; no written file contains the person's secret. */
function checkCopies(place) {
  const journal = place.journal();
  const twins = place.twins().filter((path) => fs.statSync(path).size > 0);
  const found = twins.filter((path) => !fs.readFileSync(path).equals(journal));
  const leaks = [join(place.home, "state"), join(place.root, ".loop"), join(place.root, "docs")].flatMap(filesBelow);
  return [
    ...found.map((path) => `${path} differs from the vault`),
    ...(twins.length === 1 ? [] : ["the journal has no copy in the workspace"]),
    ...leaks.filter((path) => fs.readFileSync(path).includes(canary)).map((path) => `${path} holds a secret`),
  ];
}

function filesBelow(dir) {
  if (!fs.existsSync(dir)) return [];
  return fs
    .readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
