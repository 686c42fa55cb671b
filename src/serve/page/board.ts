// A page with its viewers: it is looked at once for all of them, and each is sent the parts that have changed for it.
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Parts } from "../../report/page/pages.ts";
import type { May, Tail } from "../../report/page/view.ts";
import { version } from "../../version.ts";
import { beating, drained, message, retry, untilLeft } from "../sse.ts";

export type Drawn = Parts & { readonly seq: number; readonly tail: Tail | null };

export type Source = {
  /** True: it has to be drawn again. */
  look(): Promise<boolean>;
  draw(may: May): Drawn;
  readonly everyMs: number;
};

/** Several viewers that come at once see the same look. */
const freshMs = 200;

type Viewer = {
  readonly may: May;
  readonly response: ServerResponse;
  readonly sent: Map<string, string>;
  tail: { readonly session: string; readonly n: number } | null;
  isSlow: boolean;
};

type Around = {
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
  /** How a look went while the page was open; null: it went well. */
  readonly met: (error: unknown) => void;
};

export class Board {
  readonly #source: Source;
  readonly #closing: AbortSignal;
  readonly #met: Around["met"];
  readonly #viewers = new Set<Viewer>();
  readonly #drawn = new Map<May, Drawn>();
  readonly #texts = new WeakMap<Drawn, Map<string, string>>();
  #looking: Promise<void> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isLooping = false;

  constructor(source: Source, { closing, met }: Around) {
    this.#source = source;
    this.#closing = closing;
    this.#met = met;
  }

  get isUsed(): boolean {
    return this.#viewers.size > 0 || this.#looking !== null;
  }

  async drawn(may: May): Promise<Drawn> {
    await this.#look();
    return this.#draw(may);
  }

  /** Until the viewer leaves, or the server closes. */
  async watch(may: May, response: ServerResponse): Promise<void> {
    const viewer: Viewer = { may, response, sent: new Map(), tail: null, isSlow: false };
    const left = untilLeft(response, this.#closing);
    const beat = beating(response);
    try {
      await this.#look();
      response.write(`${retry}${message("hello", { version })}`);
      this.#tell(viewer);
      this.#viewers.add(viewer);
      if (!this.#isLooping) void this.#loop();
      await left;
    } finally {
      clearInterval(beat);
      this.#viewers.delete(viewer);
      response.end();
    }
  }

  async #loop(): Promise<void> {
    this.#isLooping = true;
    while (this.#viewers.size > 0 && !this.#closing.aborted) {
      await pause(this.#source.everyMs, undefined, { signal: this.#closing }).catch(() => undefined);
      if (this.#viewers.size === 0) break;
      // A run that cannot be read for a moment is looked at again.
      await this.#look().then(() => this.#met(null), this.#met);
      for (const viewer of this.#viewers) this.#tell(viewer);
    }
    this.#isLooping = false;
  }

  async #look(): Promise<void> {
    if (performance.now() - this.#lookedAt < freshMs) return;
    this.#looking ??= this.#source
      .look()
      .then((isNew) => {
        if (isNew) this.#drawn.clear();
        this.#lookedAt = performance.now();
      })
      .finally(() => {
        this.#looking = null;
      });
    await this.#looking;
  }

  #draw(may: May): Drawn {
    const known = this.#drawn.get(may);
    if (known !== undefined) return known;
    const drawn = this.#source.draw(may);
    this.#drawn.set(may, drawn);
    return drawn;
  }

  /** A slow viewer gets what has changed since, once it has read the rest. */
  #tell(viewer: Viewer): void {
    if (viewer.isSlow) return;
    const drawn = this.#draw(viewer.may);
    const texts = [this.#partsText(viewer, drawn), tailText(viewer, drawn.tail)].join("");
    if (texts === "" || viewer.response.write(texts)) return;
    viewer.isSlow = true;
    void drained(viewer.response).then(() => {
      viewer.isSlow = false;
    });
  }

  /** The same for all who miss the same parts, so that it is made once for them. */
  #partsText({ sent }: Viewer, drawn: Drawn): string {
    const { title, parts, seq } = drawn;
    const changed = Object.entries(parts).filter(([name, source]) => sent.get(name) !== source);
    if (changed.length === 0 && sent.get("title") === title) return "";
    for (const [name, source] of [...changed, ["title", title] as const]) sent.set(name, source);
    const texts = this.#texts.get(drawn) ?? new Map<string, string>();
    this.#texts.set(drawn, texts);
    const key = changed.map(([name]) => name).join();
    const text = texts.get(key) ?? message("parts", { title, parts: Object.fromEntries(changed) }, seq);
    texts.set(key, text);
    return text;
  }
}

/** Only lines that the viewer does not have; the page counts them as well. */
function tailText(viewer: Viewer, tail: Tail | null): string {
  if (tail === null) return "";
  const { session, lines } = tail;
  const known = viewer.tail?.session === session ? viewer.tail.n : 0;
  const fresh = lines.filter(({ n }) => n > known);
  if (fresh.length === 0 && viewer.tail?.session === session) return "";
  viewer.tail = { session, n: lines.at(-1)?.n ?? 0 };
  return message("tail", { session, lines: fresh });
}
