// What happened to triggers, as a fold over recorded lines. A firing is recorded before anything is done about it.
import { z } from "zod";
import { autonomy, limits } from "../../formats/config/loop-schema.ts";

const at = z.number();
const place = { root: z.string(), trigger: z.string() };
/** What it came from, for people. Lines of earlier releases have none. */
const cause = z.string().default("");
const line = z.discriminatedUnion("type", [
  /** Up to where a schedule or branch was looked at, without a firing. */
  z.strictObject({ type: z.literal("marked"), at, ...place, mark: z.string() }),
  z.strictObject({
    type: z.literal("fired"),
    at,
    ...place,
    /** The firing's id, and the task of its runs. */
    id: z.string(),
    /** The run that it begins, once. */
    run: z.string(),
    mark: z.string().nullable(),
    /** By which the same occasion is known when it comes again, also after its trigger was renamed or its folder moved. */
    keys: z.array(z.string()).readonly(),
    cause,
    request: z.string().nullable(),
    terms: z.strictObject({ limits, autonomy, perDayUsd: z.number().nullable(), overlap: z.string() }),
  }),
  /** Nothing is begun for it, and a delivery can be sent again. */
  z.strictObject({
    type: z.literal("refused"),
    at,
    ...place,
    mark: z.string().nullable(),
    /** Of earlier releases. */
    keys: z.array(z.string()).readonly().optional(),
    cause,
    why: z.string(),
  }),
  /** A process is about to be asked to begin its run. From here on the run may exist, whatever becomes of that process. */
  z.strictObject({ type: z.literal("beginning"), at, id: z.string(), costUsdMax: z.number().nullable() }),
  /** It was certainly not begun, and waits again. */
  z.strictObject({ type: z.literal("requeued"), at, id: z.string() }),
  z.strictObject({ type: z.literal("begun"), at, id: z.string(), costUsdMax: z.number().nullable() }),
  z.strictObject({ type: z.literal("failed"), at, id: z.string(), why: z.string() }),
  z.strictObject({ type: z.literal("dropped"), at, id: z.string(), why: z.string() }),
  /** Its run is over or rests. */
  z.strictObject({ type: z.literal("ended"), at, id: z.string(), outcome: z.string(), costUsd: z.number() }),
  /** Its run rested, and goes on: somebody continued it. */
  z.strictObject({ type: z.literal("resumed"), at, id: z.string() }),
]);
export type Line = z.infer<typeof line>;
export type Fired = Extract<Line, { type: "fired" }>;

export type Firing = Pick<Fired, "id" | "root" | "trigger" | "run" | "cause" | "request" | "terms"> & {
  readonly firedAt: number;
  readonly status: "queued" | "beginning" | "begun" | "failed" | "dropped" | "ended";
  /** When a process was asked to begin its run, or had done so; null: its run was not begun. */
  readonly begunAt: number | null;
  /** The most that the run may cost as it was begun; null: not begun, or no cap. */
  readonly costUsdMax: number | null;
  readonly costUsd: number | null;
  /** Why it failed or was dropped, or how its run ended. */
  readonly note: string | null;
};

export type Refusal = Pick<Extract<Line, { type: "refused" }>, "at" | "root" | "trigger" | "cause" | "why">;

export type Fold = {
  readonly marks: ReadonlyMap<string, string>;
  readonly keys: ReadonlySet<string>;
  readonly firings: ReadonlyMap<string, Firing>;
  /** The latest. */
  readonly refusals: readonly Refusal[];
  /** How many deliveries were refused since a trigger has fired last. */
  readonly skipped: ReadonlyMap<string, number>;
};

export const parseLine = (json: unknown): Line => line.parse(json);
export const placeKey = (root: string, trigger: string): string => `${root}\n${trigger}`;

/** Whether its run is at work, or may be before long. */
export const isAtWork = ({ status }: Firing): boolean => status === "beginning" || status === "begun";
/** Whether it waits, or its run is at work. */
export const isActive = (firing: Firing): boolean => firing.status === "queued" || isAtWork(firing);

const refusalsKept = 100;

/** Changed in place by each line; readers see it read-only. */
export class Firings implements Fold {
  readonly marks = new Map<string, string>();
  readonly keys = new Set<string>();
  readonly firings = new Map<string, Firing>();
  readonly refusals: Refusal[] = [];
  readonly skipped = new Map<string, number>();

  apply(line: Line): void {
    if ("trigger" in line) {
      const { root, trigger, mark } = line;
      if (mark !== null) this.marks.set(placeKey(root, trigger), mark);
    }
    if (line.type === "fired") {
      for (const key of line.keys) this.keys.add(key);
      this.firings.set(line.id, queued(line));
      this.skipped.delete(placeKey(line.root, line.trigger));
    }
    if (line.type === "refused") {
      const place = placeKey(line.root, line.trigger);
      if (line.mark === null) this.skipped.set(place, (this.skipped.get(place) ?? 0) + 1);
      const { at: refusedAt, root, trigger, cause, why } = line;
      this.refusals.push({ at: refusedAt, root, trigger, cause, why });
      if (this.refusals.length > refusalsKept) this.refusals.shift();
    }
    if (!("id" in line) || line.type === "fired") return;
    const before = this.firings.get(line.id);
    if (before !== undefined) this.firings.set(line.id, after(before, line));
  }
}

const queued = ({ id, root, trigger, run, cause, request, terms, at: firedAt }: Fired): Firing => ({
  ...{ id, root, trigger, run, cause, request, terms, firedAt, status: "queued" },
  ...{ begunAt: null, costUsdMax: null, costUsd: null, note: null },
});

type News = Exclude<Extract<Line, { id: string }>, { type: "fired" }>;

/** From which states each line leads on. In others it changes nothing: one owner at a time moves a firing. */
const from: Readonly<Record<News["type"], readonly Firing["status"][]>> = {
  beginning: ["queued"],
  requeued: ["beginning"],
  begun: ["queued", "beginning"],
  failed: ["queued", "beginning"],
  dropped: ["queued", "beginning"],
  ended: ["begun"],
  resumed: ["ended"],
};

function after(firing: Firing, news: News): Firing {
  if (!from[news.type].includes(firing.status)) return firing;
  switch (news.type) {
    case "beginning":
    case "begun":
      return { ...firing, status: news.type, begunAt: news.at, costUsdMax: news.costUsdMax };
    case "requeued":
      return { ...unbegun(firing), status: "queued" };
    case "resumed":
      return { ...firing, status: "begun", note: null };
    case "ended":
      return { ...firing, status: "ended", note: news.outcome, costUsd: news.costUsd };
    case "failed":
    case "dropped":
      return { ...unbegun(firing), status: news.type, note: news.why };
  }
}

/** Its run was certainly not begun, so it keeps nothing of a budget. */
const unbegun = (firing: Firing): Firing => ({ ...firing, begunAt: null, costUsdMax: null });
