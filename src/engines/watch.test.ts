// Which run a name means, and which one is meant without a name.
import { expect, test } from "vitest";
import { findRun, noSuchRun } from "./watch.ts";

/** Newest first. */
const runs = ["20260102-090000.000-bbbbbb", "20260101-100000.000-cccccc", "20260101-090000.000-bbbbbb", "20260101"];
const engine = { runs: async () => runs };

test.each([
  ["no name is the latest", undefined, runs[0]],
  ["a beginning", "20260102", runs[0]],
  ["an end", "cccccc", runs[1]],
  ["a whole name that others begin with", "20260101", "20260101"],
])("%s", async (_, named, run) => {
  expect(await findRun(engine, named)).toBe(run);
});

test.each([
  ["2026", `"2026" fits 4 runs: ${runs.join(", ")}.`],
  ["bbbbbb", `"bbbbbb" fits 2 runs: ${runs[0]}, ${runs[2]}.`],
])("%s means none of the runs that it fits, and they are listed", async (named, why) => {
  await expect(findRun(engine, named)).rejects.toMatchObject({ code: "which-run", exitCode: 64, why });
});

test("a name that no run has is repeated as it was given", async () => {
  await expect(findRun(engine, "nothing")).rejects.toMatchObject({ why: "No run here is called nothing." });
  expect(noSuchRun("20260101-1")).toMatchObject({ code: "no-such-run", why: "No run here is called 20260101-1." });
});
