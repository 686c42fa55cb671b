// A run that this process drives: its journal, ports and records, put together. Where they are stored is the engine's
// business.
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { runSession } from "../agents/session/session.ts";
import type { RegisteredChecks } from "../checks/library/library-check.ts";
import { machineTrouble, UserError } from "../core/errors.ts";
import type { RunEvent } from "../core/event.ts";
import { gateOf } from "../core/gates.ts";
import { sessionId } from "../core/ids.ts";
import type { NoteKind } from "../core/note-kinds.ts";
import { ensureDir } from "../host/disk.ts";
import { sleepUntil } from "../host/process/wait.ts";
import type { Journal, JournalNotice } from "../journal/journal.ts";
import { agentFor, makeAgent, type RegisteredAgents } from "../project/agents/agents.ts";
import { sweepHalfWritten, workspaceDisk } from "../project/place/workspace-disk.ts";
import { type LocalProver, localProver } from "../project/proofs/prover.ts";
import type { RunHome } from "../project/runs/home.ts";
import { copyForRun, rememberRun } from "../project/runs/memory-store.ts";
import { wallsAround } from "../project/walls/walls.ts";
import type { Story } from "../report/story.ts";
import { drive } from "../runtime/drive.ts";
import { LiveStory, type Step } from "../runtime/live-story.ts";
import { perform, refusal } from "../runtime/perform/index.ts";
import type { Clock, Fact, Ports, RunFiles, SessionSign, SignalFact } from "../runtime/ports.ts";
import { rememberAll, repairGuarded } from "../runtime/records/guard.ts";
import { guardedPaths } from "../runtime/records/paths.ts";
import { recordsDue, writeRecords } from "../runtime/records/write.ts";
import type { SignalBox } from "../runtime/signal-queue.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { conversationOf, folderOf } from "./conversation.ts";
import { type Crew, type CurrentAgents, crewFor, readAgents, replaceAgents } from "./current-agents.ts";
import { Notifier } from "./notifier.ts";
import type { Plan } from "./plan.ts";

export type Stores = {
  readonly home: RunHome;
  readonly plan: Plan;
  readonly workspace: Workspace;
  readonly journal: Journal<RunEvent, Story>;
  readonly signals: SignalBox;
  readonly files: RunFiles;
  readonly agents: RegisteredAgents;
  /** Checks that a program has registered. */
  readonly checks?: RegisteredChecks;
  /** The run has no past yet. */
  readonly isFresh: boolean;
  /** Paths in the workspace besides the records that the engine writes. */
  readonly mirrored: readonly string[];
  /** Copies the run into the workspace, for people. `light` during an iteration: only what is new. */
  mirror(story: Story, options: { light: boolean }): void;
};
export type Watcher = {
  /** Called for every event, after it was recorded. */
  onEvent?(event: RunEvent, seq: number): void;
  /** What an agent does while it works. */
  onSign?(sign: SessionSign): void;
};

const snapshotEvery = 200;

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  sleepUntil: (at, signal) => sleepUntil(at, signal),
};

export class Running {
  readonly home: RunHome;
  readonly plan: Plan;
  readonly #stores: Stores;
  readonly #ports: Ports;
  readonly #prover: LocalProver;
  readonly #live: LiveStory;
  readonly #undelivered = new Map<SignalFact, (isTaken: boolean) => void>();
  readonly #notifier: Notifier | null;
  #agents: CurrentAgents;
  readonly #unpriced = new Set<string>();
  #watcher: Watcher = {};
  #sinceSnapshot = 0;
  #noticesTold = 0;
  #isClosed = false;
  #trouble: UserError | null = null;
  /** Noted before the run is driven. */
  #early: { readonly about: NoteKind; readonly text: string }[] | null = [];

  /** The caller holds the workspace's lock. */
  constructor(stores: Stores) {
    const { home, plan, workspace, files, isFresh } = stores;
    const { recordsDir } = plan.contract;
    this.#stores = stores;
    this.home = home;
    this.plan = plan;
    this.#agents = readAgents(files, plan);
    this.#live = new LiveStory(plan.contract, {
      journal: stores.journal,
      clock: systemClock,
      publish: (step) => this.#publish(step),
    });
    sweepHalfWritten(home.root, [...guardedPaths(recordsDir), ...stores.mirrored]);
    if (isFresh) copyForRun(home.project.vault, files);
    this.#prover = localProver({ workspace, vaultDir: home.vault, files, recordsDir, checks: stores.checks ?? {} });
    this.#ports = {
      task: home.task,
      run: home.run,
      workspace,
      prover: this.#prover,
      sessions: {
        run: (order, cut) => this.#runSession(order, cut),
        price: (role, by) => {
          const { kind, costUsd } = agentFor(role, by, this.#agents.agents);
          return kind === "command" ? costUsd : null;
        },
      },
      clock: systemClock,
      files,
      disk: workspaceDisk(home.root),
      newSessionId: () => sessionId(randomUUID()),
      note: (about, text) => this.note(about, text),
    };
    this.#notifier =
      plan.notify === undefined
        ? null
        : new Notifier({
            settings: plan.notify,
            root: home.project.root,
            isFresh,
            run: home.run,
            files,
            send: (fact) => this.send(fact),
            failed: ({ name, problem }) => this.note("notify", `${name}: ${problem}`),
          });
    // No agent has worked since the run came to rest, so the files are now a person's.
    if (this.story.run.now.is === "resting") rememberAll(this.#ports, recordsDir);
  }

  /** A person can answer a gate from elsewhere, for as long as this process keeps the run open. */
  get takesAnswers(): boolean {
    return this.plan.notify?.ntfy?.answers === true;
  }

  /** Those that work from the next session on. */
  get agents(): Crew["agents"] {
    return this.#agents.agents;
  }

  /** The variables that agents get. */
  get env(): Crew["env"] {
    return this.#agents.env;
  }

  get registered(): RegisteredAgents {
    return this.#stores.agents;
  }

  get story(): Story {
    return this.#live.story;
  }

  /** The number of the last event. */
  get seq(): number {
    return this.#live.seq;
  }

  watch(watcher: Watcher): void {
    this.#watcher = watcher;
  }

  /** A signal from a person, a trigger or the loop itself, while the run is driven or rests. */
  send(fact: SignalFact): void {
    this.#stores.signals.send(fact);
  }

  /** The same. Resolves once it is recorded, or with false if the run was closed first. */
  deliver(fact: SignalFact): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#undelivered.set(fact, resolve);
      this.send(fact);
    });
  }

  /**
   * For the run log. It goes to the journal by itself; before the run is driven, it waits for that, so that those who subscribe
   * when a run goes on are told. Closing the run records it at the latest.
   */
  note(about: NoteKind, text: string): void {
    if (this.#early === null) this.#live.note(about, text);
    else this.#early.push({ about, text });
  }

  /** Different agents work from the next session on. */
  useAgents(crew: Crew): void {
    this.#agents = replaceAgents(this.#stores.files, this.#agents, crew, this.story.run);
  }

  /** Records an event now, for facts that must be on record before driving begins. */
  async record(fact: Fact): Promise<Story> {
    await this.#live.step(fact);
    return this.story;
  }

  /** Until the run is over or rests; or, without `wait`, until it has to wait. */
  async drive({ wait }: { readonly wait: boolean }): Promise<void> {
    if (this.plan.version === 1 && this.story.run.asked === null) throw ofFirstVersion();
    this.#live.wake();
    this.#notifier?.look(this.story.run);
    this.#noteEarly();
    await this.#live.noted();
    await drive(this.story.run, {
      perform: (effect, run, cut) => {
        const trouble = this.#trouble;
        this.#trouble = null;
        return trouble === null ? perform(effect, run, this.#ports, cut) : Promise.resolve(refusal(trouble));
      },
      steady: () => systemClock.steady(),
      record: (fact) => this.#live.step(fact),
      signals: this.#stores.signals,
      // A time that has passed needs no wait.
      allows: (effect) => wait || effect.do !== "wait" || effect.until <= systemClock.now(),
    });
    await this.#live.noted();
    await this.#snapshot();
    rememberRun(this.home.project.vault, this.#stores.files, this.story);
  }

  /**
   * While the run rests: takes signals until one changes it. After an answer the run continues, unless it waits at a gate.
   * False: `left` came first, or it is over.
   */
  async stirs(left: Promise<void>): Promise<boolean> {
    const before = this.story.run;
    // A changed request is followed by `continued`.
    for (let last = ""; this.story.run === before || last === "amended"; ) {
      const arrived = new Promise<void>((wake) => this.#stores.signals.onArrival(wake));
      await Promise.race([arrived, left]);
      const fact = this.#stores.signals.take();
      if (fact === undefined) return false;
      await this.#live.step(fact);
      last = fact.type;
    }
    const { run } = this.story;
    if (run.now.is === "stopped") return false;
    if (run.now.is === "resting" && gateOf(run) === null)
      await this.#live.step({ type: "continued", limits: {}, retry: false });
    return true;
  }

  /** Branches of held work that no longer waits. The run removes them when it goes on, which it may never do. */
  async #release(): Promise<void> {
    const { now, released } = this.story.run;
    if (now.is !== "resting" && now.is !== "stopped") return;
    for (const name of released) await this.#ports.workspace.release({ run: this.home.run, name });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stores.signals.close();
    for (const resolve of this.#undelivered.values()) resolve(false);
    this.#undelivered.clear();
    try {
      await this.#release();
      await this.#notifier?.close();
      await this.#lastNotes();
    } finally {
      await this.#prover.dispose();
      await this.#stores.journal.close();
    }
  }

  #noteEarly(): void {
    const notes = this.#early ?? [];
    this.#early = null;
    for (const { about, text } of notes) this.#live.note(about, text);
    for (const { kind, text } of this.#takeNotices()) this.#live.note(kind, text);
  }

  /** A journal that cannot be written has been reported, and closing the run must not fail for it. */
  async #lastNotes(): Promise<void> {
    // A run that has not begun has no log.
    if (this.seq > 0) this.#noteEarly();
    await this.#live.noted().catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
    });
  }

  /** The journal adds notices while it is open; each is reported once. */
  #takeNotices(): readonly JournalNotice[] {
    const fresh = this.#stores.journal.notices.slice(this.#noticesTold);
    this.#noticesTold += fresh.length;
    return fresh;
  }

  async #publish(step: Step): Promise<void> {
    const fact = step.fact as SignalFact;
    this.#stores.signals.settled(fact);
    this.#undelivered.get(fact)?.(true);
    this.#undelivered.delete(fact);
    this.#orTrouble(() => this.#show(step));
    this.#notifier?.look(step.after.run);
    // Subscribers get the event even if the records could not be written.
    this.#watcher.onEvent?.(step.event, step.seq);
    for (const { kind, text } of this.#takeNotices()) this.note(kind, text);
    if (++this.#sinceSnapshot >= snapshotEvery) {
      this.#sinceSnapshot = 0;
      await this.#snapshot();
    }
  }

  /** Records can be rewritten at any time; if they cannot be written now, the run rests with the reason. */
  #orTrouble(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#trouble = machineTrouble(error);
      if (this.#trouble === null) throw error;
    }
  }

  /** A snapshot is a cache: without one, opening the run just takes longer. */
  async #snapshot(): Promise<void> {
    try {
      await this.#stores.journal.snapshot(this.story);
    } catch (error) {
      if (machineTrouble(error) === null) throw error;
    }
  }

  #show({ before, event, after: story }: Step): void {
    const due = recordsDue(before.run, story.run);
    if (due) this.#repairAfterCut(story.run);
    if (due) writeRecords(story, this.#ports);
    // The phase between two features ends immediately: the mirror is written when the next one is marked. Where the run
    // comes to rest, nothing follows that would write it.
    const { is } = story.run.now;
    const isNew = before.run.now.is !== "resting" || event.type === "noted";
    const isAtRest = is === "stopped" || (is === "resting" && isNew);
    const light = event.type === "collected" && !isAtRest;
    if (light || isAtRest || (due && is !== "between")) this.#stores.mirror(story, { light });
  }

  /**
   * A session that was cut was not collected: its changes to the loop's files are undone before a person edits them.
   */
  #repairAfterCut({ now, contract }: Story["run"]): void {
    if (now.is !== "resting" || !["in-session", "collecting"].includes(now.resume.is)) return;
    for (const { kind, what } of repairGuarded(this.#ports, contract.recordsDir)) this.#ports.note(kind, what);
  }

  /** Null in a worktree: its ignored files are copies. */
  #ignoredHere() {
    const { root, project, task } = this.home;
    if (root !== project.root) return null;
    const base = this.story.run.head?.tree ?? null;
    return { kind: this.#ports.workspace.kind, base, task, note: this.#ports.note };
  }

  /** The agent names the models, so there may be any number. */
  #tellUnpriced(models: readonly string[]): void {
    for (const model of models.map((name) => name.slice(0, 100))) {
      if (this.#unpriced.has(model) || this.#unpriced.size >= unpricedMax) continue;
      this.#unpriced.add(model);
      const name = JSON.stringify(model);
      const text = `The price of the model ${name} is not known: name it under prices of the agent in loop.yaml. Until then it counts as the dearest of its provider, and under a cap in money it passes only if it is the agent's model.`;
      this.#ports.note("price", text);
    }
  }

  async #runSession(order: Parameters<Ports["sessions"]["run"]>[0], cut: AbortSignal) {
    const { agents, env } = crewFor(this.#agents, order.session);
    const settings = agentFor(order.role, order.by, agents);
    const { session, role, feature, attempt, resumes, prompt, compactPercent, ...rest } = order;
    const { files } = this.#ports;
    const folder = files.path(folderOf(order));
    const full = compactPercent ?? order.handoverPercent;
    const nativeId = resumes === undefined ? null : conversationOf(resumes.session, files, full);
    const bounds = compactPercent === undefined ? {} : { compactPercent };
    const { root, vault, run } = this.home;
    ensureDir(folder);
    const ignored = order.mayWrite ? this.#ignoredHere() : null;
    const outside = this.story.run.contract.proof.room.outside.map((path) => resolve(this.home.project.root, path));
    const around = await wallsAround(settings, {
      root,
      vault,
      folder,
      costUsdMax: order.costUsdMax,
      tokensMax: order.tokensMax ?? null,
      outside,
      ignored,
    });
    try {
      const agent = makeAgent(settings, root, env, this.registered, around?.inside);
      const told =
        nativeId === null || resumes === undefined
          ? { prompt }
          : agent.needsWholePrompt === true
            ? { prompt: `${resumes.prompt}\n\n${prompt}` }
            : { prompt: resumes.prompt, freshPrompt: prompt };
      const result = await runSession(
        agent,
        { ...rest, ...told, ...bounds, session, role, feature, attempt, run, folder, part: 1, nativeId },
        {
          signal: cut,
          onSign: (sign) => this.#watcher.onSign?.({ session, role, sign }),
          ...(around === null ? {} : { walls: around.walls }),
          ...(settings.diskGb === undefined ? {} : { diskBytesMax: settings.diskGb * 1e9 }),
        },
      );
      this.#tellUnpriced(around?.unpriced() ?? []);
      return around === null ? result : around.settled(result);
    } finally {
      for (const text of (await around?.leave()) ?? []) this.#ports.note("login", text);
    }
  }
}

/** How many unpriced models a run reports. */
const unpricedMax = 5;

const ofFirstVersion = (): UserError =>
  new UserError("run-of-first-version", {
    what: "The run was not continued.",
    why: "The first version of Loopwright began it, and this one drives runs in another way.",
    next: "See what it did: loop report · loop recover. End it: loop cancel. Then start a new run: loop run",
  });
