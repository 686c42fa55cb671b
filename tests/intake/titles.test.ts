// Ordinary requests start and vague ones do not, whatever the workspace says: counted on titles of real issues.
import * as fs from "node:fs";
import { describe, expect, test } from "vitest";
import { intake } from "../../src/intake/intake.ts";
import type { Known } from "../../src/intake/known.ts";
import { type Kind, measured, type Title, tuned } from "./titles.ts";

const check = { name: "test", run: "npm test", must: "stay-green", from: "package.json" } as const;
const workspaces: Readonly<Record<string, Known>> = {
  "nothing found": {},
  "tests found": { checks: [check] },
  "names found": { checks: [check], names: [{ name: "ui", from: "src/ui.ts" }] },
};
const sets = { tuned, measured };
const starts = ({ text }: Title, known: Known): boolean => intake(text, known).shape !== "intent-needed";

test("the lists are large enough, without duplicates, and of every kind", () => {
  const all = [...tuned, ...measured];
  expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
  for (const list of Object.values(sets)) {
    expect(list.filter(({ expected }) => expected === "clear").length).toBeGreaterThanOrEqual(30);
    expect(list.filter(({ expected }) => expected === "vague").length).toBeGreaterThanOrEqual(20);
    const kinds = new Set<Kind>(list.map(({ kind }) => kind));
    expect(kinds.size).toBe(8);
  }
});

describe.each(["tuned", "measured"] as const)("of the %s titles", (set) => {
  describe.each(Object.entries(workspaces))("with %s", (_title, known) => {
    test("at least 90 % of the clear ones start", () => {
      const list = sets[set].filter(({ expected }) => expected === "clear");
      const started = list.filter((title) => starts(title, known));
      expect(started.length / list.length).toBeGreaterThanOrEqual(0.9);
    });

    test("every vague one is stopped", () => {
      const list = sets[set].filter(({ expected }) => expected === "vague");
      expect(list.filter((title) => starts(title, known)).map(({ text }) => text)).toEqual([]);
    });
  });
});

/** The page's table must match this test. UPDATE_INTAKE=1 writes it. */
test("docs/INTAKE.md states the current figures", () => {
  const row = (title: string, expected: Title["expected"], isRight: (started: boolean) => boolean): string =>
    `| ${title} | ${[tuned, measured]
      .map((set) => {
        const list = set.filter((each) => each.expected === expected);
        return `${list.filter((each) => isRight(starts(each, {}))).length} of ${list.length}`;
      })
      .join(" | ")} |`;
  const table = [
    "<!-- titles -->",
    "| titles | tuned on | measured only |",
    "| --- | --- | --- |",
    row("clear, and started", "clear", (started) => started),
    row("vague, and stopped", "vague", (started) => !started),
    "<!-- /titles -->",
  ].join("\n");
  const page = new URL("../../docs/INTAKE.md", import.meta.url);
  const text = fs.readFileSync(page, "utf8");
  const now = /<!-- titles -->[\s\S]*<!-- \/titles -->/.exec(text)?.[0];
  if (process.env["UPDATE_INTAKE"] === "1" && now !== undefined)
    fs.writeFileSync(
      page,
      text.replace(now, () => table),
    );
  else expect(now, "UPDATE_INTAKE=1 npx vitest run tests/intake writes it").toBe(table);
});
