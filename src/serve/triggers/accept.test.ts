import { describe, expect, test } from "vitest";
import type { TriggerSettings } from "../../formats/config/settings.ts";
import { type Accepted, decide, deliveredMax, type Occasion, queueMax, queueMaxOfAll, skippedMax } from "./accept.ts";
import { Firings } from "./firing.ts";

const trigger = (more: Partial<TriggerSettings> = {}): TriggerSettings => ({
  name: "nightly",
  cron: null,
  git: { branch: "main" },
  webhook: null,
  request: null,
  overlap: "queue",
  limits: {},
  autonomy: null,
  perDayUsd: null,
  ...more,
});

class Book {
  readonly state = new Firings();
  #now = 1_000_000;

  lines = 0;

  fire(of: TriggerSettings, keys: readonly string[] = [], root = "/w", more: Partial<Occasion> = {}): Accepted {
    this.#now += 1000;
    const occasion = { mark: null, keys, cause: "main moved", values: {}, source: "git", ...more };
    const { accepted, lines } = decide(this.state, root, of, occasion, this.#now);
    for (const line of lines) this.state.apply(line);
    this.lines += lines.length;
    return accepted;
  }

  deliver(of: TriggerSettings, key: string): Accepted {
    return this.fire(of, [key], "/w", { isDelivered: true });
  }

  wait(ms: number): void {
    this.#now += ms;
  }

  begin(id: string): void {
    this.state.apply({ type: "begun", at: this.#now, id, costUsdMax: null });
  }

  end(id: string): void {
    this.state.apply({ type: "ended", at: this.#now, id, outcome: "success", costUsd: 1 });
  }

  get statuses(): string[] {
    return [...this.state.firings.values()].map(({ status }) => status);
  }
}

const idOf = (accepted: Accepted): string => (accepted.is === "queued" ? accepted.id : "");

describe("while its last run is at work", () => {
  test("skip refuses, and says so", () => {
    const book = new Book();
    const id = idOf(book.fire(trigger({ overlap: "skip" })));
    expect(book.fire(trigger({ overlap: "skip" })).is).toBe("refused");
    book.begin(id);
    expect(book.fire(trigger({ overlap: "skip" })).is).toBe("refused");
    expect(book.state.refusals).toHaveLength(2);
    book.end(id);
    expect(book.fire(trigger({ overlap: "skip" })).is).toBe("queued");
  });

  test("skip records only the first deliveries, and every time of a schedule", () => {
    const book = new Book();
    const id = idOf(book.deliver(trigger({ overlap: "skip" }), "first"));
    book.begin(id);
    const refused = Array.from({ length: 1000 }, (_, n) => book.deliver(trigger({ overlap: "skip" }), `d${n}`));
    expect(refused.map((accepted) => accepted.is === "refused" && accepted.isKept).indexOf(false)).toBe(skippedMax);
    expect(book.lines).toBe(1 + skippedMax);
    expect(book.fire(trigger({ overlap: "skip" }), [], "/w", { mark: "3 o'clock" })).toMatchObject({ isKept: true });
    // The next run has as many again; what was refused can be sent again, recorded or not.
    book.end(id);
    expect(book.deliver(trigger({ overlap: "skip" }), "d0").is).toBe("queued");
    expect(book.deliver(trigger({ overlap: "skip" }), "next")).toMatchObject({ is: "refused", isKept: true });
  });

  test("queue waits, up to a bound", () => {
    const book = new Book();
    const all = Array.from({ length: queueMax + 5 }, () => book.fire(trigger()).is);
    expect(all.filter((is) => is === "queued")).toHaveLength(queueMax);
    // A flood leaves no trace.
    expect(book.state.refusals).toEqual([]);
  });

  test("replace keeps the run that has begun for its keeper to cancel, and only the last that waits", () => {
    const book = new Book();
    book.begin(idOf(book.fire(trigger({ overlap: "replace" }))));
    book.fire(trigger({ overlap: "replace" }));
    book.fire(trigger({ overlap: "replace" }));
    expect(book.statuses).toEqual(["begun", "dropped", "queued"]);
  });
});

test("a sender whose deliveries replace or end each other fires so often in an hour, and no more", () => {
  const book = new Book();
  const sent = Array.from({ length: 1000 }, (_, n) => book.deliver(trigger({ overlap: "replace" }), `d${n}`));
  expect(sent.filter(({ is }) => is === "queued")).toHaveLength(deliveredMax);
  expect(sent.at(-1)).toMatchObject({ is: "refused", isKept: false });
  expect(book.lines).toBeLessThanOrEqual(2 * deliveredMax);
  // A person is not such a sender.
  expect(book.fire(trigger({ overlap: "replace" })).is).toBe("queued");
  book.wait(3_600_000);
  expect(book.deliver(trigger({ overlap: "replace" }), "later").is).toBe("queued");
});

test("all triggers together have a bound", () => {
  const book = new Book();
  const fired = Array.from({ length: queueMaxOfAll + 20 }, (_, index) => book.fire(trigger({ name: `t${index}` })).is);
  expect(fired.filter((is) => is === "queued")).toHaveLength(queueMaxOfAll);
});

test("the same key fires once, also after it has ended; a delivery that was refused can be sent again", () => {
  const book = new Book();
  const id = idOf(book.fire(trigger({ overlap: "skip" }), ["a", "b"]));
  expect(book.fire(trigger({ overlap: "skip" }), ["b", "c"]).is).toBe("known");
  expect(book.fire(trigger({ overlap: "skip" }), ["d"]).is).toBe("refused");
  book.begin(id);
  book.end(id);
  expect([book.fire(trigger(), ["a"]).is, book.fire(trigger(), ["d"]).is]).toEqual(["known", "queued"]);
  // Its trigger was renamed, or its folder was moved.
  expect([book.fire(trigger({ name: "other" }), ["a"]).is, book.fire(trigger(), ["a"], "/v").is]).toEqual([
    "known",
    "known",
  ]);
});

test("what the trigger is configured with stays in the sentence, and the same word of another does not", () => {
  const webhook = {
    from: "github",
    event: "workflow_run",
    repository: "octo/shop",
    branch: null,
    label: null,
    secretEnv: "S",
  } as const;
  const request = "Fix {{branch}} of {{repository}}.";
  const values = { branch: "remove-legacy", repository: "octo/shop" };
  const said = (of: TriggerSettings): string | null | undefined => {
    const fired = decide(new Firings(), "/w", of, { mark: null, keys: [], cause: "", values, source: "GitHub" }, 1)
      .lines[0];
    return fired?.type === "fired" ? fired.request?.split("\n")[0] : undefined;
  };
  expect(said(trigger({ git: null, webhook, request }))).toBe("Fix [quoted branch] of octo/shop.");
  const ofBranch = { ...webhook, branch: "remove-legacy" };
  expect(said(trigger({ git: null, webhook: ofBranch, request }))).toBe("Fix remove-legacy of octo/shop.");
  expect(said(trigger({ git: { branch: "remove-legacy" }, request }))).toBe(
    "Fix remove-legacy of [quoted repository].",
  );
});
