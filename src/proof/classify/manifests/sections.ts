// A manifest as sections with entries, so that its dependency tables can be taken from one side and the rest from the other.

export type Entry = {
  /** The full path of its key, including the section's. */
  readonly path: readonly string[];
  /** Whole lines: from the first character to after the last newline. */
  readonly start: number;
  readonly end: number;
  readonly value: string;
};
export type Section = {
  /** The top of a file, before any heading, has an empty path. */
  readonly path: readonly string[];
  readonly start: number;
  /** Where its first entry may begin: after the heading's line. */
  readonly body: number;
  readonly end: number;
  readonly entries: readonly Entry[];
};
/** Null: the text is not in its format, or too unusual to be sure. */
export type Scan = (text: string) => readonly Section[] | null;
export type IsDependency = (path: readonly string[]) => boolean;

export type SectionFormat = { readonly scan: Scan; readonly isDependency: IsDependency };

/** The judge's text with the product's dependency tables; unchanged where either text cannot be read. */
export function mixSections(format: SectionFormat, product: string, judge: string): string {
  const [theirs, ours] = [format.scan(product), format.scan(judge)];
  if (theirs === null || ours === null) return judge;
  if (same(dependencies(format, product, theirs), dependencies(format, judge, ours))) return judge;
  const mixed = assembled(format, { text: product, sections: theirs }, { text: judge, sections: ours });
  return holds(format, mixed, judge, ours) ? mixed : judge;
}

type Side = { readonly text: string; readonly sections: readonly Section[] };

function assembled({ isDependency }: SectionFormat, product: Side, judge: Side): string {
  const tables = product.sections.filter(({ path }) => isDependency(path)).map((section) => cut(product.text, section));
  let [out, placed] = ["", false];
  for (const section of judge.sections) {
    if (!isDependency(section.path))
      out += keptSection(section, judge.text, ownEntries(product, section.path, isDependency), isDependency);
    else if (!placed) {
      out += tables.join("");
      placed = true;
    }
  }
  const missing = product.sections.filter((section) => isNewHeading(section, judge, isDependency));
  const added = missing.map((section) => headed(section, product.text, isDependency));
  return lines(out) + [...(placed ? [] : tables), ...added].join("");
}

/** A section of the judge with the product's dependency entries in place of its own. */
function keptSection(section: Section, text: string, entries: string, isDependency: IsDependency): string {
  const own = section.entries.filter(({ path }) => isDependency(path));
  const at = own[0]?.start ?? section.body;
  let [out, from] = [text.slice(section.start, at), at];
  if (entries !== "") out = lines(out) + entries;
  for (const entry of own) {
    out += text.slice(from, entry.start);
    from = entry.end;
  }
  return out + text.slice(from, section.end);
}

function ownEntries(side: Side, path: readonly string[], isDependency: IsDependency): string {
  const sections = side.sections.filter((section) => same(section.path, path));
  const entries = sections.flatMap((section) => section.entries.filter((entry) => isDependency(entry.path)));
  return entries.map((entry) => cut(side.text, entry)).join("");
}

/** A heading such as [tool.uv] that only the product has. Nothing is added to one that the judge mentions. */
function isNewHeading(section: Section, judge: Side, isDependency: IsDependency): boolean {
  if (isDependency(section.path) || section.path.length < 2) return false;
  if (!section.entries.some(({ path }) => isDependency(path))) return false;
  const known = judge.sections.flatMap(({ path, entries }) => [path, ...entries.map((entry) => entry.path)]);
  const values = judge.sections.flatMap(({ entries }) => entries.map((entry) => entry.path));
  return (
    !known.some((path) => startsWith(path, section.path)) && !values.some((path) => startsWith(section.path, path))
  );
}

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((key, at) => path[at] === key);

function headed(section: Section, text: string, isDependency: IsDependency): string {
  const entries = section.entries.filter(({ path }) => isDependency(path)).map((entry) => cut(text, entry));
  return lines(text.slice(section.start, section.body)) + entries.join("");
}

/** Verifies the result: read back, everything but dependencies has to be the judge's, word for word. */
function holds(format: SectionFormat, mixed: string, judge: string, ours: readonly Section[]): boolean {
  const again = format.scan(mixed);
  return again !== null && same(rest(format, mixed, again), rest(format, judge, ours));
}

const dependencies = ({ isDependency }: SectionFormat, text: string, sections: readonly Section[]): readonly string[] =>
  said(text, sections, isDependency);

/** Headings that hold nothing but dependencies say nothing else, so they are not compared. */
const rest = ({ isDependency }: SectionFormat, text: string, sections: readonly Section[]): readonly string[] =>
  said(text, sections, (path) => !isDependency(path));

function said(text: string, sections: readonly Section[], wanted: IsDependency): readonly string[] {
  return sections.flatMap((section) =>
    section.entries
      .filter(({ path }) => wanted(path))
      .map((entry) => `${JSON.stringify(section.path)} ${JSON.stringify(entry.path)} ${cut(text, entry).trim()}`),
  );
}

const same = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((value, at) => value === right[at]);

const cut = (text: string, { start, end }: { readonly start: number; readonly end: number }): string =>
  lines(text.slice(start, end));

/** With a newline at the end, unless the text is empty. */
const lines = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
