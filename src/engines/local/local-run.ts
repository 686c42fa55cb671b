// A run in this process: journal, ports and records put together, and driven.
import { randomUUID } from "node:crypto";
import { runSession } from "../../agents/session.ts";
import type { Effect } from "../../core/effect.ts";
import { machineTrouble, UserError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";
import { sessionId } from "../../core/ids.ts";
import { sleepUntil } from "../../host/process/wait.ts";
import { type FileJournal, openFileJournal } from "../../journal/file/open.ts";
import type { JournalNotice } from "../../journal/journal.ts";
import { drive } from "../../runtime/drive.ts";
import { perform, refusal } from "../../runtime/perform/index.ts";
import type { Clock, Fact, Ports, SessionSign, SignalFact } from "../../runtime/ports.ts";
import { rememberAll } from "../../runtime/records/guard.ts";
import { recordsDue, writeRecords } from "../../runtime/records/write.ts";
import { follow, newStory, type Story, storyVersion } from "../../runtime/story.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { agentFor, makeAgent } from "./agents.ts";
import { localChecks } from "./checks.ts";
import { parseEvent } from "./events.ts";
import { type RunHome, runFiles } from "./home.ts";
import { mirrorRun } from "./mirror.ts";
import { type Plan, readPlan } from "./plan.ts";
import { Signals } from "./signals.ts";
import { writeStatus } from "./status-file.ts";
import { workspaceDisk } from "./workspace-disk.ts";

export type Watcher = {
  /** Everything that happened, after it was written down. */
  onEvent?(event: RunEvent, story: Story): void;
  /** What an agent is seen to do while it works. */
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
  #story: Story;
  #watcher: Watcher = {};
  #lastAt: number;
  #sinceSnapshot = 0;
  #noticesTold = 0;
  #trouble: UserError | null = null;

  /** Opens a run whose plan is in its home. The caller holds the workspace's lock. */
  constructor(home: RunHome, workspace: Workspace, options: { fresh: boolean }) {
    const files = runFiles(home.dir);
    const { plan, hash } = readPlan(files);
    this.home = home;
    this.plan = plan;
    this.#journal = openFileJournal<RunEvent, Story>({
      vaultDir: home.dir,
      mirrorDir: home.mirror,
      workspaceDir: home.root,
      run: home.run,
      parse: parseEvent,
      stateVersion: storyVersion,
      fresh: options.fresh,
    });
    const { snapshot, events } = this.#journal.past;
    this.#story = events.reduce(follow, snapshot ?? newStory(plan.contract));
    const [first] = events;
    if (first?.type === "begun" && first.contract !== hash) throw alteredPlan();
    this.#signals = new Signals(home.dir);
    this.#lastAt = systemClock.steady();
    const disk = workspaceDisk(home.root);
    this.#ports = {
      task: home.task,
      run: home.run,
      workspace,
      checks: localChecks,
      sessions: { run: (order, cut) => this.#runSession(order, cut) },
      clock: systemClock,
      files,
      disk,
      newSessionId: () => sessionId(randomUUID()),
      note: (about, text) => this.#signals.send({ type: "noted", about, text }),
    };
    // Nobody has worked here since a run that rests came to rest: what is there now is a person's.
    if (this.#story.run.now.is === "resting") rememberAll(this.#ports, plan.contract.recordsDir);
  }

  get story(): Story {
    return this.#story;
  }

  /** Something a person or a trigger says while the run is driven, or between. */
  send(fact: SignalFact): void {
    this.#signals.send(fact);
  }

  /** Writes an event down now; for what must be on record before driving begins. */
  async record(fact: Fact): Promise<Story> {
    await this.#record(fact);
    return this.#story;
  }

  async drive({ wait, watcher = {} }: DriveOptions): Promise<Story> {
    this.#watcher = watcher;
    this.#lastAt = systemClock.steady();
    for (const { kind, text } of this.#takeNotices()) await this.#record({ type: "noted", about: kind, text });
    await drive(this.#story.run, {
      perform: (effect, run, cut) => {
        watcher.onEffect?.(effect, this.#story);
        const trouble = this.#trouble;
        this.#trouble = null;
        return trouble === null ? perform(effect, run, this.#ports, cut) : Promise.resolve(refusal(trouble));
      },
      record: (fact) => this.#record(fact),
      signal: () => this.#signals.next(),
      // A time that has passed needs no waiting.
      allows: (effect) => wait || effect.do !== "wait" || effect.until <= systemClock.now(),
    });
    await this.#snapshot();
    return this.#story;
  }

  async close(): Promise<void> {
    this.#signals.close();
    await this.#journal.close();
  }

  /** The journal goes on adding to its list while it is open; each notice is told once. */
  #takeNotices(): readonly JournalNotice[] {
    const fresh = this.#journal.notices.slice(this.#noticesTold);
    this.#noticesTold += fresh.length;
    return fresh;
  }

  async #record(fact: Fact): Promise<Story["run"]> {
    const steady = systemClock.steady();
    const event = { ...fact, at: systemClock.now(), tookMs: Math.round(steady - this.#lastAt) } as RunEvent;
    this.#lastAt = steady;
    const before = this.#story.run;
    // Applied first in thought, so that what the core refuses is never written; believed only once it is on disk.
    const story = follow(this.#story, event);
    await this.#journal.append(event);
    this.#story = story;
    this.#orTrouble(() => this.#publish(before, event));
    for (const { kind, text } of this.#takeNotices()) this.#ports.note(kind, text);
    if (++this.#sinceSnapshot >= snapshotEvery) {
      this.#sinceSnapshot = 0;
      await this.#snapshot();
    }
    return story.run;
  }

  /** Records can be written again at any time; that they cannot be written now makes the run rest, with the reason. */
  #orTrouble(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#trouble = machineTrouble(error);
      if (this.#trouble === null) throw error;
    }
  }

  /** A snapshot is a cache: without one the next opening takes longer, and that is all. */
  async #snapshot(): Promise<void> {
    try {
      await this.#journal.snapshot(this.#story);
    } catch (error) {
      if (machineTrouble(error) === null) throw error;
    }
  }

  #publish(before: Story["run"], event: RunEvent): void {
    const story = this.#story;
    const due = recordsDue(before, story.run);
    if (due) writeRecords(story, this.#ports);
    // What comes between two features is over at once: the mirror is written when the next one is marked.
    const light = event.type === "collected";
    if (light || story.run.now.is === "stopped" || (due && story.run.now.is !== "between")) {
      mirrorRun(this.home, this.#ports.files, this.#ports.disk, story, { light });
    }
    writeStatus(this.home, story);
    this.#watcher.onEvent?.(event, story);
  }

  #runSession(order: Parameters<Ports["sessions"]["run"]>[0], cut: AbortSignal) {
    const agent = makeAgent(agentFor(order.role, order.by, this.plan.agents), this.home.root, this.plan.env);
    const folder = this.#ports.files.path(
      `sessions/${order.feature ?? "run"}-a${order.attempt}-${order.role}-${order.session}`,
    );
    const { session, role } = order;
    return runSession(
      agent,
      { ...order, run: this.home.run, folder, part: 1, nativeId: null },
      { signal: cut, onSign: (sign) => this.#watcher.onSign?.({ session, role, sign }) },
    );
  }
}

function alteredPlan(): UserError {
  return new UserError("plan-altered", {
    what: "The run was not opened.",
    why: "Its plan.json is not the one that it was begun with.",
    next: "Restore the file, or start a new run.",
  });
}
