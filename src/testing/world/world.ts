// A whole world in memory around the real loop: one seed decides what agents, people, clocks and crashes do.
import { type Contract, defaultProofTerms, type GateName, type Stage } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";
import { runId, type SessionId, sessionId, taskId } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import { type AppendFate, MemoryCrash, MemoryDisk } from "../../journal/memory/memory-journal.ts";
import { follow, newStory, type Story, storyVersion } from "../../report/story.ts";
import { drive } from "../../runtime/drive.ts";
import { featuresSource } from "../../runtime/inputs.ts";
import { LiveStory, type Step } from "../../runtime/live-story.ts";
import { perform } from "../../runtime/perform/index.ts";
import type { Fact, Ports } from "../../runtime/ports.ts";
import { rememberAll } from "../../runtime/records/guard.ts";
import { recordsDue, writeRecords } from "../../runtime/records/write.ts";
import { SignalQueue } from "../../runtime/signal-queue.ts";
import { WorldClock } from "./clock.ts";
import { contractOf, feature as featureOf, looseLimits } from "./contracts.ts";
import { Faults } from "./faults.ts";
import { worldDisk, worldFiles } from "./files.ts";
import { goOn, Person } from "./person.ts";
import { worldProver } from "./prover.ts";
import { type Choices, pick, seeded } from "./random.ts";
import { Repository } from "./repository.ts";
import { type SessionRecord, worldSessions } from "./sessions.ts";
import { type Scratches, worldWorkspace } from "./workspace.ts";

/** What the world is like where the seed should not decide. */
export type WorldOptions = {
  /** Out of a thousand durable steps; omitted: the seed decides. */
  readonly crashRate?: number;
  readonly features?: number;
};

const eventsMax = 20_000;

/** A run with everything around it, in memory. The seed decides each crash, answer and edit. */
export class SimulatedWorld {
  readonly contract: Contract;
  readonly repo: Repository;
  readonly person: Person;
  readonly faults: Faults;
  readonly clock = new WorldClock();
  readonly sessions = new Map<SessionId, SessionRecord>();
  readonly files = new Map<string, string>();
  /** Events whose write was acknowledged, by number: none of them may be missing later. */
  readonly acknowledged = new Map<number, RunEvent>();
  /** Paths in the workspace that the loop wrote itself. */
  readonly written = new Set<string>();
  lives = 0;
  readonly #run = runId("sim");
  readonly #choose: Choices;
  readonly #disk: MemoryDisk<RunEvent, Story>;
  readonly #scratches: Scratches = new Map();
  #sessionCount = 0;
  #signals = new SignalQueue();
  #isCalm = false;

  constructor(seed: number, options: WorldOptions = {}) {
    const choose = seeded(seed);
    this.#choose = choose;
    this.faults = new Faults(choose, options.crashRate ?? pick(choose, [0, 3, 6, 12, 25, 60]));
    this.contract = simulatedContract(choose, options.features ?? pick(choose, [1, 2, 2, 3]));
    const queue = queueText(this.contract);
    this.repo = new Repository({
      "src/old.js": "good\n",
      "test/old.test": "src/old.js: good\n",
      "docs/FEATURES.json": queue,
      ".env": "SECRET=1\n",
    });
    const [start] = this.repo.history();
    if (start !== undefined) this.repo.refs.set("kept", start.id);
    this.person = new Person(this.repo, choose, { busy: pick(choose, [0, 10, 60]), cancels: choose.below(4) === 3 });
    this.#disk = new MemoryDisk(this.#run, {
      onAppend: () => this.#fate(),
      onSnapshot: () => choose.below(3) !== 2,
    });
    this.files.set(featuresSource, queue);
    const quiet = new Faults(choose, 0);
    const begun = { files: worldFiles(this.files, quiet), disk: worldDisk(this.repo.folder, quiet, () => undefined) };
    rememberAll(begun, this.contract.recordsDir);
  }

  /** Restarts until the run stops, or rests and is not resumed. Bounded: a world has a limited number of lives. */
  async restartUntilDone(): Promise<Run> {
    for (let responses = 0; this.lives < 40; ) {
      const story = await this.live();
      if (story === null) continue;
      if (story.run.now.is === "stopped") return story.run;
      const says = responses++ < 2 ? this.person.respond(story.run) : [];
      if (says.length === 0) return story.run;
      await this.live(says);
    }
    return this.calmDown();
  }

  /** Faults stop, agents are honest, people leave it alone: then the loop must finish by itself. */
  async calmDown(): Promise<Run> {
    this.faults.stop();
    this.#isCalm = true;
    this.person.isAway = true;
    const story = await this.live();
    if (story === null) throw new Error("it died, and nothing had killed it");
    return story.run;
  }

  /** A person resumes a resting run. */
  async continue(run: Run): Promise<Run> {
    this.person.takeBack(run);
    const story = await this.live(goOn(run, true));
    if (story === null) throw new Error("it died, and nothing had killed it");
    return story.run;
  }

  /** One process: opens the journal, records earlier messages of people, drives. Null: it died. */
  async live(says: readonly Fact[] = []): Promise<Story | null> {
    this.lives += 1;
    this.#signals = new SignalQueue();
    this.faults.live(() => this.#disk.crash());
    this.#scratches.clear();
    try {
      return await this.#drive(says);
    } catch (error) {
      const isDeath =
        error instanceof MemoryCrash || (error instanceof UserError && error.code === "journal-not-written");
      if (!isDeath) throw error;
      // Pending work of the dead process must fail before the next one starts.
      await new Promise((resolve) => setImmediate(resolve));
      return null;
    }
  }

  /** The journal's content, read from scratch. The process that had it open is dead afterwards. */
  journal(): { events: readonly RunEvent[]; story: Story } {
    const whole = this.#disk.open({ parse: (json) => json as RunEvent, stateVersion: -1 }).past.events;
    return { events: whole, story: whole.reduce(follow, newStory(this.contract)) };
  }

  async #drive(says: readonly Fact[]): Promise<Story> {
    const { clock, faults } = this;
    const journal = this.#disk.open({ parse: (json) => json as RunEvent, stateVersion: storyVersion });
    const ports = this.#ports((about, text) => {
      live.note(about, text);
      // A process that dies in it does nothing more.
      live.noted().catch(() => faults.kill());
    });
    const publish = async ({ seq, event, before, after }: Step): Promise<void> => {
      this.acknowledged.set(seq, event);
      if (seq > eventsMax) throw new Error(`the run goes on and on: it is ${after.run.now.is} after ${seq} events`);
      faults.step("between an event and its records");
      if (recordsDue(before.run, after.run)) writeRecords(after, ports);
      if (seq % 23 === 0) await journal.snapshot(after);
    };
    const live = new LiveStory(this.contract, { journal, clock, publish });
    if (live.story.run.now.is === "resting") rememberAll(ports, this.contract.recordsDir);
    const answers: Fact[] = [];
    const record = async (fact: Fact): Promise<Run> => {
      faults.mustLive();
      const run = await live.step(fact);
      if ("key" in fact) answers.push(fact);
      // Engines deliver at least once: an answer may be repeated, at once or much later.
      const isAgain = this.#choose.below(30) === 29 && run.now.is !== "stopped";
      const late = isAgain ? answers.at(-1 - this.#choose.below(8)) : undefined;
      return late === undefined ? run : live.step(late);
    };
    if (live.seq === 0) await record({ type: "begun", task: ports.task, run: ports.run, contract: "", version: "0" });
    for (const fact of says) await record(fact);
    await drive(live.story.run, {
      perform: (effect, run, cut) => perform(effect, run, ports, cut),
      steady: () => clock.steady(),
      record,
      signals: this.#signals,
      allows: () => true,
    });
    await live.noted();
    if (live.seq % 4 === 0) await journal.snapshot(live.story);
    return live.story;
  }

  #ports(note: Ports["note"]): Ports {
    const { clock, faults, repo } = this;
    const choose = this.#choose;
    const signals = this.#signals;
    const meanwhile = async () => {
      this.person.act((fact) => signals.send(fact));
      // Long enough for a signal to be recorded and to take effect.
      for (let tick = 0; tick < 12; tick++) await Promise.resolve();
    };
    const workspace = worldWorkspace(repo, this.#scratches, clock, faults);
    const files = worldFiles(this.files, faults);
    return {
      task: taskId("task"),
      run: this.#run,
      workspace,
      prover: worldProver({
        scratches: this.#scratches,
        trees: repo.trees,
        files,
        faults,
        pass: (ms) => {
          clock.pass(ms);
          this.person.act((fact) => signals.send(fact));
        },
      }),
      sessions: worldSessions(this.sessions, {
        repo,
        scratches: this.#scratches,
        clock,
        faults,
        choose,
        isCalm: () => this.#isCalm,
        meanwhile,
      }),
      clock,
      files,
      disk: worldDisk(repo.folder, faults, (path) => this.written.add(path)),
      newSessionId: () => sessionId(`s${++this.#sessionCount}`),
      note,
    };
  }

  #fate(): AppendFate {
    if (!this.faults.roll("writing the journal")) return "written";
    this.faults.kill();
    return pick(this.#choose, ["lost", "kept-unsaid", "kept-unsaid", "disk-full"]);
  }
}

function simulatedContract(choose: Choices, count: number): Contract {
  const ids = Array.from({ length: count }, (_, index) => `F00${index + 1}`);
  const features = ids.map((id, index) => {
    const dependencies = ids.slice(0, index).filter(() => choose.below(4) === 3);
    return featureOf(id, {
      priority: choose.below(3),
      dependencies: dependencies.map((name) => featureOf(name).id),
    });
  });
  const test = { name: "test", run: "check", timeoutMs: 60_000, tests: ["test/**"], setup: null, bring: [] };
  const contract = contractOf(features, {
    checks: [{ ...test, must: "stay-green" }],
    gates: pick<GateName[]>(choose, [[], [], ["G2"], ["G1", "G3"]]),
    stages: pick<Stage[]>(choose, [["implement"], ["implement"], ["implement", "audit"], ["implement", "test"]]),
    fullAutoAnswers: choose.below(3) === 2,
    limits: {
      ...looseLimits,
      costUsdMax: pick(choose, [100, 20, 6]),
      sessionCostUsdMax: pick(choose, [5, 1]),
      iterationsMax: pick(choose, [50, 6, 2]),
      commitsMax: pick(choose, [50, 1]),
      sessionsMax: pick(choose, [null, null, 9]),
      reworkMax: 1 + choose.below(3),
    },
  });
  // One in three is proved with tests from the contract alone.
  const depth = contract.limits.reworkMax === 3 ? "deep" : "standard";
  return { ...contract, proof: { ...defaultProofTerms, depth } };
}

function queueText({ features }: Contract): string {
  const entries = features.map(({ id, name, priority, status, criteria, dependencies }) => ({
    id,
    name,
    priority,
    status,
    description: "",
    acceptance_criteria: criteria,
    dependencies,
  }));
  return `${JSON.stringify({ version: 1, features: entries }, null, 2)}\n`;
}
