// The text of FEATURES.json as statuses change: a change has constant cost, however long the queue and its history are.
import { Bug } from "../../core/errors.ts";
import type { FeatureId } from "../../core/ids.ts";
import { type FeatureFile, type FeatureStatus, featureStatuses } from "./features-json.ts";
import { type Edit, statusEdit } from "./features-render.ts";

/** One letter per status, so that ten thousand features take ten kilobytes. Never reuse a letter for another status. */
const letters: Readonly<Record<FeatureStatus, string>> = {
  "not-started": "n",
  "in-progress": "i",
  "needs-rework": "w",
  complete: "c",
  blocked: "b",
  existing: "e",
};
const byLetter: ReadonlyMap<string, FeatureStatus> = new Map(
  featureStatuses.map((status) => [letters[status], status]),
);

/** The statuses of a line of letters; null: invalid for that number of features. */
export function readStatusLine(line: string, count: number): FeatureStatus[] | null {
  if (line.length !== count) return null;
  const statuses: FeatureStatus[] = [];
  for (const letter of line) {
    const status = byLetter.get(letter);
    if (status === undefined) return null;
    statuses.push(status);
  }
  return statuses;
}

/** Gives the same text as `renderStatuses`, byte for byte. */
export class QueueText {
  readonly file: FeatureFile;
  #text: string;
  readonly #statuses: FeatureStatus[];
  /** How much longer each feature's status is than in the file, which gives the offsets of the following ones. */
  readonly #longer: Int32Array;

  constructor(file: FeatureFile, statusAt: (at: number) => FeatureStatus | undefined) {
    this.file = file;
    this.#longer = new Int32Array(file.features.length);
    this.#statuses = file.features.map((feature, at) => statusAt(at) ?? feature.status);
    const parts: string[] = [];
    let from = 0;
    for (let at = 0; at < this.#statuses.length; at++) {
      const edit = this.#editAt(at, this.#statusAt(at));
      if (edit === null) continue;
      parts.push(file.raw.slice(from, edit.start), edit.text);
      from = edit.end;
      this.#longer[at] = lengthened(edit);
    }
    this.#text = from === 0 ? file.raw : `${parts.join("")}${file.raw.slice(from)}`;
  }

  get text(): string {
    return this.#text;
  }

  get statusLine(): string {
    return this.#statuses.map((status) => letters[status]).join("");
  }

  set(at: number, status: FeatureStatus): void {
    this.#text = this.textWith(at, status);
    const edit = this.#editAt(at, status);
    this.#longer[at] = edit === null ? 0 : lengthened(edit);
    this.#statuses[at] = status;
  }

  /** The text with one status changed. */
  textWith(at: number, status: FeatureStatus): string {
    const [was, will] = [this.#editAt(at, this.#statusAt(at)), this.#editAt(at, status)];
    const place = was ?? will;
    if (place === null || this.#statusAt(at) === status) return this.#text;
    const longer = this.#longer;
    let start = place.start;
    for (let before = 0; before < at; before++) start += longer[before] ?? 0;
    const { raw } = this.file;
    const end = start + (was === null ? place.end - place.start : was.text.length);
    return this.#text.slice(0, start) + (will?.text ?? raw.slice(place.start, place.end)) + this.#text.slice(end);
  }

  #statusAt(at: number): FeatureStatus {
    const status = this.#statuses[at];
    if (status === undefined) throw new Bug(`no feature ${at} in the queue`);
    return status;
  }

  /** Null: the file already has it. */
  #editAt(at: number, status: FeatureStatus): Edit | null {
    return status === this.file.features[at]?.status ? null : statusEdit(this.file, at, status);
  }
}

const lengthened = ({ start, end, text }: Edit): number => text.length - (end - start);

const places = new WeakMap<FeatureFile, ReadonlyMap<FeatureId, number>>();

/** A feature's index in its file's list. */
export function placeOf(file: FeatureFile, id: FeatureId): number | undefined {
  let known = places.get(file);
  if (known === undefined) {
    known = new Map(file.features.map((feature, at) => [feature.id, at]));
    places.set(file, known);
  }
  return known.get(id);
}
