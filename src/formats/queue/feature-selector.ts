// Which features a contract selects: an id, a range (`F001-F006`), every id with a prefix (`all F`), or `all`.

/** Dashes of every length, since people and editors use all of them. */
const range = /^([A-Za-z]{1,16})(\d{1,9})\s*(?:[-\u2010-\u2015\u2212]|\.\.\.?|\u2026|to)\s*([A-Za-z]{0,16})(\d{1,9})$/;
const all = /^all(?:\s+(?!features?$)([A-Za-z]{1,16}))?(?:-prefixed)?(?:\s+features?)?$/i;
const id = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

export const isSelector = (text: string): boolean => all.test(text) || id.test(text) || asRange(text) !== null;

/** Whether the selector matches this feature. A range is compared, not expanded, so that its size does not matter. */
export function selects(selector: string, feature: string): boolean {
  const everything = all.exec(selector);
  if (everything !== null) return everything[1] === undefined || hasPrefix(feature, everything[1]);
  if (selector.toLowerCase() === feature.toLowerCase()) return true;
  const between = asRange(selector);
  const number = between === null ? null : numberOf(feature, between.prefix);
  return between !== null && number !== null && between.from <= number && number <= between.to;
}

/** In scope: matched by `include` (or `include` is empty), and not by `exclude`. */
export function inScope(
  feature: string,
  scope: { include: readonly string[] | null; exclude: readonly string[] },
): boolean {
  if (scope.exclude.some((selector) => selects(selector, feature))) return false;
  return scope.include === null || scope.include.some((selector) => selects(selector, feature));
}

function asRange(selector: string): { prefix: string; from: number; to: number } | null {
  const [, prefix, from, prefixAgain, to] = range.exec(selector) ?? [];
  if (prefix === undefined || from === undefined || to === undefined) return null;
  if (prefixAgain !== undefined && prefixAgain !== "" && prefixAgain.toLowerCase() !== prefix.toLowerCase())
    return null;
  return { prefix, from: Number(from), to: Number(to) };
}

const hasPrefix = (feature: string, prefix: string): boolean => numberOf(feature, prefix) !== null;

function numberOf(feature: string, prefix: string): number | null {
  if (!feature.toLowerCase().startsWith(prefix.toLowerCase())) return null;
  const rest = feature.slice(prefix.length).replace(/^[-_]/, "");
  return /^\d{1,9}$/.test(rest) ? Number(rest) : null;
}
