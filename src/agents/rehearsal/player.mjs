// Plays one scene of a rehearsal script as a real process. A plain program: `node player.mjs --script FILE | --act NAME`.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stepsOf } from "./acts.mjs";

const replyFile = process.env.LOOP_REPLY_FILE ?? "";
const folder = dirname(replyFile);
const progressFile = join(folder, "rehearsal-progress");
const now = {
  role: process.env.LOOP_ROLE ?? "",
  feature: process.env.LOOP_FEATURE ?? "",
  attempt: Number(process.env.LOOP_ATTEMPT ?? "1"),
};

/** @param {object} what */
const sign = (what) => fs.writeSync(1, `@rehearsal ${JSON.stringify(what)}\n`);

function findScene() {
  const [option, value = ""] = process.argv.slice(2);
  if (option === "--act") return { act: value };
  const { scenes } = JSON.parse(fs.readFileSync(value, "utf8"));
  return scenes.find(
    (scene) =>
      (scene.role ?? now.role) === now.role &&
      (scene.feature ?? now.feature) === now.feature &&
      (scene.attempt ?? now.attempt) === now.attempt &&
      (scene.where === undefined || fs.existsSync(scene.where)),
  );
}

/** Where a step may write: below its working folder, links followed. @param {string} path */
function inside(path) {
  const root = fs.realpathSync(process.cwd());
  const full = resolve(root, path);
  let known = full;
  while (!fs.existsSync(known) && dirname(known) !== known) known = dirname(known);
  for (const one of [full, fs.realpathSync(known)]) {
    const way = relative(root, one);
    if (way.startsWith("..") || isAbsolute(way)) throw new Error(`${path} is outside of ${root}`);
  }
  if (fs.lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error(`${path} is a link`);
  return full;
}

/** @param {string} path @param {(full: string) => void} change */
function edit(path, change) {
  const full = inside(path);
  fs.mkdirSync(dirname(full), { recursive: true });
  change(full);
  sign({ sign: "edit", path });
}

/** True a given number of times, over all sessions of a run: a limit or an outage ends after that. */
function happens(step) {
  const name = `rehearsal-${step.do}-${now.role}-${now.feature}`.replaceAll(/[^\w-]/g, "_");
  const path = join(dirname(folder), name);
  const times = fs.existsSync(path) ? fs.statSync(path).size : 0;
  if (times >= (step.times ?? 1)) return false;
  fs.appendFileSync(path, ".");
  return true;
}

function fail(failure) {
  sign({ failure });
  process.exit(1);
}

let calls = 0;
const forever = () => new Promise(() => setInterval(() => {}, 1 << 30));

const play = {
  write: ({ path, text }) => edit(path, (full) => fs.writeFileSync(full, text)),
  append: ({ path, text }) => edit(path, (full) => fs.appendFileSync(full, text)),
  delete: ({ path }) => edit(path, (full) => fs.rmSync(full, { recursive: true, force: true })),
  replace: ({ path, find, with: text }) =>
    edit(path, (full) => {
      const before = fs.readFileSync(full, "utf8");
      if (!before.includes(find)) throw new Error(`${path} does not hold ${JSON.stringify(find)}`);
      fs.writeFileSync(
        full,
        before.replace(find, () => text),
      );
    }),
  run: ({ command }) => {
    const call = String(++calls);
    sign({ sign: "tool", call, name: "run", argument: command });
    execFileSync("sh", ["-c", command], { stdio: ["ignore", 1, 2] });
    sign({ sign: "tool-ended", call, failed: false });
  },
  commit: ({ message }) => {
    const who = { GIT_AUTHOR_NAME: "Rehearsal", GIT_AUTHOR_EMAIL: "rehearsal@loopwright.invalid" };
    const options = { stdio: ["ignore", 1, 2], env: { ...process.env, ...who } };
    execFileSync("git", ["add", "--all"], options);
    execFileSync("git", ["commit", "--quiet", "--allow-empty", "-m", message], options);
  },
  sleep: ({ ms }) => pause(ms),
  print: ({ text }) => void fs.writeSync(1, `${text}\n`),
  reply: ({ reply }) => {
    fs.writeFileSync(`${replyFile}.tmp`, JSON.stringify(reply));
    fs.renameSync(`${replyFile}.tmp`, replyFile);
    sign({ sign: "result" });
  },
  exit: ({ code }) => process.exit(code),
  crash: async () => {
    process.kill(process.pid, "SIGKILL");
    await forever();
  },
  hang: forever,
  "ignore-term": () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
  },
  daemon: ({ seconds }) => {
    const script = `trap "" TERM INT HUP; exec sleep ${Number(seconds)}`;
    // Detached twice: by its own session and by a parent that exits.
    execFileSync("sh", ["-c", 'setsid sh -c "$0" >/dev/null 2>&1 </dev/null &', script]);
  },
  flood: ({ mb, kind }) => flood(mb, kind),
  context: ({ used, size }) => sign({ sign: "context", used, size }),
  limited: (step) => {
    if (!happens(step)) return;
    const retryAt = Date.now() + step.retry_after_s * 1000;
    fail({ class: "limited", text: "The usage limit is reached (rehearsed).", retryAt });
  },
  fail: (step) => {
    if (happens(step))
      fail({ class: step.class, text: step.text ?? `A failure was rehearsed: ${step.class}.`, retryAt: null });
  },
  transient: (step) => {
    if (happens(step)) fail({ class: "transient", text: "The server is overloaded (rehearsed).", retryAt: null });
  },
};

function flood(mb, kind) {
  const chunk = Buffer.alloc(1 << 20, "x");
  if (kind === "invalid-utf8") chunk.fill(0xff);
  if (kind !== "one-line") for (let at = 99; at < chunk.length; at += 100) chunk[at] = 10;
  for (let count = 0; count < mb; count += 1) fs.writeSync(1, chunk);
  fs.writeSync(1, "\n");
}

async function main() {
  const scene = findScene();
  sign({ sign: "native-id", id: `rehearsal-${process.env.LOOP_SESSION}` });
  if (scene === undefined) {
    const about = `${now.role}, feature ${now.feature || "none"}, attempt ${now.attempt}`;
    fail({ class: "misconfigured", text: `The rehearsal script has no scene for ${about}.`, retryAt: null });
  }
  const resumed = process.env.LOOP_RESUME === "1" && fs.existsSync(progressFile);
  const done = resumed ? Number(fs.readFileSync(progressFile, "utf8")) || 0 : 0;
  // Reported at the start, so that an interrupted session has reported its cost; a resumed one was already paid.
  sign({ usage: resumed ? {} : (scene.usage ?? {}) });
  for (const [index, step] of stepsOf(scene, now).entries()) {
    if (index < done && step.do !== "ignore-term") continue;
    sign({ sign: "progress", ...(step.do === "print" ? { note: step.text } : {}) });
    // Steps that end or stop the process are recorded before they run, or a resumed session would repeat them.
    const before = ["crash", "hang", "exit", "sleep"].includes(step.do);
    if (before) remember(index + 1);
    await play[step.do](step);
    if (!before) remember(index + 1);
  }
  process.exit(0);
}

function remember(count) {
  fs.writeFileSync(`${progressFile}.tmp`, String(count));
  fs.renameSync(`${progressFile}.tmp`, progressFile);
}

main().catch((error) => {
  fs.writeSync(2, `${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});
