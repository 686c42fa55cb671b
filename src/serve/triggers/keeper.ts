// Keeps the triggers: looks what is due, queues it, begins its run when the workspace is free, and sees how it ends. All
// that it knows is recorded, so that another process can take over at any moment.
import { existsSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import type { TriggerSettings } from "../../formats/config/settings.ts";
import { isoTime, outcomeOf } from "../../report/words/words.ts";
import type { Drive } from "../drivers.ts";
import type { Served, Workspaces } from "../workspaces.ts";
import { type Accepted, decide, type Occasion } from "./accept.ts";
import { Branch } from "./branch.ts";
import { dayMs, leftOf, storiesOf } from "./budget.ts";
import { configuredIn } from "./configured.ts";
import { dueIn } from "./cron.ts";
import { type Firing, type Fold, placeKey } from "./firing.ts";
import type { FiringLog } from "./firing-log.ts";

export type Keeping = {
  readonly log: FiringLog;
  readonly workspaces: Workspaces;
  readonly drive: Drive;
  readonly now: () => number;
};

/** Since this process started: so many, the last of them then and for this reason. */
export type TurnedAway = { readonly count: number; readonly at: number; readonly why: string };

/** A run that no process has driven for so long was interrupted. Between two runs of a task there is a short gap. */
const idleMs = 15_000;
/** A clock that is set back by less fires nothing twice. */
const aheadMsMax = dayMs;
const resumesMax = 3;
const triesMax = 3;

export class Keeper {
  readonly #keeping: Keeping;
  readonly #branches = new Map<string, Branch>();
  readonly #starting = new Set<string>();
  readonly #idle = new Map<string, { readonly since: number; readonly resumes: number }>();
  readonly #cancelled = new Set<string>();
  readonly #tries = new Map<string, number>();
  readonly #turnedAway = new Map<string, TurnedAway>();

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
  }

  get state(): Fold {
    return this.#keeping.log.state;
  }

  /** Whether a run is being begun right now. */
  get isStarting(): boolean {
    return this.#starting.size > 0;
  }

  /** Recorded when this returns. */
  accept(root: string, trigger: TriggerSettings, occasion: Occasion): Accepted {
    const { log, now } = this.#keeping;
    const { accepted, lines } = decide(log.state, root, trigger, occasion, now());
    for (const line of lines) log.append(line);
    if (accepted.is === "refused" && !accepted.isKept) this.#turnAway(placeKey(root, trigger.name), accepted.why);
    return accepted;
  }

  #turnAway(place: string, why: string): void {
    const count = (this.#turnedAway.get(place)?.count ?? 0) + 1;
    this.#turnedAway.set(place, { count, at: this.#keeping.now(), why });
  }

  /** What a trigger has refused besides what is recorded. Null: nothing. */
  turnedAway(root: string, trigger: string): TurnedAway | null {
    return this.#turnedAway.get(placeKey(root, trigger)) ?? null;
  }

  /** The trigger of this name, as the person has confirmed it. */
  find(served: Served, name: string): TriggerSettings {
    const { triggers, problem } = configuredIn(served);
    const found = triggers.find((trigger) => trigger.name === name);
    if (found !== undefined) return found;
    throw new UserError("no-such-trigger", {
      what: "Nothing was fired.",
      why: problem ?? `There is no trigger ${name} in ${served.root}.`,
      next: `loop serve --add ${served.root}`,
    });
  }

  /** `isLooking`: also looks whether a schedule or branch is due. */
  async tick(isLooking = true): Promise<void> {
    const all = this.#keeping.workspaces.all();
    this.#dropWithout(all);
    // Firings of a folder that is missing wait for it.
    for (const served of all.filter(({ root }) => existsSync(root)))
      await this.#keep(served, isLooking).catch((error: unknown) => {
        // The others are kept regardless. A folder that went away just now is waited for.
        if (existsSync(served.root)) complain(served.root, error);
      });
  }

  #dropWithout(registered: readonly Served[]): void {
    const { log, now } = this.#keeping;
    const roots = new Set(registered.map(({ root }) => root));
    for (const { id, root, status } of [...this.state.firings.values()])
      if (status === "queued" && !roots.has(root))
        log.append({ type: "dropped", at: now(), id, why: "Its workspace is not registered." });
  }

  async #keep(served: Served, isLooking: boolean): Promise<void> {
    if (isLooking) await this.#look(served);
    for (const firing of [...this.state.firings.values()])
      if (firing.root === served.root && firing.status === "begun") await this.#settle(firing, served);
    this.#startNext(served);
  }

  async #look({ root, ...served }: Served): Promise<void> {
    for (const trigger of configuredIn({ root, ...served }).triggers) {
      if (trigger.cron !== null) this.#lookAtTime(root, trigger, trigger.cron);
      if (trigger.git !== null) await this.#lookAtBranch(root, trigger, trigger.git.branch);
    }
  }

  #lookAtTime(root: string, trigger: TriggerSettings, schedule: NonNullable<TriggerSettings["cron"]>): void {
    const now = this.#keeping.now();
    const asWritten = `${schedule.at} ${schedule.timezone}`;
    const mark = this.state.marks.get(placeKey(root, trigger.name));
    const since = mark?.endsWith(` ${asWritten}`) === true ? Number.parseInt(mark, 10) : null;
    // A schedule that is new, or was changed, begins now; so does one that was looked at while the clock was far ahead.
    const isKnown = since !== null && since <= now + aheadMsMax;
    if (!isKnown) this.#mark(root, trigger.name, `${now} ${asWritten}`);
    const due = isKnown ? dueIn(schedule, trigger.name, since, now) : null;
    if (due === null) return;
    const reached = { mark: `${due.at} ${asWritten}`, keys: [] };
    const time = new Date(due.at).toISOString();
    const cause = `due ${isoTime(due.at)}`;
    if (due.is === "missed") {
      const why = "It passed while nothing served.";
      this.#keeping.log.append({
        type: "refused",
        at: now,
        root,
        trigger: trigger.name,
        mark: reached.mark,
        cause,
        why,
      });
    } else this.accept(root, trigger, { ...reached, cause, values: { time }, source: "the schedule" });
  }

  async #lookAtBranch(root: string, trigger: TriggerSettings, name: string): Promise<void> {
    const place = placeKey(root, trigger.name);
    const branch = this.#branches.get(place) ?? new Branch(root, name);
    this.#branches.set(place, branch);
    const [after, before] = [await branch.tip(), this.state.marks.get(place)];
    if (after === null || after === before) return;
    if (before === undefined || !(await branch.isMovedByOthers(before, after)))
      return this.#mark(root, trigger.name, after);
    const cause = `${name} moved from ${before.slice(0, 7)} to ${after.slice(0, 7)}`;
    this.accept(root, trigger, {
      mark: after,
      keys: [],
      cause,
      values: { branch: name, before, after },
      source: "git",
    });
  }

  #mark(root: string, trigger: string, mark: string): void {
    this.#keeping.log.append({ type: "marked", at: this.#keeping.now(), root, trigger, mark });
  }

  #startNext(served: Served): void {
    const { root } = served;
    const queued = [...this.state.firings.values()].filter((each) => each.root === root && each.status === "queued");
    const [next] = queued;
    if (next === undefined || this.#starting.has(root)) return;
    this.#starting.add(root);
    // Waiting here would keep other workspaces waiting, too.
    void this.#start(next, served)
      .catch((error: unknown) => this.#fail(next, error))
      .finally(() => this.#starting.delete(root));
  }

  async #start(firing: Firing, served: Served): Promise<void> {
    const { log, drive, now } = this.#keeping;
    const { root, engine } = served;
    const begun = (costUsdMax: number | null): void =>
      log.append({ type: "begun", at: now(), id: firing.id, costUsdMax });
    // An earlier process may have begun it, and ended before it could record that.
    if ((await engine.runs()).includes(firing.run)) return begun(null);
    if (this.#isAtWork(root)) return this.#makeRoom(firing, served);
    const { perDayUsd, costUsdMax, problem } = configuredIn(served);
    // Without the configuration that the person confirmed, its bounds are unknown.
    if (problem !== null) return;
    const { limits, autonomy, perDayUsd: ofTrigger } = firing.terms;
    const left = await leftOf(engine, firing, this.state.firings.values(), { ofTrigger, ofAll: perDayUsd }, now());
    if (left !== null && left <= 0)
      return this.#failed(firing, "The budget for 24 hours is spent, or kept for runs that wait for you (loop inbox).");
    const cap = limits.cost_usd ?? costUsdMax;
    const most = left === null ? cap : Math.min(left, cap ?? left);
    const flags = {
      limits: { ...limits, ...(most === null ? {} : { cost_usd: most }) },
      ...(autonomy === undefined ? {} : { autonomy }),
    };
    try {
      const { run, id: task, request } = firing;
      await drive({ root, job: { do: "begin", run, task, request, yes: false, flags } });
      begun(most);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (error.code === "run-exists") return begun(most);
      // Another process has the folder, or the folder is missing right now: it stays in the queue.
      if (error.code !== "workspace-locked" && existsSync(root))
        this.#failed(firing, `${error.what} ${error.why} Next: ${error.next}`);
    }
  }

  /** One run of a trigger at a time in a workspace. A person's own run elsewhere in it does not matter. */
  #isAtWork(root: string): boolean {
    return [...this.state.firings.values()].some((other) => other.root === root && other.status === "begun");
  }

  #failed({ id }: Firing, why: string): void {
    this.#keeping.log.append({ type: "failed", at: this.#keeping.now(), id, why });
  }

  /** A driver that died may have begun the run: the next try finds out. */
  #fail(firing: Firing, error: unknown): void {
    if (!existsSync(firing.root)) return;
    const tries = (this.#tries.get(firing.id) ?? 0) + 1;
    this.#tries.set(firing.id, tries);
    complain(firing.root, error);
    if (tries >= triesMax) this.#failed(firing, error instanceof Error ? error.message : String(error));
  }

  /** With `overlap: replace`, the trigger's run ends for the next one. Other runs stay. */
  async #makeRoom({ root, trigger, terms }: Firing, { engine }: Served): Promise<void> {
    if (terms.overlap !== "replace") return;
    for (const other of this.state.firings.values()) {
      const isOwn = other.root === root && other.trigger === trigger && other.status === "begun";
      if (!isOwn || this.#cancelled.has(other.id)) continue;
      this.#cancelled.add(other.id);
      const last = (await storiesOf(engine, other)).at(-1);
      if (last !== undefined) await engine.send(last.chronicle.run, { type: "cancel-requested", undo: true });
    }
  }

  /** Sees whether the run is over or rests; resumes one that was interrupted. */
  async #settle(firing: Firing, { root, engine }: Served): Promise<void> {
    const { log, now, drive } = this.#keeping;
    const { id } = firing;
    const stories = await storiesOf(engine, firing);
    const last = stories.at(-1);
    const costUsd = stories.reduce((sum, { run }) => sum + run.spent.costUsd, 0);
    const kind = last === undefined ? "gone" : (outcomeOf(last.run)?.kind ?? null);
    if (last === undefined || (kind !== null && kind !== "followup")) {
      this.#idle.delete(id);
      return log.append({ type: "ended", at: now(), id, outcome: kind ?? "gone", costUsd });
    }
    const idle = this.#idle.get(id) ?? { since: now(), resumes: 0 };
    const { isDriven } = await engine.read(last.chronicle.run);
    if (isDriven) return void this.#idle.set(id, { ...idle, since: now() });
    this.#idle.set(id, idle);
    if (now() - idle.since < idleMs) return;
    if (idle.resumes >= resumesMax)
      return log.append({ type: "ended", at: now(), id, outcome: "interrupted", costUsd });
    this.#idle.set(id, { since: now(), resumes: idle.resumes + 1 });
    await drive({ root, job: { do: "resume", run: last.chronicle.run, limits: null } }).catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
    });
  }
}

const complain = (root: string, error: unknown): void =>
  void process.stderr.write(`${root}: ${error instanceof Error ? error.stack : String(error)}\n`);
