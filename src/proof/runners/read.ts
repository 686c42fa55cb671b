// Reads the reports of a check's runners. Whatever the folder holds, reading is bounded and never throws.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  cargoCases,
  casesMax,
  nameOf,
  readCases,
  reportLengthMax,
  wholeFile,
} from "../../formats/test-report/index.ts";
import { withFile } from "../../host/disk.ts";
import type { Names, RunnerKind, RunnerUse, TestResult } from "./runner.ts";

export type ReadOrder = {
  /** The room's folder for reports, as the loop sees it, and the mark of the asking. */
  readonly folder: string;
  readonly mark: string;
  readonly uses: readonly RunnerUse[];
  /** Where the tree was, as the process saw it: file names become relative to it. */
  readonly cwd: string;
  /** All output of the check: cargo and TAP have no other report. */
  readonly output: string;
  /** The texts of the files that `checks[].report` names; null: it names none. */
  readonly declared: readonly string[] | null;
};

/** Null: the check has no runner that could be asked, and wrote no report. */
export function readNames(order: ReadOrder): Names | null {
  const asked = written(order.folder, order.mark);
  if (asked.length > 0) return placed(together(asked, order.uses), order.cwd);
  const declared = order.declared === null ? null : declaredNames(order.declared);
  if (declared?.complete === true) return placed(declared, order.cwd);
  const printed = printedNames(order);
  if (printed !== null) return placed(printed, order.cwd);
  if (declared !== null) return declared;
  return order.uses.length === 0 ? null : without(missing(order.uses.map(({ kind }) => kind)));
}

const without = (problem: string): Names => ({ tests: [], complete: false, problem });

const missing = (kinds: readonly RunnerKind[]): string =>
  `${[...new Set(kinds)].join(" and ")} wrote no report, so only the exit code of the check counts.`;

/** The report of one process. */
type Report = { readonly runner: string; readonly tests: readonly TestResult[]; readonly problem: string | null };

const reportsMax = 2000;

function written(folder: string, mark: string): readonly Report[] {
  const names = namesIn(folder).filter((name) => name.startsWith(`${mark}-`) && name.endsWith(".jsonl"));
  if (names.length > reportsMax) return [{ runner: "the check", tests: [], problem: "is in too many files" }];
  let room = reportLengthMax;
  return names.map((name) => {
    const text = textOf(join(folder, name), room);
    room -= text?.length ?? 0;
    const first = startOf(text?.split("\n", 1)[0] ?? "");
    if (text === null || first === null) return { runner: "a test runner", tests: [], problem: "could not be read" };
    if (first.report === undefined) return { runner: first.runner, ...linesOf(text) };
    const report = first.report.startsWith(mark) ? textOf(join(folder, first.report), room) : null;
    room -= report?.length ?? 0;
    return {
      runner: first.runner,
      ...(report === null ? { tests: [], problem: "is missing or too large" } : reportOf(report)),
    };
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Only a regular file, opened without following a link: commands in the room could have put anything there. */
function textOf(path: string, lengthMax: number): string | null {
  try {
    return withFile(path, { isLinkFollowed: false }, (fd, size) =>
      size <= lengthMax ? readFileSync(fd, "utf8") : null,
    );
  } catch {
    return null;
  }
}

const Start = z.object({ runner: z.string().max(40), report: z.string().max(300).optional() });
const Line = z.union([
  z.object({
    file: z.string().nullable(),
    name: z.array(z.string()),
    how: z.enum(["passed", "failed", "skipped"]),
    worksAnyway: z.literal(true).optional(),
  }),
  z.object({ file: z.string().nullable(), whole: z.literal(true), how: z.literal("failed") }),
  z.object({ end: z.literal(true) }),
]);

function startOf(line: string): z.infer<typeof Start> | null {
  const parsed = Start.safeParse(parsedJson(line));
  return parsed.success && !(parsed.data.report ?? "").includes("..") ? parsed.data : null;
}

function reportOf(text: string): Pick<Report, "tests" | "problem"> {
  if (text.startsWith('{"runner":')) return linesOf(text);
  const cases = readCases(text);
  return cases === null ? { tests: [], problem: "was cut off or cannot be read" } : { tests: cases, problem: null };
}

/** The form that our own reporters write: the runner, each test, the end. */
function linesOf(text: string): Pick<Report, "tests" | "problem"> {
  const tests: TestResult[] = [];
  let ended = false;
  for (const raw of text.split("\n").slice(1)) {
    if (raw === "") continue;
    const line = Line.safeParse(parsedJson(raw));
    if (!line.success) return { tests, problem: "was cut off or cannot be read" };
    if (tests.length > casesMax) break; // Too many to be of use.
    if ("end" in line.data) ended = true;
    else if ("whole" in line.data) tests.push({ file: line.data.file, name: wholeFile, how: "failed" });
    else {
      const { file, name, how, worksAnyway } = line.data;
      tests.push({ file, name: nameOf(name), how, ...(worksAnyway === undefined ? {} : { worksAnyway }) });
    }
  }
  return { tests, problem: ended ? null : "was cut off before the run ended" };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function together(reports: readonly Report[], uses: readonly RunnerUse[]): Names {
  const tests = reports.flatMap((report) => report.tests);
  if (tests.length > casesMax)
    return without(`The reports name more than ${casesMax} tests, so only the exit code counts.`);
  const broken = reports.find(({ problem }) => problem !== null);
  if (broken !== undefined)
    return {
      tests,
      complete: false,
      problem: `The report of ${broken.runner} ${broken.problem}, so only the exit code of the check counts.`,
    };
  // A part of the check without names is compared by its exit code; the reports of the other parts still count.
  const silent = uses.map(({ kind }) => kind).filter((kind) => !reports.some(({ runner }) => runner === kind));
  return { tests, complete: true, problem: silent.length === 0 ? null : missing(silent) };
}

function declaredNames(texts: readonly string[]): Names {
  if (texts.length === 0) return without("The report that the check names is missing, so only its exit code counts.");
  const cases = texts.map((text) => readCases(text));
  const tests = cases.flatMap((found) => found ?? []);
  if (cases.includes(null) || tests.length > casesMax)
    return without(
      "The report that the check names is not JUnit XML, TAP or JSON, or was cut off, so only its exit code counts.",
    );
  return { tests, complete: true, problem: null };
}

function printedNames({ output, uses }: ReadOrder): Names | null {
  if (output.length > reportLengthMax) return null;
  const cargo = uses.some(({ kind }) => kind === "cargo") ? cargoCases(output) : null;
  if (cargo !== null) {
    const problem = cargo.whole
      ? null
      : "cargo counted more tests than it named, so only the exit code of the check counts.";
    return { tests: cargo.cases, complete: cargo.whole, problem };
  }
  const tap = readCases(output);
  return tap === null ? null : { tests: tap, complete: true, problem: null };
}

function placed(names: Names, cwd: string): Names {
  const root = `${cwd.replace(/\/+$/, "")}/`;
  const fileOf = (file: string | null): string | null => {
    if (file === null) return null;
    const path = file.replaceAll("\\", "/");
    return path.startsWith(root) ? path.slice(root.length) : path.replace(/^(?:\.\/)+/, "");
  };
  return { ...names, tests: names.tests.map((test) => ({ ...test, file: fileOf(test.file) })) };
}
