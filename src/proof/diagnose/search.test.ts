// The search for the smallest addition, over checks that need known things.
import { describe, expect, test } from "vitest";
import { type Addition, entryOf } from "./addition.ts";
import { type Guesses, minimal, search } from "./search.ts";

const file = (path: string): Addition => ({ is: "file", path });
const env = (name: string): Addition => ({ is: "env", name });
const build = (run: string): Addition => ({ is: "build", run });
const names = (additions: readonly Addition[]): string[] => additions.map(entryOf);

/** A check that is green with any one of the sets, and a record of the attempts. */
function check(...needs: readonly (readonly string[])[]) {
  const tried: string[][] = [];
  const attempt = async (additions: readonly Addition[]) => {
    tried.push(names(additions));
    const has = new Set(names(additions));
    return needs.some((need) => need.every((name) => has.has(name))) ? ("green" as const) : ("red" as const);
  };
  return { tried, attempt };
}

const none: Guesses = { known: [], builds: [], makers: [], everything: [] };
const twenty = Array.from({ length: 20 }, (_, at) => file(`file-${at}`));

describe("search", () => {
  test("tries everything, then the best guess, and stops there", async () => {
    const { attempt, tried } = check([".env"]);
    const guesses = { ...none, everything: [file(".env"), env("HOST")] };
    expect(await search(guesses, attempt)).toEqual({ is: "found", additions: [file(".env")], smallest: true });
    expect(tried).toEqual([[".env", "HOST"], [".env"]]);
  });

  test("tries first what helped another check", async () => {
    const { attempt, tried } = check([".env"]);
    const guesses = { ...none, known: [file(".env")], everything: [file("x"), file(".env")] };
    expect(await search(guesses, attempt)).toMatchObject({ is: "found", additions: [file(".env")] });
    expect(tried).toHaveLength(1);
  });

  test("says red after one run where adding everything does not help and nothing can be built", async () => {
    const { attempt, tried } = check(["a fix"]);
    expect(await search({ ...none, everything: twenty }, attempt)).toEqual({ is: "red" });
    expect(tried).toHaveLength(1);
  });

  test("runs nothing where there is nothing to add", async () => {
    const { attempt, tried } = check(["a fix"]);
    expect(await search(none, attempt)).toEqual({ is: "red" });
    expect(tried).toEqual([]);
  });

  test("finds a build where the folder itself is red, because it was never built there", async () => {
    const { attempt } = check(["npm run generate"]);
    const builds = [build("npm run build"), build("npm run generate")];
    expect(await search({ ...none, builds, makers: builds, everything: [file(".env")] }, attempt)).toMatchObject({
      additions: [build("npm run generate")],
      smallest: true,
    });
  });

  test("finds a build and a file that are needed together", async () => {
    const { attempt } = check(["npm run build", ".env"]);
    const builds = [build("npm run build")];
    const found = await search({ ...none, builds, makers: builds, everything: [file("x"), file(".env")] }, attempt);
    expect(found).toMatchObject({ is: "found", additions: [build("npm run build"), file(".env")] });
  });

  test("prefers a command that makes a folder to a copy of the folder", async () => {
    const { attempt } = check(["generated/"], ["npm run generate"]);
    const guesses = { ...none, makers: [build("npm run generate")], everything: [file("generated/")] };
    expect(await search(guesses, attempt)).toMatchObject({
      additions: [build("npm run generate")],
    });
  });

  test("takes the folder where no command makes it", async () => {
    const { attempt } = check(["generated/"]);
    const guesses = { ...none, makers: [build("npm run build")], everything: [file("generated/"), env("HOST")] };
    expect(await search(guesses, attempt)).toMatchObject({ additions: [file("generated/")] });
  });

  test("finds a pair among 22, within 20 runs", async () => {
    const { attempt, tried } = check(["file-13", "HOST"]);
    const guesses = { ...none, everything: [...twenty, env("PORT"), env("HOST")] };
    expect(await search(guesses, attempt)).toEqual({
      is: "found",
      additions: [file("file-13"), env("HOST")],
      smallest: true,
    });
    expect(tried.length).toBeLessThanOrEqual(20);
  });

  test("tries nothing twice", async () => {
    const { attempt, tried } = check(["file-3", "file-17"]);
    await search({ ...none, everything: twenty }, attempt);
    const keys = tried.map((some) => [...some].sort().join());
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each([
    { runs: 0, result: { is: "undecided" } },
    { runs: 1, result: { is: "found", smallest: false } },
    { runs: 4, result: { is: "found", smallest: false } },
  ])("reports what it knows when the budget ends after $runs runs", async ({ runs, result }) => {
    const { attempt, tried } = check(["file-3", "file-17"]);
    const bounded = async (additions: readonly Addition[]) =>
      tried.length >= runs ? ("over" as const) : attempt(additions);
    const found = await search({ ...none, everything: twenty }, bounded);
    expect(found).toMatchObject(result);
    expect(tried).toHaveLength(runs);
    if (found.is === "found") expect(names(found.additions)).toEqual(expect.arrayContaining(["file-3", "file-17"]));
  });
});

describe("minimal", () => {
  const items = Array.from({ length: 32 }, (_, at) => at);

  test.each([{ need: [7] }, { need: [0, 31] }, { need: [3, 4, 20] }, { need: items }])(
    "of 32 items leaves $need.length, and none of them can be left out",
    async ({ need }) => {
      const holds = async (some: readonly number[]) => need.every((item) => some.includes(item));
      expect(await minimal(items, holds)).toEqual(need);
    },
  );

  test.each([
    { at: 0, runs: 2 },
    { at: 2, runs: 5 },
    { at: 21, runs: 11 },
  ])("finds item $at of 32 in $runs trials", async ({ at, runs }) => {
    let tried = 0;
    await minimal(items, async (some) => {
      tried += 1;
      return some.includes(at);
    });
    expect(tried).toBeLessThanOrEqual(runs);
  });

  test("returns a set that holds even where more items hurt", async () => {
    const holds = async (some: readonly number[]) => some.includes(5) && !(some.includes(9) && some.length < 20);
    const found = await minimal(items, holds);
    expect(await holds(found)).toBe(true);
  });
});
