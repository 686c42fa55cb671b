// Keeps the triggers: looks what is due, queues it, begins its run when the workspace is free, and sees how it ends. All
// that it knows is recorded, so that another process can take over at any moment.
import { existsSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import { usd } from "../../core/ledger.ts";
import type { Engine } from "../../engines/engine.ts";
import { readingIfPossible } from "../../engines/watch.ts";
import type { TriggerSettings } from "../../formats/config/settings.ts";
import type { Story } from "../../report/story.ts";
import { isoTime, outcomeOf } from "../../report/words/words.ts";
import type { Drive } from "../drivers.ts";
import { troubleText } from "../printed.ts";
import type { Served, Workspaces } from "../workspaces.ts";
import { type Accepted, decide, type Occasion } from "./accept.ts";
import { Branch } from "./branch.ts";
import { dayMs, leftOf, storiesOf, storiesSince, usedUp } from "./budget.ts";
import { configuredIn, silenceOf } from "./configured.ts";
import { dueIn } from "./cron.ts";
import { type Firing, type Fold, isAtWork, placeKey } from "./firing.ts";
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
/** A process that a server asked to begin a run, before the server was killed, has done so by then. */
const beginMs = 60_000;

export class Keeper {
  readonly #keeping: Keeping;
  readonly #branches = new Map<string, Branch>();
  readonly #starting = new Set<string>();
  readonly #idle = new Map<string, { readonly since: number; readonly resumes: number }>();
  readonly #cancelled = new Set<string>();
  /** Firings that were being begun when their workspace was taken out of the register. */
  readonly #leaving = new Set<string>();
  /** Of firings that have ended: the run that rests, and can be continued. */
  readonly #resting = new Map<string, string>();
  /** Firings that have ended, and of which no run can be continued. */
  readonly #over = new Set<string>();
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
    if ("why" in accepted && !accepted.isKept) this.#turnAway(placeKey(root, trigger.name), accepted.why);
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
    const configured = configuredIn(served);
    const found = configured.named.find((trigger) => trigger.name === name);
    const silence = found === undefined ? configured.problem : silenceOf(configured, found);
    if (found !== undefined && silence === null) return found;
    throw new UserError("no-such-trigger", {
      what: "Nothing was fired.",
      why: silence?.why ?? `There is no trigger ${name} in ${served.root}.`,
      next: `loop serve --add ${served.root}`,
    });
  }

  /** `isLooking`: also looks whether a schedule or branch is due. */
  async tick(isLooking = true): Promise<void> {
    const all = this.#keeping.workspaces.all();
    await this.#leave(all);
    // Firings of a folder that is missing wait for it.
    for (const served of all.filter(({ root }) => existsSync(root)))
      await this.#keep(served, isLooking).catch((error: unknown) => {
        // The others are kept regardless. A folder that went away just now is waited for.
        if (existsSync(served.root)) complain(served.root, error);
      });
  }

  /** Of workspaces that are not registered, what waits is dropped. What is being begun is waited for, and cancelled. */
  async #leave(registered: readonly Served[]): Promise<void> {
    const roots = new Set(registered.map(({ root }) => root));
    for (const firing of [...this.state.firings.values()]) {
      const { id, root, status } = firing;
      if (roots.has(root)) this.#leaving.delete(id);
      else if (status === "beginning") this.#leaving.add(id);
      else if (status === "queued") this.#drop(id);
      if (!this.#leaving.has(id) || this.#starting.has(root) || !existsSync(root)) continue;
      await this.#leaveRun(firing, this.#keeping.workspaces.engineAt(root)).catch((error: unknown) =>
        complain(root, error),
      );
    }
  }

  async #leaveRun(firing: Firing, engine: Engine): Promise<void> {
    const { log, now } = this.#keeping;
    const { id, run, status, begunAt, costUsdMax } = firing;
    if (status === "begun") {
      await this.#cancel(firing, engine);
      await this.#settle(firing, engine, false);
    } else if (status === "beginning") {
      if ((await engine.runs()).includes(run)) log.append({ type: "begun", at: now(), id, costUsdMax });
      else if (now() - (begunAt ?? 0) >= beginMs) this.#drop(id);
    }
  }

  /** What waits for a trigger that the person has taken out, and confirmed so. */
  #dropRemoved(served: Served): void {
    const { named, problem } = configuredIn(served);
    if (problem !== null) return;
    const names = new Set(named.map(({ name }) => name));
    for (const { id, root, status, trigger } of [...this.state.firings.values()])
      if (root === served.root && status === "queued" && !names.has(trigger))
        this.#drop(id, "Its trigger was removed or renamed.");
  }

  #drop(id: string, why = "Its workspace is not registered."): void {
    this.#keeping.log.append({ type: "dropped", at: this.#keeping.now(), id, why });
  }

  async #keep(served: Served, isLooking: boolean): Promise<void> {
    // What has ended first: a run that is over keeps no other from its turn.
    await this.#follow(served.root, served.engine);
    for (const firing of [...this.state.firings.values()])
      if (firing.root === served.root && firing.status === "begun") await this.#settle(firing, served.engine, true);
    if (isLooking) await this.#look(served);
    this.#dropRemoved(served);
    this.#startNext(served);
  }

  /** A run that rests can be continued by anybody, and is then at work for its trigger as before. */
  async #follow(root: string, engine: Engine): Promise<void> {
    const ended = [...this.state.firings.values()].filter((firing) => firing.root === root && mayGoOn(firing));
    const unknown = ended.filter(({ id }) => !this.#over.has(id) && !this.#resting.has(id));
    if (unknown.length > 0) {
      const stories = await storiesSince(engine, unknown.map(({ run }) => run).sort()[0] ?? "");
      for (const { id } of unknown) this.#know(id, stories.get(id)?.at(-1));
    }
    for (const { id } of ended) {
      const run = this.#resting.get(id);
      const reading = run === undefined ? null : await readingIfPossible(engine, run);
      if (reading === null) continue;
      const { run: now } = reading.story;
      if (this.#restsAs(reading.story) === null && (reading.isDriven || this.#isStarted(reading.story))) {
        this.#cancelled.delete(id);
        this.#idle.delete(id);
        this.#keeping.log.append({ type: "resumed", at: this.#keeping.now(), id });
      }
      // It went on in a follow-up, or is over: what is known of it is old.
      if (now.now.is === "stopped") this.#resting.delete(id);
    }
  }

  #know(id: string, last: Story | undefined): void {
    const { now } = last?.run ?? { now: null };
    if (last === undefined || (now?.is === "stopped" && now.outcome.kind !== "followup")) this.#over.add(id);
    else this.#resting.set(id, last.chronicle.run);
  }

  /** How the run of a firing has come to rest; null: it is at work, or is about to go on. */
  #restsAs(story: Story): string | null {
    const kind = outcomeOf(story.run)?.kind ?? null;
    return kind === "followup" || this.#isStarted(story) ? null : kind;
  }

  #isStarted({ chronicle }: Story): boolean {
    return this.#keeping.workspaces.isStarting(chronicle.run);
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
    const own = [...this.state.firings.values()].filter((each) => each.root === root);
    // What an earlier process was beginning comes first.
    const next = own.find(({ status }) => status === "beginning") ?? own.find(({ status }) => status === "queued");
    if (next === undefined || this.#starting.has(root)) return;
    this.#starting.add(root);
    // Waiting here would keep other workspaces waiting, too.
    void this.#start(next, served)
      .catch((error: unknown) => this.#fail(next, served.engine, error))
      .catch((error: unknown) => complain(root, error))
      .finally(() => this.#starting.delete(root));
  }

  async #start(firing: Firing, served: Served): Promise<void> {
    const { log, now } = this.#keeping;
    const { root, engine } = served;
    const { id, run, status, begunAt } = firing;
    const others = [...this.state.firings.values()].filter((other) => other.root === root && other.id !== id);
    // An earlier process may have begun it, and ended before it could record that.
    if ((await engine.runs()).includes(run))
      return log.append({ type: "begun", at: now(), id, costUsdMax: firing.costUsdMax });
    // One run of a trigger at a time in a workspace. A person's own run elsewhere in it does not matter.
    if (others.some(isAtWork)) return this.#makeRoom(firing, served);
    const configured = configuredIn(served);
    // Without the configuration that the person confirmed, its bounds are unknown.
    if (configured.problem !== null) return;
    if (status === "beginning") return this.#begin(firing, now() - (begunAt ?? 0) < beginMs);
    const budgets = { ofTrigger: firing.terms.perDayUsd, ofAll: configured.perDayUsd };
    const left = await leftOf(engine, firing, others, budgets, now());
    // It may have been dropped in the meantime.
    if (this.state.firings.get(id)?.status !== "queued") return;
    if (left !== null && left.usd <= 0) return this.#failed(firing, usedUp(left));
    const cap = firing.terms.limits.cost_usd ?? configured.costUsdMax;
    const costUsdMax = left === null ? cap : Math.min(left.usd, cap ?? left.usd);
    log.append({ type: "beginning", at: now(), id, costUsdMax });
    await this.#begin({ ...firing, costUsdMax }, false);
  }

  /** `isShared`: a process that an earlier server has asked may still be beginning it, too. */
  async #begin(firing: Firing, isShared: boolean): Promise<void> {
    const { log, drive, now } = this.#keeping;
    const { root, id, run, request, costUsdMax } = firing;
    const { limits, autonomy } = firing.terms;
    const flags = {
      limits: { ...limits, ...(costUsdMax === null ? {} : { cost_usd: costUsdMax }) },
      ...(autonomy === undefined ? {} : { autonomy }),
    };
    try {
      await drive({ root, job: { do: "begin", run, task: id, request, yes: false, flags } });
      log.append({ type: "begun", at: now(), id, costUsdMax });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (error.code === "run-exists") return log.append({ type: "begun", at: now(), id, costUsdMax });
      // Another process has the folder, the folder is missing right now, or loop.yaml has just changed: it waits.
      if (error.code !== "workspace-locked" && error.code !== "not-trusted" && existsSync(root))
        this.#failed(firing, `${error.what} ${error.why} Next: ${error.next}`);
      else if (!isShared) log.append({ type: "requeued", at: now(), id });
    }
  }

  #failed({ id }: Firing, why: string): void {
    this.#keeping.log.append({ type: "failed", at: this.#keeping.now(), id, why });
  }

  /** A driver that died may have begun the run. */
  async #fail(firing: Firing, engine: Engine, error: unknown): Promise<void> {
    const { log, now } = this.#keeping;
    const { root, id, run } = firing;
    if (!existsSync(root)) return;
    complain(root, error);
    if ((await engine.runs()).includes(run)) return;
    const tries = (this.#tries.get(id) ?? 0) + 1;
    this.#tries.set(id, tries);
    if (tries >= triesMax) this.#failed(firing, error instanceof Error ? error.message : String(error));
    else log.append({ type: "requeued", at: now(), id });
  }

  /** With `overlap: replace`, the trigger's run ends for the next one. Other runs stay. */
  async #makeRoom({ root, trigger, terms }: Firing, { engine }: Served): Promise<void> {
    if (terms.overlap !== "replace") return;
    for (const other of this.state.firings.values()) {
      const isOwn = other.root === root && other.trigger === trigger && other.status === "begun";
      if (isOwn) await this.#cancel(other, engine);
    }
  }

  async #cancel(firing: Firing, engine: Engine): Promise<void> {
    if (this.#cancelled.has(firing.id)) return;
    this.#cancelled.add(firing.id);
    const last = (await storiesOf(engine, firing)).at(-1);
    if (last !== undefined) await engine.send(last.chronicle.run, { type: "cancel-requested", undo: true });
  }

  /** Sees whether the run is over or rests; if `isKept`, resumes one that was interrupted. */
  async #settle(firing: Firing, engine: Engine, isKept: boolean): Promise<void> {
    const { log, now, drive } = this.#keeping;
    const { id, root } = firing;
    const stories = await storiesOf(engine, firing);
    const last = stories.at(-1);
    const costUsd = usd(stories.reduce((sum, { run }) => sum + run.spent.costUsd, 0));
    const kind = last === undefined ? "gone" : this.#restsAs(last);
    if (last === undefined || kind !== null) {
      this.#idle.delete(id);
      return log.append({ type: "ended", at: now(), id, outcome: kind ?? "gone", costUsd });
    }
    if (!isKept) return;
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

/** These outcomes are for good. */
const mayGoOn = ({ status, note }: Firing): boolean =>
  status === "ended" && note !== "success" && note !== "cancelled" && note !== "gone";

const complain = (root: string, error: unknown): void => void process.stderr.write(`${root}: ${troubleText(error)}\n`);
