// The lines on disk: appended and synced one by one. One process at a time writes them.
import * as fs from "node:fs";
import { UserError } from "../../core/errors.ts";
import { readIfExists, writeAtomic } from "../../host/disk.ts";
import { Firings, type Fold, isActive, type Line, parseLine } from "./firing.ts";

/** Firings that are over are forgotten after so long, and with them the deliveries that they came from. */
const keptMs = 60 * 24 * 3_600_000;
const linesMax = 50_000;

export class FiringLog {
  readonly #fd: number;
  readonly #state: Firings;
  /** Of all whole lines. */
  #size: number;

  constructor(path: string, now: number) {
    const lines = readLines(path);
    const kept = lines.length > linesMax ? recent(lines, now - keptMs) : lines;
    // A line that was cut off by a crash was never acted on.
    writeAtomic(path, kept.map((line) => `${JSON.stringify(line)}\n`).join(""));
    this.#state = stateOf(kept);
    this.#fd = fs.openSync(path, "a", 0o600);
    this.#size = fs.fstatSync(this.#fd).size;
  }

  get state(): Fold {
    return this.#state;
  }

  /** On disk when this returns. A full disk can take a part of a line: that goes before the next one is written. */
  append(line: Line): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    fs.ftruncateSync(this.#fd, this.#size);
    for (let at = 0; at < bytes.length; ) at += fs.writeSync(this.#fd, bytes, at);
    fs.fdatasyncSync(this.#fd);
    this.#size += bytes.length;
    this.#state.apply(line);
  }

  close(): void {
    fs.closeSync(this.#fd);
  }
}

function stateOf(lines: readonly Line[]): Firings {
  const state = new Firings();
  for (const line of lines) state.apply(line);
  return state;
}

/** Without writing: the server may have it open. */
export const readFirings = (path: string): Fold => stateOf(readLines(path));

function readLines(path: string): readonly Line[] {
  const texts = (readIfExists(path) ?? "").split("\n").slice(0, -1);
  return texts.map((text, index) => {
    try {
      return parseLine(JSON.parse(text));
    } catch (cause) {
      const why = `Line ${index + 1} of ${path} is not as it was written.`;
      const next = `Move ${path} away. Firings that it holds are then forgotten.`;
      throw new UserError("bad-firings", { what: "The record of firings cannot be read.", why, next }, { cause });
    }
  });
}

/** Without firings that were over long ago, and with the last mark of each trigger. */
function recent(lines: readonly Line[], since: number): readonly Line[] {
  const { firings, marks } = stateOf(lines);
  const isOver = (id: string): boolean => {
    const firing = firings.get(id);
    return firing === undefined || !isActive(firing);
  };
  const old = new Set(
    lines.flatMap((line) => (line.type === "fired" && line.at < since && isOver(line.id) ? [line.id] : [])),
  );
  const kept = lines.filter((line) => ("id" in line ? !old.has(line.id) : line.at >= since));
  const marked = [...marks].map(([place, mark]): Line => {
    const [root = "", trigger = ""] = place.split("\n");
    return { type: "marked", at: since, root, trigger, mark };
  });
  return [...marked, ...kept];
}
