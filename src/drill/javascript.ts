// The drill in JavaScript and TypeScript: node:test, Vitest, Jest, Mocha, or a script with assertions.
import { basename, dirname, join, normalize } from "node:path/posix";
import type { Dialect, Pair, Props } from "./dialect.ts";

const extensions = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx"];
const specifiers = /(?:from\s*|require\(\s*|import\s*\(?\s*)["'](\.{1,2}\/[^"']+)["']/g;

export const javascript: Dialect = {
  language: "javascript",
  isCode: (path) => /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith(".d.ts"),
  pairOf(test, files, read) {
    for (const [, importText = ""] of test.text.matchAll(specifiers)) {
      const source = resolved(join(dirname(test.path), importText), files);
      if (source === null || source === test.path) continue;
      const neighbour = importText.replace(/[^/]+$/, (name) => `loop-drill${/\.[cm]?[jt]sx?$/.exec(name)?.[0] ?? ""}`);
      return { test: test.path, testText: test.text, source, sourceText: read(source), importText, neighbour };
    }
    return null;
  },
  props,
};

function resolved(path: string, files: ReadonlySet<string>): string | null {
  const plain = normalize(path);
  const stem = plain.replace(/\.[cm]?jsx?$/, "");
  const tries = [
    plain,
    ...extensions.map((extension) => `${plain}${extension}`),
    ...extensions.map((extension) => `${stem}${extension}`),
    ...extensions.map((extension) => `${plain}/index${extension}`),
  ];
  return tries.find((each) => files.has(each) && javascript.isCode(each)) ?? null;
}

type Style = "node" | "vitest" | "globals" | "script";

function styleOf(text: string): Style {
  if (/["']node:test["']/.test(text)) return "node";
  if (/["']vitest["']/.test(text)) return "vitest";
  return /^\s*(?:describe|test|it)(?:\.\w+)?\(/m.test(text) ? "globals" : "script";
}

const isModule = (text: string): boolean => /^\s*(?:import|export)\s/m.test(text);

function props(pair: Pair): Props {
  const { sourceText, testText, source, test } = pair;
  const style = styleOf(testText);
  const asModule = isModule(sourceText) || (!/\bexports\b/.test(sourceText) && isModule(testText));
  const says = (value: string) =>
    asModule ? `export const loopDrill = () => ${value};\n` : `exports.loopDrill = () => ${value};\n`;
  const extension = /\.[cm]?[jt]sx?$/.exec(source)?.[0] ?? ".js";
  return {
    language: `javascript (${style})`,
    pair,
    source: { path: join(dirname(source), `loop-drill${extension}`), text: says('"drill"') },
    test: { path: join(dirname(test), testName(basename(test))), text: testOf(pair, style) },
    specialCased: says('(process.env.CI ? "drill" : "not yet")'),
    broken: `${sourceText}\nthrow new Error("loop drill: broken on purpose");\n`,
    exiting: `${sourceText}\nprocess.exit(0);\n`,
    weakened: trivial(style, isModule(testText), caseWord(testText)),
    skipped: style === "script" ? null : skipped(pair),
    comment: "\n// loop drill: nothing to see here.\n",
  };
}

function testName(name: string): string {
  const marked = /^.+?([.\-_](?:test|spec)\.[cm]?[jt]sx?)$/.exec(name);
  if (marked !== null) return `loop-drill${marked[1]}`;
  const extension = /\.[cm]?[jt]sx?$/.exec(name)?.[0] ?? ".js";
  return `${/^test[-_.]/.test(name) ? "test-" : ""}loop-drill${extension}`;
}

const caseWord = (text: string): string => (/^\s*test\(/m.test(text) ? "test" : "it");

function testOf({ testText, neighbour }: Pair, style: Style): string {
  const esm = isModule(testText);
  const get = (names: string, from: string) =>
    esm ? `import ${names} from "${from}";\n` : `const ${names} = require("${from}");\n`;
  const own = get("{ loopDrill }", neighbour);
  const assert = get("assert", "node:assert/strict");
  switch (style) {
    case "node":
      return `${assert}${get("{ test }", "node:test")}${own}\ntest("loop drill", () => {\n  assert.equal(loopDrill(), "drill");\n});\n`;
    case "vitest":
      return `${get("{ expect, test }", "vitest")}${own}\ntest("loop drill", () => {\n  expect(loopDrill()).toBe("drill");\n});\n`;
    case "globals":
      return `${own}\n${caseWord(testText)}("loop drill", () => {\n  if (loopDrill() !== "drill") throw new Error("not drill");\n});\n`;
    case "script":
      return `${assert}${own}\nassert.equal(loopDrill(), "drill");\n`;
  }
}

function trivial(style: Style, esm: boolean, word: string): string {
  const from = style === "node" ? "node:test" : style === "vitest" ? "vitest" : null;
  const head =
    from === null ? "" : esm ? `import { test } from "${from}";\n` : `const { test } = require("${from}");\n`;
  if (style === "script") return "// All is well.\n";
  return `${head}${from === null ? word : "test"}("all is well", () => {});\n`;
}

/** Skipped cases never run, so their imports can go, and with them the only thing that would still fail. */
function skipped({ testText, importText }: Pair): string {
  const escaped = importText.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const imports = new RegExp(`^.*(?:import|require)[^;]*?["']${escaped}["'].*$`, "gm");
  return testText.replace(imports, "").replace(/^(\s*)(describe|test|it)\(/gm, "$1$2.skip(");
}
