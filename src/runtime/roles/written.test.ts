// Which documents of the project a session is told to read.
import { expect, test } from "vitest";
import { writtenAbout, writtenForPlan } from "./written.ts";

const disk = (files: Readonly<Record<string, string>>) => ({ read: (path: string) => files[path] ?? null });

test("those that exist and say something are named, in the records' folder and at the top", () => {
  const files = disk({ "docs/PLAN.md": "First the parser.\n", "ARCHITECTURE.md": "Layers.\n", "PLAN.md": " \n" });
  expect(writtenAbout(files, "docs")).toBe("Read first, where it bears on this work: docs/PLAN.md, ARCHITECTURE.md.");
});

test("a planner is also told what earlier runs did", () => {
  expect(writtenForPlan(disk({ "notes/PROGRESS.md": "Done: F001.\n" }), "notes")).toContain("notes/PROGRESS.md");
  expect(writtenAbout(disk({ "notes/PROGRESS.md": "Done: F001.\n" }), "notes")).toBeNull();
});

test("without any of them, nothing is said", () => {
  expect(writtenForPlan(disk({}), "docs")).toBeNull();
});
