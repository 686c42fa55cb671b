// The measurements, stored with the code: the page is drawn from them, and a section can be measured alone.
import * as fs from "node:fs";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("results.json", import.meta.url));

export const readResults = () =>
  fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, "utf8")) : { version: 1, sections: {} };

/** Returns what a later reader will find: the page is drawn from that. */
export function writeResults(results) {
  fs.writeFileSync(path, `${JSON.stringify(results, (_, value) => (isFraction(value) ? tidy(value) : value), 1)}\n`);
  return readResults();
}

const isFraction = (value) => typeof value === "number" && !Number.isInteger(value);

/** The sections of `fresh` replace their older versions; all others stay unchanged, with their own dates. */
export const merged = (results, fresh) => ({ ...results, sections: { ...results.sections, ...fresh } });

/** A row: what was measured, compared with what, in which unit. `beside` is null if there is no comparison. */
export const row = (what, unit, ours, beside = null) => ({ what, unit, ours: tidy(ours), beside: tidy(beside) });

/** Four digits are more than the precision of any of these measurements. */
const tidy = (value) => (value === null ? null : Number(value.toPrecision(4)));
