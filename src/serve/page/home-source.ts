// All registered workspaces on one page: what waits, what runs, every run, and the triggers.
import { basename } from "node:path";
import { UserError } from "../../core/errors.ts";
import { everythingWaiting } from "../../engines/waiting.ts";
import { overview } from "../../report/overview.ts";
import { homeParts } from "../../report/page/pages.ts";
import type { HomeView, May, Place, RunRow, RunView, Waiting } from "../../report/page/view.ts";
import { offered } from "../offered.ts";
import { problemOf } from "../problem.ts";
import type { Served, Workspaces } from "../workspaces.ts";
import type { Drawn, Source } from "./board.ts";
import { RunSource } from "./run-source.ts";
import { type Diffs, waitingItem } from "./waiting-items.ts";

const everyMs = 1_500;
const runsMax = 100;
/** What is searched of a request. */
const requestMax = 1_000;

export type TriggerLook = () => Promise<Pick<HomeView, "triggers" | "silent" | "firings">>;
type Glance = Pick<HomeView, "waiting" | "open" | "runs" | "more"> & { readonly problem: string | null };

export const placeOf = ({ id, root }: Pick<Served, "id" | "root">): Place => ({ id, root, name: basename(root) });

export class HomeSource implements Source {
  readonly everyMs: number = everyMs;
  readonly #workspaces: Workspaces;
  readonly #triggers: TriggerLook;
  readonly #diffs: Diffs;
  /** Runs that are over do not change, once they have landed, unless work of theirs is taken back. */
  readonly #over = new Map<string, { readonly row: RunRow; readonly undone: string }>();
  readonly #open = new Map<string, RunSource>();
  readonly #waiting = new Map<string, { readonly print: string; readonly items: readonly Waiting[] }>();
  #view: HomeView | null = null;
  #print = "";

  constructor(workspaces: Workspaces, triggers: TriggerLook, diffs: Diffs) {
    this.#workspaces = workspaces;
    this.#triggers = triggers;
    this.#diffs = diffs;
  }

  async look(): Promise<boolean> {
    const all = this.#workspaces.all();
    const glances: Glance[] = [];
    for (const served of all) glances.push(await this.#glance(served));
    const view: HomeView = {
      offered: all.length === 0 ? await offered([]) : [],
      workspaces: all.map((served, at) => ({ ...placeOf(served), problem: glances[at]?.problem ?? null })),
      waiting: glances.flatMap(({ waiting }) => waiting),
      open: glances.flatMap(({ open }) => open),
      runs: glances.flatMap(({ runs }) => runs).sort((one, other) => (one.runId < other.runId ? 1 : -1)),
      more: glances.reduce((sum, { more }) => sum + more, 0),
      ...(await this.#triggers()),
    };
    const print = JSON.stringify({ ...view, waiting: view.waiting.map(printOf), open: view.open.map(livePrint) });
    const isNew = print !== this.#print;
    this.#print = print;
    this.#view = view;
    return isNew;
  }

  draw(may: May): Drawn {
    if (this.#view === null) throw new Error("drawn before it was looked at");
    return { ...homeParts(this.#view, may), seq: 0, tail: null };
  }

  /** A folder that is gone is still listed, with the reason. */
  async #glance(served: Served): Promise<Glance> {
    try {
      return await this.#glanceAt(served);
    } catch (error) {
      return { waiting: [], open: [], runs: [], more: 0, problem: problemOf(error) };
    }
  }

  async #glanceAt(served: Served): Promise<Glance> {
    const place = placeOf(served);
    const names = await served.engine.runs();
    const undone = JSON.stringify(await served.engine.undone());
    const views: RunView[] = [];
    const runs: RunRow[] = [];
    for (const runId of names.slice(0, runsMax)) {
      const { row, view } = await this.#rowOf(served, place, runId, undone);
      runs.push(row);
      if (view !== null) views.push(view);
    }
    const waiting = await this.#waitingIn(served, place, views, names[0]);
    const asking = new Set(waiting.map(({ runId }) => runId));
    const open = views.filter(({ run }) => isUnderWay(run) || (run.state !== "over" && !asking.has(run.run)));
    return { waiting, open, runs, more: Math.max(0, names.length - runsMax), problem: null };
  }

  async #rowOf(
    served: Served,
    place: Place,
    runId: string,
    undone: string,
  ): Promise<{ row: RunRow; view: RunView | null }> {
    const key = `${served.id} ${runId}`;
    const over = this.#over.get(key);
    if (over?.undone === undone) return { row: over.row, view: null };
    try {
      const source = this.#open.get(key) ?? new RunSource(served.engine, place, runId, this.#diffs);
      this.#open.set(key, source);
      await source.look();
      const view = source.view;
      if (view === null) throw new Error("looked at, and not seen");
      const { task, state, outcome, title, begunAt, done, total, spent } = view.run;
      const request = view.run.request.slice(0, requestMax);
      const row = { place, runId, task, request, state, outcome, title, begunAt, done, total, spent };
      if (state === "over" && !isToLand(view)) {
        this.#over.set(key, { row, undone });
        this.#open.delete(key);
      }
      return { row, view };
    } catch (error) {
      // The folder is missing: that is said once, and not for each run.
      if (error instanceof UserError && error.code === "no-workspace") throw error;
      return { row: { place, runId, unreadable: problemOf(error) }, view: null };
    }
  }

  /** Asked for again when a run that is not over has changed or landed, or another one is the latest. */
  async #waitingIn(
    served: Served,
    place: Place,
    views: readonly RunView[],
    latest: string | undefined,
  ): Promise<readonly Waiting[]> {
    if (latest === undefined) return [];
    const print = JSON.stringify([
      latest,
      ...views.map((view) => [view.run.run, view.run.state, view.seq, isToLand(view)]),
    ]);
    const known = this.#waiting.get(served.id);
    if (known?.print === print) return known.items;
    const found = await everythingWaiting(served.engine, undefined);
    const items: Waiting[] = [];
    for (const words of found) {
      const { runId } = words;
      const view = views.find((each) => each.run.run === runId);
      const shown = view?.run ?? overview((await served.engine.read(runId)).story, { isDriven: false });
      items.push(await waitingItem(place, words, shown, this.#diffs));
    }
    this.#waiting.set(served.id, { print, items });
    return items;
  }
}

/** What it has committed waits until it has landed. */
const isToLand = ({ run }: RunView): boolean => run.state === "over" && run.worktree?.isAhead === true;

/** It has its own card. What waits for a person is shown with the question; a run that is not over has one of the two. */
const isUnderWay = ({ state }: RunView["run"]): boolean => state === "running" || state === "paused";

const printOf = ({ runId, kind, about, gate, tree, what, diff }: Waiting) => [
  runId,
  kind,
  about,
  gate,
  tree,
  what,
  diff !== null,
];
const livePrint = ({ run, seq, live }: RunView) => [run.run, run.state, seq, live];
