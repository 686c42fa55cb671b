// A run in this process: assembles journal, ports and records, and drives it.
import { randomUUID } from "node:crypto";
import { runSession } from "../../agents/session.ts";
import type { Effect } from "../../core/effect.ts";
import { machineTrouble, UserError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";
import { sessionId } from "../../core/ids.ts";
import { sleepUntil } from "../../host/process/wait.ts";
import { type FileJournal, openFileJournal } from "../../journal/file/open.ts";
import type { JournalNotice } from "../../journal/journal.ts";
import { agentFor, makeAgent } from "../../project/agents.ts";
import { type RunHome, runFiles } from "../../project/home.ts";
import { copyForRun, rememberRun } from "../../project/memory-store.ts";
import { type LocalProver, localProver } from "../../project/prover.ts";
import { sweepHalfWritten, workspaceDisk } from "../../project/workspace-disk.ts";
import { drive } from "../../runtime/drive.ts";
import { LiveStory, type Step } from "../../runtime/live-story.ts";
import { perform, refusal } from "../../runtime/perform/index.ts";
import type { Clock, Fact, Ports, SessionSign, SignalFact } from "../../runtime/ports.ts";
import { guardedPaths, rememberAll, repairGuarded } from "../../runtime/records/guard.ts";
import { recordsDue, writeRecords } from "../../runtime/records/write.ts";
import { type Story, storyVersion } from "../../runtime/story.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { conversationOf, sessionFolder } from "./conversation.ts";
import { type Crew, type CurrentAgents, crewFor, readAgents, replaceAgents } from "./current-agents.ts";
import { mirrored, mirrorRun } from "./mirror.ts";
import { packed, unpacked } from "./payloads.ts";
import { type Plan, readPlan } from "./plan.ts";
import { Signals } from "./signals.ts";
import { writeStatus } from "./status-file.ts";

export type Watcher = {
  /** Called for every event, after it was recorded. */
  onEvent?(event: RunEvent, story: Story): void;
  /** What an agent does while it works. */
  onSign?(sign: SessionSign): void;
  onEffect?(effect: Effect, story: Story): void;
};
export type DriveOptions = { readonly wait: boolean; readonly watcher?: Watcher };

const snapshotEvery = 200;

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  sleepUntil: (at, signal) => sleepUntil(at, signal),
};

export class LocalRun {
  readonly home: RunHome;
  readonly plan: Plan;
  readonly #journal: FileJournal<RunEvent, Story>;
  readonly #ports: Ports;
  readonly #signals: Signals;
  readonly #prover: LocalProver;
  readonly #live: LiveStory;
  #agents: CurrentAgents;
  #watcher: Watcher = {};
  #sinceSnapshot = 0;
  #noticesTold = 0;
  #trouble: UserError | null = null;
  #pending: Promise<SignalFact> | null = null;

  /** Opens a run whose plan is in its home. The caller holds the workspace's lock. */
  constructor(home: RunHome, workspace: Workspace, options: { fresh: boolean }) {
    const files = runFiles(home.dir);
    const { plan, hash } = readPlan(files);
    this.home = home;
    this.plan = plan;
    this.#agents = readAgents(files, plan);
    this.#journal = openFileJournal<RunEvent, Story>({
      vaultDir: home.dir,
      mirrorDir: home.mirror,
      workspaceDir: home.root,
      run: home.run,
      parse: (json) => unpacked(json, files),
      pack: (event) => packed(event, files),
      stateVersion: storyVersion,
      fresh: options.fresh,
    });
    const [first] = this.#journal.past.events;
    if (first?.type === "begun" && first.contract !== hash) throw alteredPlan();
    this.#signals = new Signals(home.dir);
    this.#live = new LiveStory(plan.contract, {
      journal: this.#journal,
      clock: systemClock,
      publish: (step) => this.#publish(step),
    });
    const disk = workspaceDisk(home.root);
    const note: Ports["note"] = (about, text) => this.#signals.send({ type: "noted", about, text });
    sweepHalfWritten(home.root, [...guardedPaths(plan.contract.recordsDir), ...mirrored]);
    if (options.fresh) copyForRun(home.vault, files);
    const { recordsDir } = plan.contract;
    this.#prover = localProver({ workspace, vaultDir: home.vault, files, recordsDir });
    this.#ports = {
      task: home.task,
      run: home.run,
      workspace,
      prover: this.#prover,
      sessions: { run: (order, cut) => this.#runSession(order, cut) },
      clock: systemClock,
      files,
      disk,
      newSessionId: () => sessionId(randomUUID()),
      note,
    };
    // No agent has worked since the run came to rest, so the files are now a person's.
    if (this.story.run.now.is === "resting") rememberAll(this.#ports, plan.contract.recordsDir);
  }

  get story(): Story {
    return this.#live.story;
  }

  /** A signal from a person or a trigger, while the run is driven or not. */
  send(fact: SignalFact): void {
    this.#signals.send(fact);
  }

  /** Different agents work from the next session on. */
  useAgents(crew: Crew): void {
    this.#agents = replaceAgents(this.#ports.files, this.#agents, crew, this.story.run);
  }

  /** Records an event now, for facts that must be on record before driving begins. */
  async record(fact: Fact): Promise<Story> {
    await this.#live.step(fact);
    return this.story;
  }

  async drive({ wait, watcher = {} }: DriveOptions): Promise<Story> {
    if (this.plan.version === 1 && this.story.run.asked === null) throw ofFirstVersion();
    this.#watcher = watcher;
    this.#live.wake();
    for (const { kind, text } of this.#takeNotices()) await this.#live.step({ type: "noted", about: kind, text });
    await drive(this.story.run, {
      perform: (effect, run, cut) => {
        watcher.onEffect?.(effect, this.story);
        const trouble = this.#trouble;
        this.#trouble = null;
        return trouble === null ? perform(effect, run, this.#ports, cut) : Promise.resolve(refusal(trouble));
      },
      steady: () => systemClock.steady(),
      record: (fact) => this.#live.step(fact),
      signal: () => this.#nextSignal(),
      // A time that has passed needs no wait.
      allows: (effect) => wait || effect.do !== "wait" || effect.until <= systemClock.now(),
    });
    await this.#snapshot();
    rememberRun(this.home.vault, this.#ports.files, this.story);
    return this.story;
  }

  /**
   * Waits at a gate for an answer, from the person here or from elsewhere, whichever comes first. `ask` is aborted when
   * the answer has come; null from it: no answer here. True: the run can continue.
   */
  async awaitAnswer(ask: (stop: AbortSignal) => Promise<SignalFact | null>): Promise<boolean> {
    const stop = new AbortController();
    const here = ask(stop.signal).then((fact) => ({ fact, isLast: true }));
    for (;;) {
      const elsewhere = this.#nextSignal().then((fact) => ({ fact, isLast: false }));
      const { fact, isLast } = await Promise.race([here, elsewhere]);
      if (fact === null) return false;
      const before = this.story.run;
      await this.#live.step(fact);
      // A note changes nothing, and neither does an answer to something else.
      if (this.story.run === before && !isLast) continue;
      stop.abort();
      return true;
    }
  }

  /** A signal that was not taken when driving ended is still the next one. */
  #nextSignal(): Promise<SignalFact> {
    this.#pending ??= this.#signals.next().then((fact) => {
      this.#pending = null;
      return fact;
    });
    return this.#pending;
  }

  async close(): Promise<void> {
    this.#signals.close();
    await this.#prover.dispose();
    await this.#journal.close();
  }

  /** The journal adds notices while it is open; each is reported once. */
  #takeNotices(): readonly JournalNotice[] {
    const fresh = this.#journal.notices.slice(this.#noticesTold);
    this.#noticesTold += fresh.length;
    return fresh;
  }

  async #publish(step: Step): Promise<void> {
    this.#signals.settled(step.fact as SignalFact);
    this.#orTrouble(() => this.#show(step));
    for (const { kind, text } of this.#takeNotices()) this.#ports.note(kind, text);
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
      await this.#journal.snapshot(this.story);
    } catch (error) {
      if (machineTrouble(error) === null) throw error;
    }
  }

  #show({ before, event, after: story }: Step): void {
    const due = recordsDue(before.run, story.run);
    if (due) this.#repairAfterCut(story.run);
    if (due) writeRecords(story, this.#ports);
    // The phase between two features ends immediately: the mirror is written when the next one is marked.
    const light = event.type === "collected";
    if (light || story.run.now.is === "stopped" || (due && story.run.now.is !== "between")) {
      mirrorRun(this.home, this.#ports.files, this.#ports.disk, story, { light });
    }
    writeStatus(this.home, story);
    this.#watcher.onEvent?.(event, story);
  }

  /**
   * A session that was cut was not collected: its changes to the loop's files are undone before a person edits them.
   */
  #repairAfterCut({ now, contract }: Story["run"]): void {
    if (now.is !== "resting" || !["in-session", "collecting"].includes(now.resume.is)) return;
    for (const { kind, what } of repairGuarded(this.#ports, contract.recordsDir)) this.#ports.note(kind, what);
  }

  #runSession(order: Parameters<Ports["sessions"]["run"]>[0], cut: AbortSignal) {
    const { agents, env } = crewFor(this.#agents, order.session);
    const agent = makeAgent(agentFor(order.role, order.by, agents), this.home.root, env);
    const { session, role, feature, attempt, resumes, prompt, compactPercent, ...rest } = order;
    const { files } = this.#ports;
    const folder = files.path(sessionFolder(`${feature ?? "run"}-a${attempt}-${role}-${session}`));
    const full = compactPercent ?? order.handoverPercent;
    const nativeId = resumes === undefined ? null : conversationOf(resumes.session, files, full);
    const told =
      nativeId === null || resumes === undefined ? { prompt } : { prompt: resumes.prompt, freshPrompt: prompt };
    const bounds = compactPercent === undefined ? {} : { compactPercent };
    return runSession(
      agent,
      { ...rest, ...told, ...bounds, session, role, feature, attempt, run: this.home.run, folder, part: 1, nativeId },
      { signal: cut, onSign: (sign) => this.#watcher.onSign?.({ session, role, sign }) },
    );
  }
}

const ofFirstVersion = (): UserError =>
  new UserError("run-of-first-version", {
    what: "The run was not continued.",
    why: "The first version of Loopwright began it, and this one drives runs in another way.",
    next: "See what it did: loop report · loop recover. End it: loop cancel. Then start a new run: loop run",
  });

function alteredPlan(): UserError {
  return new UserError("plan-altered", {
    what: "The run was not opened.",
    why: "Its plan.json is not the one that it was begun with.",
    next: "Restore the file, or start a new run.",
  });
}
