// A second engine, to show that nothing but the port is needed: runs are kept in memory, in a process of their own, and
// clients talk to it over a socket. It is built from the same parts as the engine of this machine.
//   node server.mjs SOCKET WORKSPACE FOLDER
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

const load = (path) => import(new URL(`../../../dist/${path}`, import.meta.url));
const { UserError } = await load("core/errors.js");
const { followUpOf, layOut, newIds, recordBeginning, refuseObstacles } = await load("engines/begin.js");
const { Driven } = await load("engines/driven.js");
const { pastItems } = await load("engines/past.js");
const { resume, windUp } = await load("engines/resume.js");
const { Running } = await load("engines/running.js");
const { SessionOutputs } = await load("engines/session-outputs.js");
const { SignalQueue } = await load("runtime/signal-queue.js");
const { MemoryDisk } = await load("journal/memory/memory-journal.js");
const { runFiles } = await load("project/runs/home.js");
const { storyVersion } = await load("report/story.js");
const { openWorkspace } = await load("workspace/open.js");

/** It has no worktrees: its runs work in the folder. */
const nothingToLand = () =>
  new UserError("nothing-to-land", {
    what: "Nothing was landed.",
    why: "The run works in the folder, so that its commits are on your branch.",
    next: "loop status",
  });

class MemoryEngine {
  #kept = new Map();
  #root;
  #dir;

  constructor(root, dir) {
    this.#root = root;
    this.#dir = dir;
  }

  async begin(beginning, terms) {
    const start = this.#startOf(beginning);
    const vault = join(this.#dir, "vault");
    const workspace = await openWorkspace({ root: this.#root, vaultDir: vault, kind: start.kind });
    await this.#makeRoom();
    await refuseObstacles(start, this.#root, workspace);
    const { task, run } = newIds(start, (id) => this.#kept.has(id));
    const [dir, mirror] = [join(this.#dir, "runs", run), join(this.#dir, "mirror", run)];
    const home = { root: this.#root, vault, project: { root: this.#root, vault }, task, run, dir, mirror };
    const { plan, hash } = layOut(start, home, runFiles(dir));
    const kept = { home, plan, workspace, disk: new MemoryDisk(run), events: [], driven: null };
    this.#kept.set(run, kept);
    const held = this.#open(kept, true);
    await recordBeginning(held.run, hash, []);
    const from = held.run.seq;
    this.#drive(kept, held, terms);
    return { run, from };
  }

  async send(run, message) {
    if (message.type === "land") throw nothingToLand();
    const kept = this.#of(run);
    const receipt = { driver: "elsewhere", taken: true, from: kept.events.length, changes: [] };
    if (kept.driven !== null && message.type === "resume")
      return { ...receipt, ...(await kept.driven.resume(message.changes)) };
    if (await kept.driven?.run.deliver(message)) return receipt;
    await kept.driven?.over;
    await this.#makeRoom();
    const held = this.#open(kept, false);
    try {
      if (message.type !== "resume") {
        await held.run.record(message);
        await windUp(held.run);
        return { ...receipt, driver: "none" };
      }
      const changes = await resume(held.run, message.changes);
      const from = held.run.seq;
      this.#drive(kept, held, message.terms);
      return { ...receipt, from, changes };
    } finally {
      if (kept.driven === null) await held.close();
    }
  }

  subscribe(run, from) {
    const { plan, events, driven } = this.#of(run);
    const past = pastItems(plan.contract, events, from);
    if (driven !== null) return driven.subscribe(past);
    return (async function* () {
      yield* past;
      yield { type: "rest" };
    })();
  }

  read(run) {
    const { plan, events, driven } = this.#of(run);
    const [{ story, seq }] = pastItems(plan.contract, events);
    return { story, seq, isDriven: driven !== null };
  }

  file(run, name) {
    return runFiles(this.#of(run).home.dir).read(name);
  }

  sessions(run) {
    return this.#outputs(run).sessions();
  }

  output(run, session, from) {
    return this.#outputs(run).output(session, from);
  }

  #outputs(run) {
    const kept = this.#of(run);
    const { home, plan } = kept;
    kept.outputs ??= new SessionOutputs({ run, root: this.#root, plan, files: runFiles(home.dir), agents: {} });
    return kept.outputs;
  }

  runs() {
    return [...this.#kept.keys()].sort().reverse();
  }

  #of(run) {
    const kept = this.#kept.get(run);
    if (kept !== undefined) return kept;
    throw new UserError("no-such-run", {
      what: "There is no such run.",
      why: `${run} is not known.`,
      next: "loop list",
    });
  }

  #startOf(beginning) {
    if (beginning.follows === undefined) return { ...beginning, planned: beginning.plan };
    const { plan, home } = this.#of(beginning.follows);
    const { run } = this.read(beginning.follows).story;
    return followUpOf(
      this.#root,
      { id: beginning.follows, plan, files: runFiles(home.dir), run },
      { changes: beginning.changes },
    );
  }

  /** One run at a time works in a folder. One that rests makes room for another. */
  async #makeRoom() {
    for (const { driven } of this.#kept.values()) {
      driven?.leave();
      await driven?.over;
    }
  }

  #open(kept, isFresh) {
    const { home, plan, workspace, disk, events } = kept;
    const journal = disk.open({ parse: (json) => json, stateVersion: storyVersion });
    const append = async (event) => {
      const seq = await journal.append(event);
      events.push(JSON.parse(JSON.stringify(event)));
      return seq;
    };
    const run = new Running({
      home,
      plan,
      workspace,
      journal: { ...journal, append },
      signals: new SignalQueue(),
      files: runFiles(home.dir),
      agents: {},
      isFresh,
      mirrored: [],
      mirror: () => undefined,
    });
    return { run, close: () => run.close() };
  }

  /** This process drives the run and keeps it open when it rests, even if the client disconnects. */
  #drive(kept, held, { wait }) {
    const driven = new Driven(held, { wait, attended: true }, () => undefined);
    kept.driven = driven;
    void driven.over.then(() => {
      if (kept.driven === driven) kept.driven = null;
    });
  }
}

const [, , socket, root, dir] = process.argv;
mkdirSync(dir, { recursive: true });
const engine = new MemoryEngine(root, dir);
const verbs = ["begin", "send", "read", "file", "sessions", "output", "runs"];

createServer((client) => {
  const open = new Map();
  const say = (letter) => client.writable && client.write(`${JSON.stringify(letter)}\n`);
  const failed = (id, error) =>
    say({
      id,
      error:
        error instanceof UserError
          ? { code: error.code, what: error.what, why: error.why, next: error.next }
          : { text: error.stack ?? String(error) },
    });
  const follow = async (id, items) => {
    open.set(id, items);
    try {
      for await (const item of items) say({ id, item });
      say({ id, end: true });
    } catch (error) {
      failed(id, error);
    }
    open.delete(id);
  };
  const lines = createInterface({ input: client }).on("error", () => client.destroy());
  lines.on("line", async (line) => {
    const { id, verb, args } = JSON.parse(line);
    try {
      if (verb === "subscribe") void follow(id, engine.subscribe(...args));
      else if (verb === "leave") await open.get(id)?.return();
      else if (verbs.includes(verb)) say({ id, answer: (await engine[verb](...args)) ?? null });
      else throw new Error(`there is no verb ${verb}`);
    } catch (error) {
      failed(id, error);
    }
  });
  client.on("error", () => client.destroy());
  client.on("close", () => {
    for (const items of open.values()) void items.return();
  });
}).listen(socket, () => process.stdout.write("listening\n"));
process.stdin.resume().on("end", () => process.exit(0));
