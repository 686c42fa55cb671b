// JUnit XML, which nearly every runner can write.
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { casesMax, countCases, nameOf, reportLengthMax, type TestCase } from "./cases.ts";
import type { Counts, TestEnd } from "./counts.ts";

// Five elements per test are plenty, and a document of empty elements would need a hundred times its size in memory.
const elementsMax = 5 * casesMax;

/** Null: not XML, or without a test suite. */
export function junitCases(text: string): readonly TestCase[] | null {
  const root = rootOf(text);
  if (root === null || !isSuite(root)) return null;
  const cases: TestCase[] = [];
  gather(root, { file: null, name: "" }, cases);
  return cases.length > casesMax ? null : cases;
}

export function readJunit(text: string): Counts | null {
  const cases = junitCases(text);
  return cases === null ? null : countCases(cases);
}

function rootOf(text: string): XmlElement | null {
  if (text.length > reportLengthMax || tagsIn(text) > 2 * elementsMax) return null;
  try {
    // Runners copy test output into the document, including control characters, which XML does not allow.
    return parseXml(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")).root;
  } catch {
    return null; // Cut in the middle, not XML, or nested deeper than the stack allows.
  }
}

function tagsIn(text: string): number {
  let tags = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) tags += 1;
  return tags;
}

const isSuite = (element: XmlElement): boolean => element.name === "testsuite" || element.name === "testsuites";

/** The enclosing suite supplies what the test itself omits. */
type Around = { readonly file: string | null; readonly name: string };

function gather(suite: XmlElement, around: Around, cases: TestCase[]): void {
  for (const child of suite.children) {
    if (!(child instanceof XmlElement) || cases.length > casesMax) continue;
    if (child.name === "testcase") cases.push(caseOf(child, around));
    else if (isSuite(child))
      gather(child, { file: textAt(child, "file") ?? around.file, name: textAt(child, "name") ?? around.name }, cases);
  }
}

function caseOf(element: XmlElement, around: Around): TestCase {
  return {
    file: textAt(element, "file") ?? around.file,
    name: nameOf([textAt(element, "classname") ?? around.name, textAt(element, "name") ?? ""]),
    how: endOf(element),
  };
}

function endOf(element: XmlElement): TestEnd {
  const has = (...names: string[]): boolean =>
    element.children.some((child) => child instanceof XmlElement && names.includes(child.name));
  if (has("failure", "error")) return "failed";
  const status = textAt(element, "status");
  return has("skipped") || status === "notrun" || status === "skipped" || status === "disabled" ? "skipped" : "passed";
}

function textAt(element: XmlElement, name: string): string | null {
  const text = element.attributes[name];
  return text === undefined || text === "" ? null : text;
}
