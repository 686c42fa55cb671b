// Checks that a program brings: what they answer, and what they may not do to a run.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDoor } from "../../host/confine/none.ts";
import type { Check, CheckOrder, CheckRunner } from "../check.ts";
import { libraryChecks } from "./library-check.ts";

let folder = "";
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "loop-library-check-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const others: CheckRunner = {
  run: async ({ name }) => ({
    name,
    how: "passed",
    exitCode: 0,
    ms: 0,
    tail: "the command",
    signature: "",
    leftBehind: 0,
  }),
};
const never = new AbortController().signal;
const order = (more: Partial<CheckOrder> = {}): CheckOrder => ({
  name: "mine",
  command: "",
  cwd: folder,
  timeoutMs: 60_000,
  outputFile: join(folder, "output", "mine.txt"),
  env: { CI: "true" },
  door: openDoor,
  library: "mine",
  ...more,
});
const run = (check: Check, more: Partial<CheckOrder> = {}, signal = never) =>
  libraryChecks(others, { mine: check }).run(order(more), signal);

test("a registered check sees the checkout, and its output is kept", async () => {
  fs.writeFileSync(join(folder, "a.txt"), "x");
  const seen: unknown[] = [];
  const result = await run({
    run: (request) => {
      seen.push(request, fs.readdirSync(request.dir));
      return { passed: false, output: "a.txt is wrong\n" };
    },
  });
  expect(seen).toEqual([{ name: "mine", dir: folder, env: { CI: "true" }, timeoutMs: 60_000 }, ["a.txt"]]);
  expect(result).toMatchObject({ how: "failed", tail: expect.stringContaining("a.txt is wrong"), exitCode: null });
  expect(result.signature).not.toBe("");
  expect(fs.readFileSync(join(folder, "output", "mine.txt"), "utf8")).toBe("a.txt is wrong\n");
});

test.each<[string, Check["run"], string]>([
  ["passes", async () => ({ passed: true, output: "" }), "passed"],
  ["answers nothing that counts", () => ({ passed: "yes" }) as never, "failed"],
  [
    "throws",
    () => {
      throw new Error("no database");
    },
    "failed",
  ],
  ["rejects", () => Promise.reject(new Error("no database")), "failed"],
  ["answers with nothing", () => undefined as never, "failed"],
])("a check that %s is a result", async (_, answer, how) => {
  expect(await run({ run: answer })).toMatchObject({ how, name: "mine" });
});

test("a check that never answers ends with its time, or when the run is cut", async () => {
  const forever: Check = { run: () => new Promise(() => undefined) };
  expect(await run(forever, { timeoutMs: 1 })).toMatchObject({
    how: "timed-out",
    tail: expect.stringContaining("0.001 s"),
  });
  const cut = new AbortController();
  const running = run(forever, {}, cut.signal);
  cut.abort();
  expect(await running).toMatchObject({ how: "interrupted" });
});

test("commands pass unchanged, and an unknown name is an error that says what to do", async () => {
  const { library: _, ...command } = order();
  expect(await libraryChecks(others, {}).run(command, never)).toMatchObject({ tail: "the command" });
  await expect(async () => libraryChecks(others, {}).run(order(), never)).rejects.toMatchObject({
    code: "check-not-registered",
    next: expect.stringContaining("openProject"),
  });
});
