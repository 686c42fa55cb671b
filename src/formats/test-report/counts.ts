// Totals of a test report: how many tests ran, how they ended and, if the runner says so, which ones.

export type TestEnd = "passed" | "failed" | "skipped";
export type Counts = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly total: number;
  /** Every test by name, if the runner names all of them and there are not too many; otherwise null. */
  readonly names: Readonly<Record<string, TestEnd>> | null;
  /** How often a runner printed its totals, if it does that once per start. */
  readonly reports?: number;
};

/** Reads a report line by line. Never throws, and keeps only totals and names. */
export type LineReader = {
  line(text: string): void;
  /** Null: the text contains no report of this kind. */
  end(): Counts | null;
};

const namesMax = 5000;
const nameLengthMax = 200;

/** Totals, and names unless there are too many. */
export class Tally {
  passed = 0;
  failed = 0;
  skipped = 0;
  readonly #names = new Map<string, TestEnd>();
  #tooMany = false;

  get named(): number {
    return this.#tooMany ? namesMax : this.#names.size;
  }

  add(how: TestEnd, times = 1): void {
    this[how] += times;
  }

  /** Two tests with one name are two tests. */
  name(given: string, how: TestEnd): void {
    if (this.#names.size >= namesMax) this.#tooMany = true;
    if (this.#tooMany) return;
    const name = given.trim().slice(0, nameLengthMax);
    let unique = name;
    for (let copy = 2; this.#names.has(unique) && copy < 100; copy += 1) unique = `${name} (${copy})`;
    this.#names.set(unique, how);
  }

  /** A test that is counted by its name. */
  test(name: string, how: TestEnd): void {
    this.add(how);
    this.name(name, how);
  }

  counts(total = this.passed + this.failed + this.skipped): Counts {
    const { passed, failed, skipped } = this;
    const names = this.#tooMany || this.#names.size === 0 ? null : Object.fromEntries(this.#names);
    return { passed, failed, skipped, total, names };
  }
}

/** Several runners in one output form one report. Names count only if every part has them. */
export function sum(parts: readonly Counts[]): Counts | null {
  const [first, ...others] = parts;
  if (first === undefined) return null;
  return others.reduce(
    (all, part) => ({
      passed: all.passed + part.passed,
      failed: all.failed + part.failed,
      skipped: all.skipped + part.skipped,
      total: all.total + part.total,
      names: all.names === null || part.names === null ? null : { ...part.names, ...all.names },
      ...together(all, part),
    }),
    first,
  );
}

const together = (one: Counts, other: Counts): Pick<Counts, "reports"> =>
  one.reports === undefined && other.reports === undefined
    ? {}
    : { reports: (one.reports ?? 0) + (other.reports ?? 0) };

export const countOf = (text: string | undefined): number => {
  const number = Number(text ?? 0);
  return Number.isSafeInteger(number) && number < 1e7 ? number : 0;
};
