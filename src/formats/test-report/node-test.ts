// TAP, and the output of node --test: TAP, or the tree of marks for terminals.
import { countOf, type LineReader, Tally, type TestEnd } from "./counts.ts";

const summary = /^(?:#|ℹ) (tests|pass|fail|cancelled|skipped|todo) (\d{1,7})$/;
const point = /^( *)(not )?ok\b(?: +\d+)?(?: +- +| +)?([^#]*)(?:# *(skip|todo)\b.*)?$/i;
const mark = /^ *([✔✖﹣]) (.+?) \(\d[\d.]*m?s\)(?: # (SKIP|TODO).*)?$/;

const ends: Readonly<Record<string, TestEnd>> = {
  pass: "passed",
  fail: "failed",
  cancelled: "failed",
  skipped: "skipped",
  // A todo test may fail silently: it does not count as run.
  todo: "skipped",
};

export function nodeTestReader(): LineReader {
  const points = new Tally();
  const told = new Tally();
  let total: number | null = null;
  let reports = 0;
  let isTap = false;
  let repeats = false;
  return {
    line(text) {
      const sums = summary.exec(text);
      if (sums !== null) {
        const [, what = "", number] = sums;
        if (what === "tests") {
          total = (total ?? 0) + countOf(number);
          reports += 1;
        } else told.add(ends[what] ?? "failed", countOf(number));
        repeats = false;
        return;
      }
      if (text === "TAP version 13" || text === "TAP version 14" || /^1\.\.\d+/.test(text)) isTap = true;
      if (text === "✖ failing tests:") repeats = true;
      if (repeats) return;
      const found = point.exec(text);
      if (found !== null) {
        const [, indent = "", not, name = "", directive] = found;
        const how = directive !== undefined ? "skipped" : not === undefined ? "passed" : "failed";
        if (indent === "") points.add(how);
        told.name(name, how);
        return;
      }
      const shown = mark.exec(text);
      if (shown === null) return;
      const [, sign, name = "", directive] = shown;
      told.name(name, directive !== undefined || sign === "﹣" ? "skipped" : sign === "✔" ? "passed" : "failed");
    },
    end() {
      if (total !== null) return { ...told.counts(total), reports };
      if (!isTap) return null;
      const { names } = told.counts();
      return { ...points.counts(), names };
    },
  };
}
