// What was measured, kept beside the code: the page and its pictures are drawn from here, and a section can be measured alone.
import * as fs from "node:fs";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("results.json", import.meta.url));

export const readResults = () =>
  fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, "utf8")) : { version: 1, sections: {} };

/** Gives back what a later reader will find: the page is drawn from that. */
export function writeResults(results) {
  fs.writeFileSync(path, `${JSON.stringify(results, (_, value) => (isFraction(value) ? tidy(value) : value), 1)}\n`);
  return readResults();
}

const isFraction = (value) => typeof value === "number" && !Number.isInteger(value);

/** The sections of `fresh` in place of their older selves; all others stay as they are, with their own dates. */
export const merged = (results, fresh) => ({ ...results, sections: { ...results.sections, ...fresh } });

/** A row: what was measured, beside what, in which unit. `beside` is null where there is nothing to compare with. */
export const row = (what, unit, ours, beside = null) => ({ what, unit, ours: tidy(ours), beside: tidy(beside) });

/** Four digits are more than any of these measurements has. */
const tidy = (value) => (value === null ? null : Number(value.toPrecision(4)));
