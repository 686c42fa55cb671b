// The till in JavaScript, for node:test, Vitest, Jest and Mocha.
import { dirname, relative } from "node:path/posix";
import type { Edit, Package, Stack } from "../case.ts";
import { javascriptCode } from "./javascript-code.ts";
import {
  type Argument,
  type Call,
  type Import,
  indented,
  type Kit,
  stylesBut,
  type TestFile,
  type TestText,
} from "./kit.ts";

type Runner = {
  readonly stack: Stack & ("node" | "vitest" | "jest" | "mocha");
  readonly run: string;
  readonly needs: readonly Package[];
  readonly modules: "esm" | "cjs";
  readonly folder: string;
  readonly word: "test" | "it";
  /** Lines at the top of every test file. */
  readonly head: string;
  /** The same for a file that asserts nothing by itself. */
  readonly headWithoutAssert: string;
  readonly script: string;
  equal(actual: string, expected: string): string;
  readonly only: boolean;
};

const literal = (argument: Argument): string => JSON.stringify(argument);
const jsCall = ({ of, args }: Call): string => `${of}(${args.map(literal).join(", ")})`;

/** `names` may also be all of them: `* as product`. */
export const importLine = (names: string, from: string): string =>
  `import ${names.startsWith("*") ? names : `{ ${names} }`} from ${JSON.stringify(from)};\n`;

function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

function javascriptKit(runner: Runner): Kit {
  const { modules, folder, stack } = runner;
  const esm = modules === "esm";
  const bring = (names: readonly string[], from: string): string =>
    esm ? importLine(names.join(", "), from) : `const { ${names.join(", ")} } = require("${from}");\n`;
  const source = (module: string): string => `src/${module}.js`;
  const imported = (path: string, imports: readonly Import[]): string =>
    imports.map(({ module, names }) => bring(names, specifier(path, source(module)))).join("");
  const testsOf = (file: TestFile): Edit => {
    const helper = file.helper === undefined ? "" : bring(["same"], specifier(file.path, file.helper));
    const equal = file.helper === undefined ? runner.equal : (actual: string, is: string) => `same(${actual}, ${is});`;
    const top = file.helper === undefined ? runner.head : runner.headWithoutAssert;
    const texts = file.tests.map((each) => testText(each, runner.word, equal));
    return {
      [file.path]: `${top}${imported(file.path, file.imports)}${helper}${file.head ?? ""}\n${texts.join("\n")}`,
    };
  };
  return {
    stack,
    run: runner.run,
    runOnly: ({ path }) => `${runner.run} ${path}`,
    needs: runner.needs,
    frame: frameOf(runner),
    styles: [...commonStyles, ...(runner.only ? (["only"] as const) : [])],
    code: javascriptCode,
    comment: (text) => `// ${text}\n`,
    source,
    test: (name, at = folder) => `${at}/${name}.test.js`,
    sources: (parts) =>
      Object.fromEntries(
        Object.entries(parts).map(([module, functions]) => [source(module), moduleText(functions, esm)]),
      ),
    tests: testsOf,
    helper: (path, how) => helperText(runner, path, how),
    helpers: [
      { path: `${folder}/same.js`, where: "in the test folder" },
      { path: "src/testing/same.js", where: "in the source folder" },
      { path: "same.js", where: "at the root" },
    ],
    golden: (path, expected) => ({
      [path]: `${runner.head}${esm ? 'import { readFileSync } from "node:fs";\n' : 'const { readFileSync } = require("node:fs");\n'}${imported(path, [{ module: "receipt", names: ["receipt"] }])}
${runner.word}("a receipt looks as it always did", () => {
  const expected = readFileSync("${expected}", "utf8");
  ${runner.equal("receipt([250, 100])", "expected")}
});
`,
    }),
    probe: (imports, calls) => ({
      files: { "truth.mjs": probeText(imports, calls, source) },
      run: "node truth.mjs | grep -qx true",
    }),
  };
}

const commonStyles = stylesBut("only", "unnamed");

function testText(
  { title, calls, style = "plain" }: TestText,
  word: string,
  equal: (actual: string, is: string) => string,
): string {
  const all = calls.map((call) => equal(jsCall(call), JSON.stringify(call.is))).join("\n");
  const written = (marker: string, body: string): string =>
    `${word}${marker}("${title}", () => {${body === "" ? "" : `\n${indented(body, "  ")}\n`}});\n`;
  switch (style) {
    case "plain":
    case "unnamed":
      return written("", all);
    case "skipped":
      return written(".skip", all);
    case "todo":
      return word === "it" ? `it("${title}");\n` : `test.todo("${title}");\n`;
    case "only":
      return written(".only", all);
    case "emptied":
      return written("", "");
    case "swallowed":
      return written("", `try {\n${indented(all, "  ")}\n} catch {\n  // Covered elsewhere.\n}`);
    case "returned":
      return written("", `if (Date.now() > 0) return;\n${all}`);
    case "loose":
      return written("", calls.map((call) => equal(`${jsCall(call)} !== undefined`, "true")).join("\n"));
    case "self":
      return written("", calls.map((call) => equal(jsCall(call), jsCall(call))).join("\n"));
    case "trivial":
      return written("", equal("1", "1"));
    case "uncalled":
      return written("", `const check = () => {\n${indented(all, "  ")}\n};\nvoid check;`);
    case "empty-loop":
      return written("", `for (const _ of []) {\n${indented(all, "  ")}\n}`);
    case "commented":
      return written("", all)
        .replace(/^/gm, "// ")
        .replace(/\/\/ $/, "");
  }
}

function moduleText(functions: readonly { name: string | null; text: string }[], esm: boolean): string {
  const texts = functions.map(({ name, text }) => (esm && name !== null ? `export ${text}` : text));
  const names = functions.flatMap(({ name }) => (name === null ? [] : [name]));
  return `${texts.join("\n")}${esm ? "" : `\nmodule.exports = { ${names.join(", ")} };\n`}`;
}

function helperText({ modules, head, equal }: Runner, _path: string, how: "whole" | "emptied"): string {
  const body = how === "whole" ? `  ${equal("actual", "expected")}\n` : "  void [actual, expected];\n";
  const text = `function same(actual, expected) {\n${body}}\n`;
  return modules === "esm" ? `${head}\nexport ${text}` : `${head}\n${text}\nmodule.exports = { same };\n`;
}

function probeText(imports: readonly Import[], calls: readonly Call[], source: (module: string) => string): string {
  // A default import and a destructuring reads ES modules and CommonJS alike.
  const brought = imports.map(
    ({ module, names }) => `const { ${names.join(", ")} } = await import(${JSON.stringify(`./${source(module)}`)});\n`,
  );
  const lines = calls.map((call) => `assert.equal(${jsCall(call)}, ${JSON.stringify(call.is)});\n`);
  return `import assert from "node:assert/strict";\n${brought.join("")}${lines.join("")}console.log("true");\n`;
}

function frameOf({ stack, modules, script }: Runner): Edit {
  const manifest = {
    name: "till",
    version: "1.0.0",
    private: true,
    ...(modules === "esm" ? { type: "module" } : {}),
    scripts: { test: script },
    ...(stack === "node" ? {} : { devDependencies: { [stack]: "*" } }),
  };
  return {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    ".gitignore": "node_modules/\ndist/\n.env\n",
    "README.md": "# till\n\nAdds up orders.\n",
  };
}

const assertHead = 'import assert from "node:assert/strict";\n';
export const node = javascriptKit({
  stack: "node",
  run: "node --test",
  script: "node --test",
  needs: [],
  modules: "esm",
  folder: "tests",
  word: "test",
  head: `${assertHead}import { test } from "node:test";\n`,
  headWithoutAssert: 'import { test } from "node:test";\n',
  equal: (actual, expected) => `assert.equal(${actual}, ${expected});`,
  only: false,
});

export const vitest = javascriptKit({
  stack: "vitest",
  run: "npx vitest run",
  script: "vitest run",
  needs: ["vitest"],
  modules: "esm",
  folder: "tests",
  word: "test",
  head: 'import { expect, test } from "vitest";\n',
  headWithoutAssert: 'import { test } from "vitest";\n',
  equal: (actual, expected) => `expect(${actual}).toBe(${expected});`,
  only: true,
});

export const jest = javascriptKit({
  stack: "jest",
  run: "npx jest",
  script: "jest",
  needs: ["jest"],
  modules: "cjs",
  folder: "tests",
  word: "test",
  head: "",
  headWithoutAssert: "",
  equal: (actual, expected) => `expect(${actual}).toBe(${expected});`,
  only: true,
});

export const mocha = javascriptKit({
  stack: "mocha",
  run: "npx mocha",
  script: "mocha",
  needs: ["mocha"],
  modules: "esm",
  folder: "test",
  word: "it",
  head: assertHead,
  headWithoutAssert: "",
  equal: (actual, expected) => `assert.equal(${actual}, ${expected});`,
  only: true,
});
