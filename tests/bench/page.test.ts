// The benchmark page is drawn from the recorded results and nothing else.
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { barChart, lineChart } from "../../bench/chart.mjs";
import { type Measured, pageOf } from "../../bench/page.mjs";
import { merged, readResults, row } from "../../bench/results.mjs";
import { sections } from "../../bench/sections.mjs";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const drawn = pageOf(readResults(), sections);

describe("docs/", () => {
  test.each(Object.keys(drawn))("%s is exactly what the results render to", (path) => {
    expect(fs.readFileSync(join(docs, path), "utf8")).toBe(drawn[path]);
  });

  test("holds no picture that the page does not show", () => {
    const shown = Array.from(drawn["BENCHMARKS.md"]?.matchAll(/\(bench\/([^)]+)\)/g) ?? [], ([, name]) => name);
    expect(fs.readdirSync(join(docs, "bench")).sort()).toEqual(shown.sort());
  });

  test("names neither a host nor a folder of the machine", () => {
    expect(JSON.stringify(readResults())).not.toMatch(/"\/|\/tmp|hostname/);
  });
});

const machine = { cpu: "A processor", cores: 2, memoryGb: 8, kernel: "Linux 6", node: "v20", git: "2.39", syncMs: 1 };
const measured = (at: string, ours: number, on = machine): Measured => ({
  at,
  machine: on,
  rows: [row("x", "ms", ours, 2)],
});
const two = [
  { id: "one", title: "One", why: "Why one." },
  { id: "two", title: "Two", why: "Why two." },
];

describe("a section measured alone", () => {
  const before = {
    version: 1,
    sections: { one: measured("2026-01-01T00:00:00Z", 3), two: measured("2026-01-01T00:00:00Z", 5) },
  };

  test("replaces its own figures and leaves the others, each with its date", () => {
    const page = pageOf(merged(before, { two: measured("2026-02-02T00:00:00Z", 7) }), two)["BENCHMARKS.md"] ?? "";
    const [first, second] = page.split("## Two");
    expect(first).toContain("| x | 3 ms | 2 ms | 1.50× |");
    expect(first).toContain("Measured on 2026-01-01");
    expect(second).toContain("| x | 7 ms | 2 ms | 3.50× |");
    expect(second).toContain("Measured on 2026-02-02");
  });

  test.each([
    { load: 1.2, busy: false },
    { load: 14.6, busy: true },
  ])("on 2 cores with a load of $load is reported as measured on a busy machine: $busy", ({ load, busy }) => {
    const one = { ...measured("2026-01-01T00:00:00Z", 3), load };
    const page = pageOf({ version: 1, sections: { one } }, two)["BENCHMARKS.md"] ?? "";
    expect(page.includes("busy with other work (load 15)")).toBe(busy);
  });

  test("says when it was measured on another machine", () => {
    const elsewhere = measured("2025-01-01T00:00:00Z", 7, { ...machine, cores: 64 });
    const page = pageOf(merged(before, { two: elsewhere }), two)["BENCHMARKS.md"] ?? "";
    expect(page.split("## Two")[1]).toContain("64 cores");
    expect(page.split("## Two")[0]).not.toContain("64 cores");
  });

  test("that was never measured is listed with the command to measure it", () => {
    const page = pageOf({ version: 1, sections: { one: measured("2026-01-01T00:00:00Z", 3) } }, two)["BENCHMARKS.md"];
    expect(page).toContain("Not measured yet: `npm run bench -- --only two --write`.");
  });
});

describe("a picture", () => {
  const value = fc.double({ min: 1e-3, max: 1e9, noNaN: true });
  const points = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 20 });
  const name = fc.string({ maxLength: 30 });
  const sound = (svg: string): void => {
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    const drawn = [...svg.matchAll(/(?:cx|x1|x2|width|x)="(-?[\d.]+)"/g)].map(([, at]) => Number(at));
    expect(Math.max(...drawn)).toBeLessThanOrEqual(720);
  };

  test("with any lines and axes contains every point", () => {
    const axes = fc.record({ label: fc.constant("unit"), log: fc.boolean() });
    fc.assert(
      fc.property(name, axes, axes, fc.array(points, { minLength: 1, maxLength: 4 }), (title, x, y, all) => {
        const lines = all.map((each) => ({ name: "n", points: each }));
        const svg = lineChart({ title, x, y, lines });
        sound(svg);
        const heights = [...svg.matchAll(/cy="(-?[\d.]+)"/g)].map(([, at]) => Number(at));
        expect(Math.min(...heights)).toBeGreaterThanOrEqual(59);
        expect(Math.max(...heights)).toBeLessThanOrEqual(269);
      }),
    );
  });

  test("with any bars contains every bar", () => {
    const bars = fc.array(fc.record({ name: fc.constantFrom("a", "b"), value }), { minLength: 1, maxLength: 4 });
    const groups = fc.array(fc.record({ name, bars }), { minLength: 1, maxLength: 4 });
    fc.assert(fc.property(name, groups, (title, all) => sound(barChart({ title, unit: "ms", groups: all }))));
  });

  test("escapes text from elsewhere", () => {
    expect(barChart({ title: "<script>&", unit: "ms", groups: [] })).toContain("&lt;script&gt;&amp;");
  });
});
