// Forbidden actions that were refused: the run pauses and keeps its next step, or only notes it.
import { describe, expect, test } from "vitest";
import {
  at,
  cause,
  collected,
  committed,
  done,
  failed,
  goOn,
  judging,
  pause,
  proved,
  replied,
  send,
  verdict,
} from "../testing/world/by-hand.ts";
import type { ResultEvent } from "./event.ts";
import type { Run } from "./run.ts";

const refused = [{ command: "git push --force", why: "Pushing is left to the person who runs the loop." }];
const trying = (event: ResultEvent): ResultEvent => ({ ...event, refused }) as ResultEvent;
const noting = {
  scope: { mayTouch: [], mustNot: [], mayChange: [], include: null, exclude: [], onDestructive: "note" },
} as const;
const reason = ({ now }: Run) =>
  now.is === "resting" && now.outcome.kind === "breaker" ? now.outcome.breaker : now.is;

describe("a maker that attempted a forbidden action", () => {
  const collecting = send(at("paid"), trying(replied("s1", done)));

  test("has its work collected first, and then the run rests and shows the action", () => {
    expect(collecting.now.is).toBe("collecting");
    const rested = send(collecting, collected());
    expect(rested.now).toMatchObject({ is: "resting", outcome: { kind: "breaker", breaker: "destructive-action" } });
    expect(JSON.stringify(rested.now)).toContain("git push --force");
    expect(JSON.stringify(rested.now)).toContain("Pushing is left");
  });

  test("out of habit, on its own work, is only recorded", () => {
    const habit = { ...replied("s1", done), refused: [{ command: "git reset --hard", why: "w", mild: true }] };
    expect(send(at("paid"), habit as ResultEvent, collected()).now.is).toBe("proving");
  });

  test("does not have to repeat its work: resuming proves it", () => {
    expect(send(collecting, collected(), goOn()).now).toMatchObject({ is: "proving" });
  });

  test.each([
    { how: "failed", event: trying(failed("s1", "crashed")), next: "between" },
    { how: "lost its server", event: trying(failed("s1", "transient")), next: "waiting" },
    {
      how: "was blocked",
      event: trying(replied("s1", { kind: "made", status: "blocked", summary: "x" })),
      next: "undoing",
    },
  ])("and $how still pauses the run, which then resumes as usual", ({ event, next }) => {
    const rested = send(at("paid"), event, collected());
    expect(reason(rested)).toBe("destructive-action");
    expect(send(rested, goOn()).now.is).toBe(next);
  });

  test("keeps the first reason when the run already rests", () => {
    const run = send(at("paid"), trying(failed("s1", "billing")), collected());
    expect(run.now).toMatchObject({ is: "resting", outcome: { kind: "needs-person" } });
  });

  test("and is paused in the meantime rests once", () => {
    const run = send(at("paid"), pause, trying(replied("s1", done)), goOn(), collected());
    expect(reason(run)).toBe("destructive-action");
  });

  test("is only noted if the contract says so", () => {
    const run = send(at("paid", noting), trying(replied("s1", done)), collected());
    expect(run.now.is).toBe("proving");
  });
});

describe("a verifier that attempted a forbidden action", () => {
  test("pauses the run, and its verdict stands", () => {
    const rested = send(judging(), trying(replied("s2", verdict(true))));
    expect(reason(rested)).toBe("destructive-action");
    expect(send(rested, goOn()).now.is).toBe("committing");
    expect(send(rested, goOn(), committed).spent.commits).toBe(1);
  });

  test("and rejected the work pauses the run before the rework", () => {
    const rested = send(judging(), trying(replied("s2", verdict(false))));
    expect(reason(rested)).toBe("destructive-action");
    expect(send(rested, goOn()).now.is).toBe("between");
  });
});

test("a session without forbidden actions changes nothing, with or without the field", () => {
  const without = send(at("paid"), replied("s1", done), collected(), proved(cause("check-red")));
  const empty = send(
    at("paid"),
    { ...replied("s1", done), refused: [] } as never,
    collected(),
    proved(cause("check-red")),
  );
  expect(empty).toEqual(without);
});
