// cargo test by name: its lines, under the headers that name the test program.
import { stripVTControlCharacters } from "node:util";
import { casesMax, nameOf, type TestCase } from "./cases.ts";
import type { TestEnd } from "./counts.ts";

const running = /^ +Running (?:unittests )?(\S+) \((?:[^()]*[/\\])?([^/\\()]+?)-[0-9a-f]{16}(?:\.exe)?\)$/;
const documentation = /^ +Doc-tests (\S+)$/;
const line =
  /^test (\S.{0,500}?)(?: - should panic| - compile(?: fail)?)? \.\.\. (ok|FAILED|ignored)(?:, .*)?(?: <[\d.]+s>)?$/;
const result =
  /^test result: (?:ok|FAILED)\. (\d{1,7}) passed; (\d{1,7}) failed; (\d{1,7}) ignored; (\d{1,7}) measured; \d+ filtered out/;
const ends: Readonly<Record<string, TestEnd>> = { ok: "passed", FAILED: "failed", ignored: "skipped" };
/** A doc test is named by its line, which moves with every change above it. */
const documentTest = /^(\S+) - (.*?) ?\(line (\d+)\)$/;

/** `whole`: all counted tests were named. A test's output can hide the line of another one. */
export type CargoCases = { readonly cases: readonly TestCase[]; readonly whole: boolean };

/** Null: cargo ran no tests. */
export function cargoCases(output: string): CargoCases | null {
  const cases: Found[] = [];
  let program: Program = { file: null, crate: "" };
  let counted: number | null = null;
  for (const raw of output.split("\n")) {
    const text = stripVTControlCharacters(raw).trimEnd();
    program = programIn(text) ?? program;
    const shown = line.exec(text);
    if (shown !== null && cases.length <= casesMax) cases.push(caseOf(shown[1] ?? "", shown[2] ?? "", program));
    const sums = result.exec(text);
    if (sums !== null) counted = (counted ?? 0) + sums.slice(1, 4).reduce((all, number) => all + Number(number), 0);
  }
  if (counted === null) return null;
  return { cases: inOrder(cases), whole: counted === cases.length && cases.length <= casesMax };
}

/** `crate`: packages of a workspace may share file names, and cargo prints paths relative to the package. */
type Program = { readonly file: string | null; readonly crate: string };
type Found = TestCase & { readonly line: number };

function programIn(text: string): Program | null {
  const header = running.exec(text);
  if (header !== null) return { file: header[1] ?? null, crate: header[2] ?? "" };
  const documents = documentation.exec(text);
  return documents === null ? null : { file: null, crate: documents[1] ?? "" };
}

function caseOf(title: string, end: string, program: Program): Found {
  const how = ends[end] ?? "failed";
  const documented = documentTest.exec(title);
  if (documented === null) return { file: program.file, name: nameOf([program.crate, title]), how, line: 0 };
  const [, file = "", item = "", at] = documented;
  return { file, name: nameOf([program.crate, item || "(document)"]), how, line: Number(at) };
}

/** Tests end in any order; two examples of one item are told apart by their position. */
const inOrder = (cases: readonly Found[]): readonly TestCase[] =>
  cases.toSorted((one, other) => one.line - other.line).map(({ file, name, how }) => ({ file, name, how }));
