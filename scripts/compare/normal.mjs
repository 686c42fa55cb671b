// The facts of a scenario as lines that are equal in two runs: ids, hashes and times become placeholders.
import { createHash } from "node:crypto";

/** @typedef {Record<string, string[]>} Facts by name; see `factsOf` for the names */

/** @param {Awaited<ReturnType<typeof import("./look.mjs").look>>} seen @returns {Facts} */
export function factsOf(seen) {
  const commits = withoutRepeated(seen);
  const known = knownNames(seen, commits);
  const fact = (make) => make(new Names(known));
  const ofRuns = (linesOf) => fact((names) => seen.runs.flatMap((run) => linesOf(run, names)));
  return {
    exits: seen.exits,
    commits: fact((names) => commits.flatMap((commit) => commitLines(commit, names))),
    outcome: ofRuns(outcomeLines),
    features: ofRuns(featureLines),
    inbox: ofRuns(inboxLines),
    iterations: ofRuns(iterationLines),
    sessions: seen.sessions,
    spent: ofRuns(spentLines),
    workspace: fact((names) => workspaceLines(seen, names)),
    records: fact((names) => recordLines({ ...seen, commits }, names)),
    "set-aside": fact((names) => setAsideLines(seen.setAside, names)),
  };
}

/**
 * A run that rests twice saves its records a second time if only a duration in them differs: that is chance. The second
 * commit then counts as the first; `hashes` has both.
 */
function withoutRepeated(seen) {
  const names = new Names(knownNames(seen, []));
  const textOf = ({ message, tree, records }) =>
    names.text([message, tree, ...Object.entries(records).flat()].join("\n"));
  const kept = [];
  for (const commit of seen.commits) {
    const last = kept.at(-1);
    const isRepeated =
      last !== undefined && commit.message.includes("Loop-Records:") && textOf(commit) === textOf(last);
    if (isRepeated) last.hashes.push(commit.hash);
    else kept.push({ ...commit, hashes: [commit.hash] });
  }
  return kept;
}

/** Names that mean the same in every fact: the folder, commits, runs and tasks, in order of appearance. */
function knownNames({ dir, refs, runs }, commits) {
  const onBranch = commits.flatMap(({ hashes }) => hashes);
  const elsewhere = refs.map(({ hash }) => hash).filter((hash) => !onBranch.includes(hash));
  const numbered = (kind, values) => [...new Set(values)].map((value, at) => [value, `<${kind} ${at + 1}>`]);
  return [
    [dir, "<dir>"],
    ...commits.flatMap(({ hashes }, at) => hashes.map((hash) => [hash, `<commit ${at + 1}>`])),
    ...numbered("other commit", elsewhere),
    ...numbered(
      "run",
      runs.map(({ status }) => status.run),
    ),
    ...numbered(
      "task",
      runs.map(({ status }) => status.task),
    ),
  ];
}

/** Replaces values that differ between runs. Other hashes are numbered as they appear in one fact. */
class Names {
  #known;
  #hashes = new Map();

  constructor(known) {
    this.#known = known;
  }

  text(given) {
    let text = given;
    for (const [value, name] of this.#known) text = text.replaceAll(value, name);
    for (const [value, name] of this.#known.filter(([, placeholder]) => placeholder.includes("commit")))
      text = text.replaceAll(new RegExp(`\\b${value.slice(0, 7)}[0-9a-f]{0,33}\\b`, "g"), name);
    return text
      .replaceAll(/\b\d{8}-\d{6}\.\d{3}-[0-9a-f]{6}\b/g, "<run>")
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) => this.#name("id", id))
      .replaceAll(/\bq\d{14}-[0-9a-f]{8}\b/g, (id) => this.#name("set aside", id))
      .replaceAll(/\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?\b/g, "<time>")
      .replaceAll(/\b1\d{12}\b/g, "<time>")
      .replaceAll(/\b[qs]?[0-9a-f]{12,64}\b/g, (hash) => this.#name("hash", hash))
      .replaceAll(/\b(?:[0-9a-f]{10}|(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,11})\b/g, (hash) => this.#name("hash", hash))
      .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min|h)\b(?: \d+ (?:s|min)\b)*/g, "<duration>")
      .replaceAll(/^(\| (?:Working time|Checks) \(min\) \| \S+ \|) \S+/gm, "$1 <duration>")
      .replaceAll(/\b(pid|process) \d+/g, "$1 <pid>")
      .replaceAll(/(127\.0\.0\.1):\d+/g, "$1:<port>");
  }

  #name(kind, value) {
    const key = kind === "hash" ? value.slice(0, 10) : value; // Hashes appear in full and abbreviated.
    if (!this.#hashes.has(key)) this.#hashes.set(key, `<${kind} ${this.#hashes.size + 1}>`);
    return this.#hashes.get(key);
  }
}

const isTrailer = (line) => /^[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: /.test(line);

function commitLines({ hash, author, message, tree, changes }, names) {
  const [subject = "", ...rest] = message.split("\n").filter((line) => line !== "");
  return [
    `${names.text(hash)} ${names.text(subject)}`,
    `  by ${author}`,
    ...rest.map((line) => (isTrailer(line) ? `  ${names.text(line)}` : `  text: ${names.text(line)}`)),
    `  tree ${tree}`,
    ...changes.map((line) => `  ${line.replace("\t", " ")}`),
  ];
}

function outcomeLines({ status }, names) {
  const { outcome, phase, done, total, waitingUntil } = status;
  const { kind = "none", cap, breaker, code, gate, by, gaps } = outcome ?? {};
  const gateText = gate === undefined ? undefined : `${gate.name} ${gate.feature ?? ""}`.trim();
  const more = { cap, breaker, code, gate: gateText, by, gaps };
  const details = Object.entries(more).flatMap(([key, value]) => (value === undefined ? [] : [`${key} ${value}`]));
  return [
    `${names.text(status.run)}: ${[kind, ...details].join(", ")}`,
    `  ${phase}${waitingUntil == null ? "" : ", waits for a stated time"}, ${done} of ${total} done`,
    `  request: ${names.text(status.request)}`,
  ];
}

function featureLines({ status, chronicle }, names) {
  const attempts = (id) => (chronicle?.iterations ?? []).filter(({ feature }) => feature === id).length;
  return status.features.map(
    ({ id, name, status: is, grade, commit }) =>
      `${names.text(status.run)} ${id} ${name}: ${is}, grade ${grade}, ${attempts(id)} attempts, commit ${commit === null ? "none" : names.text(commit)}`,
  );
}

function inboxLines({ status, inbox }, names) {
  if (inbox === null) return [`${names.text(status.run)}: no answer`];
  return inbox.map(({ kind, feature }) => `${names.text(status.run)} ${kind} ${feature ?? "run"}`);
}

function iterationLines({ status, chronicle }, names) {
  const run = names.text(status.run);
  if (chronicle === null) return [`${run}: no answer`];
  const session = ({ role, how, costUsd, tokens, estimated }) =>
    `    ${role}: ${how}, $${costUsd}${estimated ? " estimated" : ""}, ${tokens} tokens`;
  return [
    run,
    // A build before version 1 of the JSON answers has the chronicle itself.
    ...(chronicle.sessions ?? chronicle.whole ?? []).map(session),
    ...chronicle.iterations.flatMap((each) => [
      `  ${each.number}: ${each.feature} attempt ${each.attempt}: ${each.ending}`,
      `    changed ${each.changed}, grade ${each.grade}, held as ${each.heldAs}, cause ${each.cause?.kind ?? null}`,
      `    violations ${(each.violations ?? []).map(({ kind }) => kind).join(", ") || "none"}, ${(each.isRolledBack ?? each.rolledBack !== null) ? "rolled back" : "not rolled back"}`,
      ...(each.sessions ?? []).map(session),
    ]),
  ];
}

function spentLines({ status }, names) {
  const { costUsd, estimated, tokens, sessions, iterations, commits } = status.spent;
  const { costUsdMax, tokensMax, sessionsMax, iterationsMax, commitsMax, reworkMax } = status.limits;
  return [
    `${names.text(status.run)}: $${costUsd}${estimated ? " estimated" : ""}, ${tokens} tokens, ${sessions} sessions, ${iterations} iterations, ${commits} commits`,
    `  of at most $${costUsdMax}, ${tokensMax} tokens, ${sessionsMax} sessions, ${iterationsMax} iterations, ${commitsMax} commits, ${reworkMax} reworks`,
  ];
}

function workspaceLines({ branch, status, stashes, refs, files, records, commits }, names) {
  // A record in the folder may have another duration than the committed one: that is chance as well.
  const saved = commits.at(-1)?.records ?? {};
  const isSaved = (line) => {
    const path = line.replace(/^ M /, "");
    return (
      path in saved && path in records && names.text(saved[path]).trimEnd() === names.text(records[path]).trimEnd()
    );
  };
  return [
    `branch ${branch}`,
    ...status.filter((line) => !isSaved(line)).map((line) => `status ${names.text(line)}`),
    ...stashes.map((line) => `stash ${names.text(line)}`),
    ...refs.map(({ name, tree }) => `ref ${names.text(name)}: tree ${tree}`),
    ...files.map((line) => `file ${line}`),
  ];
}

/** The records in the folder line by line, and those of every commit and branch by their hash. */
function recordLines({ records, commits, refs }, names) {
  const kept = [...commits, ...refs].flatMap(({ hash, records: all }) =>
    Object.entries(all).map(([path, text]) => `${names.text(hash)} ${path} ${sumOf(names.text(text))}`),
  );
  const shown = Object.entries(records).flatMap(([path, text]) =>
    names
      .text(text)
      .split("\n")
      .map((line) => `${path}: ${line}`),
  );
  return [...kept, ...shown];
}

function setAsideLines(entries, names) {
  if (entries === null) return ["no answer"];
  // Several in one millisecond have no order.
  return entries.map(({ why, files }) => `${files} files: ${names.text(why)}`).sort();
}

const sumOf = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);
