// The engine of this machine: runs are kept in the vault of their workspace, and the process that begins or resumes one
// drives it. Other processes leave files for it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UserError } from "../../core/errors.ts";
import { statIfExists } from "../../host/disk.ts";
import type { Registered } from "../../project/config/registered.ts";
import { runDir, runFiles } from "../../project/runs/home.ts";
import { listRuns } from "../../project/runs/list-runs.ts";
import { UndoneCommits } from "../../project/runs/undone-commits.ts";
import type { Undone } from "../../report/taken-back.ts";
import type { SignalFact } from "../../runtime/ports.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import type { Start } from "../begin.ts";
import { Driven } from "../driven.ts";
import type {
  Beginning,
  Begun,
  Engine,
  Item,
  Message,
  Reading,
  Receipt,
  Resume,
  Subscription,
  Terms,
} from "../engine.ts";
import { followedAlready } from "../follow-up.ts";
import { pastItems } from "../past.ts";
import type { SessionOutputs } from "../session-outputs.ts";
import { isBusy, isDriven } from "./driver.ts";
import { followFile } from "./follow-file.ts";
import { LiveWriter } from "./live-file.ts";
import type { Held } from "./open.ts";
import { homeOf, planOf, readEvents, readStory, worktreeOf } from "./read-story.ts";
import { leftBefore, post, takeBack } from "./signals.ts";

/** How long a message is waited for until the process that drives the run has taken it. */
const patienceMs = 10_000;

/** Loaded only to drive a run, so that commands that look at one start quickly. */
const driving = () => import("./driving.ts");

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export class LocalEngine implements Engine {
  readonly #root: string;
  readonly #registered: Registered;
  readonly #driven = new Map<string, Driven>();
  readonly #undone: UndoneCommits;

  constructor(root: string, registered: Registered = {}) {
    this.#root = root;
    this.#registered = registered;
    this.#undone = new UndoneCommits(root);
  }

  async begin(beginning: Beginning, terms: Terms): Promise<Begun> {
    const { beginRun } = await driving();
    const held = await beginRun(this.#root, await this.#startOf(beginning), this.#registered);
    const { home, seq } = held.run;
    this.#drive(held, terms);
    return { run: home.run, from: seq };
  }

  async #startOf(beginning: Beginning): Promise<Start> {
    if (!("follows" in beginning)) return { ...beginning, planned: beginning.plan };
    const { follows, changes } = beginning;
    const { followUpOf, highestInRuns } = await driving();
    const follower = listRuns(this.#root).find((run) => planOf(this.#root, run)?.contract.followUp.of === follows);
    if (follower !== undefined) throw followedAlready(follows, follower);
    const { story } = readStory(this.#root, follows);
    const { home, plan } = homeOf(this.#root, follows);
    // Once its work has landed its worktree is gone, and what it began with is in the person's folder.
    const root = existsSync(home.root) ? home.root : this.#root;
    const followed = { id: follows, plan, files: runFiles(home.dir), run: story.run };
    return followUpOf(root, followed, { highestUsed: highestInRuns(this.#root), changes });
  }

  async send(run: string, message: Message): Promise<Receipt> {
    if (message.type === "resume") return this.#resume(run, message);
    if (message.type === "land") return this.#land(run);
    const here = this.#drivenHere(run);
    if (here !== null) {
      const { seq } = here.run;
      if (await here.run.deliver(message)) return { driver: "here", taken: true, from: seq, changes: [] };
      // It came to rest and was closed before it took the message.
      await here.over;
    }
    for (const end = performance.now() + patienceMs; ; ) {
      const receipt = (await isBusy(this.#root, run))
        ? await this.#leaveFor(run, message, end)
        : await this.#recordUnlessLocked(run, message, end);
      if (receipt !== null) return receipt;
    }
  }

  /** Null: another process has started to work on it in the meantime. */
  async #recordUnlessLocked(run: string, fact: SignalFact, end: number): Promise<Receipt | null> {
    try {
      return await this.#record(run, fact);
    } catch (error) {
      const isLocked = error instanceof UserError && error.code === "workspace-locked";
      if (isLocked && performance.now() < end) return null;
      throw error;
    }
  }

  async #record(run: string, fact: SignalFact): Promise<Receipt> {
    const { openRun, windUp } = await driving();
    const held = await openRun(this.#root, run, { registered: this.#registered });
    try {
      const { seq } = held.run;
      await held.run.record(fact);
      await windUp(held.run);
      return { driver: "none", taken: true, from: seq, changes: [] };
    } finally {
      await held.close();
    }
  }

  async #land(run: string): Promise<Receipt> {
    const { landRun } = await driving();
    const landed = await landRun(this.#root, run, this.#registered);
    return { driver: "none", taken: true, from: readStory(this.#root, run).seq, changes: [], landed };
  }

  /**
   * Null: the process has left without it, for example because it only recorded another answer. A process that works on
   * another run in the same folder will never take it: the message is refused, and not left for nobody.
   */
  async #leaveFor(run: string, fact: SignalFact, end: number): Promise<Receipt | null> {
    const { seq } = readStory(this.#root, run);
    const path = post(runDir(vaultDirFor(this.#root), run), fact);
    const isTaken = (): boolean => statIfExists(path) === undefined;
    while (!isTaken() && performance.now() < end) {
      // A file without a driver would wait until the run is resumed.
      if (!(await isBusy(this.#root, run)) && takeBack(path)) return null;
      await pause(50);
    }
    if (!isTaken() && !(await isDriven(this.#root, run)) && takeBack(path)) return this.#record(run, fact);
    const ahead = leftBefore(path);
    return { driver: "elsewhere", taken: isTaken(), from: seq, changes: [], ahead };
  }

  async #resume(run: string, { terms, changes }: Resume): Promise<Receipt> {
    const here = this.#drivenHere(run);
    if (here !== null) return { driver: "here", ...(await here.resume(changes)) };
    const { openRun, resume } = await driving();
    const held = await openRun(this.#root, run, {
      stealLock: changes?.stealLock === true,
      registered: this.#registered,
    });
    try {
      const seen = await resume(held.run, changes);
      const { seq } = held.run;
      this.#drive(held, terms);
      return { driver: "here", taken: true, from: seq, changes: seen };
    } catch (error) {
      await held.close();
      throw error;
    }
  }

  subscribe(run: string, from?: number): Subscription {
    const driven = this.#driven.get(run);
    if (driven === undefined) return followFile(this.#root, run, from);
    const { plan, events } = readEvents(this.#root, run);
    return driven.subscribe(pastItems(plan.contract, events, from));
  }

  async read(run: string): Promise<Reading> {
    const dir = runDir(vaultDirFor(this.#root), run);
    const files = runFiles(dir);
    // The lock is checked before the journal: once the driver has left, its events are complete.
    const isDrivenNow = this.#drivenHere(run) !== null || (await isDriven(this.#root, run));
    const outputs = once(() => this.#outputsOf(run));
    const read = readStory(this.#root, run);
    const { place, plan } = homeOf(this.#root, run);
    return {
      ...read,
      isPlain: plan.kind === "plain",
      ...(place === null ? {} : { worktree: await worktreeOf(place, read.story.run) }),
      isDriven: isDrivenNow,
      file: async (name) => files.read(name),
      pathOf: (name) => join(dir, name),
      sessions: async () => (await outputs()).sessions(),
      output: async (session, from) => (await outputs()).output(session, from),
    };
  }

  async #outputsOf(run: string): Promise<SessionOutputs> {
    const { home, plan } = homeOf(this.#root, run);
    const { SessionOutputs } = await import("../session-outputs.ts");
    const files = runFiles(home.dir);
    // The worktree may be gone; its sessions are not.
    const root = statIfExists(home.root) === undefined ? this.#root : home.root;
    return new SessionOutputs({ run: home.run, root, plan, files, agents: this.#registered.agents ?? {} });
  }

  async runs(): Promise<readonly string[]> {
    return listRuns(this.#root);
  }

  undone(): Promise<Undone> {
    return this.#undone.now();
  }

  async leave(run: string): Promise<void> {
    const driven = this.#driven.get(run);
    driven?.leave();
    await driven?.over;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#driven.keys()].map((run) => this.leave(run)));
  }

  #drive(held: Held, terms: Terms): void {
    const { home } = held.run;
    const live = new LiveWriter(home.dir);
    const driven = new Driven(held, terms, (item: Item) => {
      if (item.type === "sign") live.write(item);
    });
    this.#driven.set(home.run, driven);
    // A failed one stays, so that the next subscriber gets the error.
    void driven.over.then(() => {
      live.flush();
      if (!driven.hasFailed && this.#driven.get(home.run) === driven) this.#driven.delete(home.run);
    });
  }

  #drivenHere(run: string): Driven | null {
    const driven = this.#driven.get(run);
    return driven === undefined || driven.hasFailed ? null : driven;
  }
}
