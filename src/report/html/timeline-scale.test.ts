// Time as width: invariants for any run.
import fc from "fast-check";
import { expect, test } from "vitest";
import { axisOf, middleOf, scaleOf, ticks, xOf } from "./timeline-scale.ts";

const hour = 3_600_000;
const stretch = fc
  .tuple(fc.nat(20 * hour), fc.nat(hour))
  .map(([from, ms]) => ({ from: Math.min(from, 20 * hour - 1), to: Math.min(20 * hour, from + ms) }));

test("later is never further left, everything is in the picture, and half of the picture shows activity", () => {
  fc.assert(
    fc.property(
      fc.array(stretch, { maxLength: 300 }),
      fc.array(fc.nat(20 * hour), { maxLength: 20 }),
      (busy, times) => {
        const scale = scaleOf({ from: 0, to: 20 * hour }, busy, 900);
        const xs = [0, ...times.sort((a, b) => a - b), 20 * hour].map((at) => xOf(scale, at));
        expect(xs).toEqual([...xs].sort((a, b) => a - b));
        expect(xs.at(-1)).toBeCloseTo(900);
        expect(xs[0]).toBe(0);
        const squeezed = scale.pieces.filter(({ gap }) => gap).reduce((sum, { width }) => sum + width, 0);
        expect(squeezed).toBeLessThanOrEqual(450.001);
        const axis = axisOf(scale, 70);
        const labels = [...[...axis.gaps].map(middleOf), ...axis.ticks.map((at) => xOf(scale, at))].sort(
          (a, b) => a - b,
        );
        for (const [at, x] of labels.entries()) expect(x - (labels[at - 1] ?? -70)).toBeGreaterThanOrEqual(69.999);
        expect(ticks(scale, 70).length).toBeLessThanOrEqual(900 / 70 + 1);
      },
    ),
  );
});

test("ten hours of waiting between two minutes of work take less room than a minute of the work", () => {
  const busy = [
    { from: 0, to: 60_000 },
    { from: 10 * hour, to: 10 * hour + 60_000 },
  ];
  const scale = scaleOf({ from: 0, to: 10 * hour + 60_000 }, busy, 900);
  expect(scale.pieces.map(({ gap }) => gap)).toEqual([false, true, false]);
  expect(scale.pieces[1]?.width).toBeLessThan((scale.pieces[0]?.width ?? 0) / 5);
  expect(xOf(scale, 5 * hour)).toBeCloseTo(450, 0);
});

test("a hundred long pauses together take no more than half of the picture", () => {
  const busy = Array.from({ length: 100 }, (_, at) => ({ from: at * hour, to: at * hour + 1000 }));
  const { pieces } = scaleOf({ from: 0, to: 99 * hour + 1000 }, busy, 900);
  const wide = (gap: boolean) => pieces.filter((piece) => piece.gap === gap).reduce((sum, { width }) => sum + width, 0);
  expect(pieces.filter(({ gap }) => gap)).toHaveLength(99);
  expect([wide(true), wide(false)].map(Math.round)).toEqual([450, 450]);
});

test("a pause shorter than its break would be is drawn to scale", () => {
  const busy = [
    { from: 0, to: 600_000 },
    { from: 610_000, to: 1_200_000 },
  ];
  expect(scaleOf({ from: 0, to: 1_200_000 }, busy, 900).pieces).toHaveLength(1);
  expect(scaleOf({ from: 0, to: 60_000 }, [{ from: 0, to: 1000 }], 900).pieces).toHaveLength(1);
});

test.each([
  { what: "no time at all", whole: { from: 5, to: 5 } },
  { what: "a millisecond", whole: { from: 5, to: 6 } },
  { what: "a month", whole: { from: 0, to: 720 * hour } },
])("$what has a picture, with a few ticks at most", ({ whole }) => {
  const scale = scaleOf(whole, [whole], 900);
  expect(xOf(scale, whole.to)).toBeGreaterThanOrEqual(0);
  expect(ticks(scale, 70).length).toBeLessThanOrEqual(13);
});
