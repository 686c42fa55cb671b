// Time as width. Long idle periods shrink to a visible break; active periods are to scale.

export type Stretch = { readonly from: number; readonly to: number };
/** A piece of the axis; `gap`: it is compressed and drawn as a break. */
export type Piece = Stretch & { readonly x: number; readonly width: number; readonly gap: boolean };
export type Scale = { readonly pieces: readonly Piece[]; readonly width: number };

const gapWidth = 44;
/** A shorter pause counts as part of the work, however short the work was. */
const gapMsMin = 60_000;
/** However many breaks there are, half of the picture shows activity. */
const gapsShareMax = 0.5;

/** `busy`: when something happened, in any order, overlaps allowed. Both ends of `whole` are in the picture. */
export function scaleOf(whole: Stretch, busy: readonly Stretch[], width: number): Scale {
  const gaps = gapsBetween(whole, merged(busy));
  const total = Math.max(1, whole.to - whole.from);
  const busyMs = Math.max(1, total - sum(gaps));
  // A gap becomes a break only if it would be wider than the break with all the others compressed.
  const wide = gaps.filter(
    ({ from, to }) => to - from >= gapMsMin && ((to - from) / busyMs) * width * gapsShareMax > gapWidth,
  );
  // With nothing but pauses, everything is to scale.
  const squeezed = sum(wide) >= total ? [] : wide;
  const each = squeezed.length === 0 ? 0 : Math.min(gapWidth, (width * gapsShareMax) / squeezed.length);
  const left = width - each * squeezed.length;
  const perMs = left / Math.max(1, total - sum(squeezed));
  let x = 0;
  const pieces = cut(whole, squeezed).map(({ from, to, gap }): Piece => {
    const piece = { from, to, gap, x, width: gap ? each : (to - from) * perMs };
    x += piece.width;
    return piece;
  });
  return { pieces, width };
}

export function xOf({ pieces, width }: Scale, at: number): number {
  const piece = pieces.find(({ to }) => at <= to) ?? pieces.at(-1);
  if (piece === undefined) return 0;
  const share = piece.to === piece.from ? 0 : (at - piece.from) / (piece.to - piece.from);
  return Math.min(width, Math.max(0, piece.x + Math.min(1, Math.max(0, share)) * piece.width));
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * 1000,
);

/** Times worth a label, measured from the beginning, none of them in a break and none too close to another. */
export function ticks(scale: Scale, apart: number): number[] {
  const shown = scale.pieces.filter(({ gap }) => !gap);
  const first = scale.pieces[0];
  const ms = sum(shown);
  const pixels = shown.reduce((all, piece) => all + piece.width, 0);
  if (first === undefined || ms === 0 || pixels === 0) return [];
  const step = steps.find((each) => (each / ms) * pixels >= apart) ?? 86_400_000 * Math.ceil(ms / 86_400_000 / 6);
  const found: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const piece of shown) {
    const from = Math.ceil((piece.from - first.from) / step) * step + first.from;
    for (let at = from; at <= piece.to; at += step) {
      if (xOf(scale, at) - last < apart) continue;
      last = xOf(scale, at);
      found.push(at);
    }
  }
  return found;
}

/** A narrower break has no room for how long it took. */
const labelledWidthMin = 30;
export const middleOf = ({ x, width }: Piece): number => x + width / 2;

/** What is labelled: breaks, and times between them. No label is closer to another than `apart`. */
export function axisOf(
  scale: Scale,
  apart: number,
): { readonly gaps: ReadonlySet<Piece>; readonly ticks: readonly number[] } {
  const gaps: Piece[] = [];
  for (const piece of scale.pieces.filter(({ gap, width }) => gap && width >= labelledWidthMin)) {
    const last = gaps.at(-1);
    if (last === undefined || middleOf(piece) - middleOf(last) >= apart) gaps.push(piece);
  }
  const isFree = (at: number): boolean => gaps.every((gap) => Math.abs(xOf(scale, at) - middleOf(gap)) >= apart);
  return { gaps: new Set(gaps), ticks: ticks(scale, apart).filter(isFree) };
}

const sum = (stretches: readonly Stretch[]): number => stretches.reduce((all, { from, to }) => all + to - from, 0);

function merged(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const next of [...stretches].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && next.from <= last.to)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
    else result.push(next);
  }
  return result;
}

function gapsBetween(whole: Stretch, busy: readonly Stretch[]): Stretch[] {
  const gaps: Stretch[] = [];
  let at = whole.from;
  for (const { from, to } of busy) {
    if (from > at) gaps.push({ from: at, to: Math.min(from, whole.to) });
    at = Math.max(at, to);
  }
  return whole.to > at ? [...gaps, { from: at, to: whole.to }] : gaps;
}

function cut(whole: Stretch, gaps: readonly Stretch[]): (Stretch & { gap: boolean })[] {
  const pieces: (Stretch & { gap: boolean })[] = [];
  let at = whole.from;
  for (const gap of gaps) {
    if (gap.from > at) pieces.push({ from: at, to: gap.from, gap: false });
    pieces.push({ ...gap, gap: true });
    at = gap.to;
  }
  return whole.to > at || pieces.length === 0 ? [...pieces, { from: at, to: whole.to, gap: false }] : pieces;
}
