// Which facts differ between two builds, and whether that is intended.

/**
 * @param {import("./normal.mjs").Facts} old @param {import("./normal.mjs").Facts} now
 * @returns {{ fact: string, lines: string[] }[]} one for each fact that differs, with a diff to read
 */
export function differencesOf(old, now) {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.flatMap((fact) => {
    const [before, after] = [old[fact] ?? [], now[fact] ?? []];
    return before.join("\n") === after.join("\n") ? [] : [{ fact, lines: diff(before, after) }];
  });
}

/** @param {{ fact: string, lines?: string[] }[]} differences @param {readonly import("./intended.mjs").Intended[]} intended */
export function verdictOf(scenario, differences, intended) {
  if (differences.length === 0) return "same";
  return differences.every((each) => reasonsFor(scenario, each, intended) !== null) ? "intended" : "differs";
}

/** The rows that explain a difference, which is all of its lines; null: one is not explained. */
export function reasonsFor(scenario, { fact, lines = [] }, intended) {
  const rows = intended.filter((row) => row.fact === fact && (row.scenario ?? scenario) === scenario);
  const changed = lines.filter((line) => /^[-+] /.test(line));
  const explains = (row, line) => row.lines === undefined || row.lines.test(line.slice(2));
  if (rows.length === 0 || !changed.every((line) => rows.some((row) => explains(row, line)))) return null;
  return rows.filter((row) => changed.length === 0 || changed.some((line) => explains(row, line)));
}

/** Lines that only one side has, each with the common line before it. */
function diff(before, after) {
  const common = lengths(before, after);
  const lines = [];
  let shared = null;
  const only = (sign, line) => {
    if (shared !== null) lines.push(`  ${shared}`);
    shared = null;
    lines.push(`${sign} ${line}`);
  };
  let [at, to] = [0, 0];
  while (at < before.length || to < after.length) {
    if (at < before.length && to < after.length && before[at] === after[to]) {
      shared = before[at];
      at += 1;
      to += 1;
    } else if (to >= after.length || (at < before.length && common[at + 1][to] >= common[at][to + 1])) {
      only("-", before[at++]);
    } else only("+", after[to++]);
  }
  return lines;
}

/** The number of common lines in the rest of both sides, from each pair of positions on. */
function lengths(before, after) {
  const table = Array.from({ length: before.length + 1 }, () => new Array(after.length + 1).fill(0));
  for (let at = before.length - 1; at >= 0; at -= 1)
    for (let to = after.length - 1; to >= 0; to -= 1)
      table[at][to] =
        before[at] === after[to] ? table[at + 1][to + 1] + 1 : Math.max(table[at + 1][to], table[at][to + 1]);
  return table;
}
