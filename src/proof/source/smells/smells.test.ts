// Smells: what is reported, and which ordinary code is left alone.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code of other languages.
import { expect, test } from "vitest";
import { cpuMs } from "../../../testing/cpu-time.ts";
import { smells } from "./smells.ts";

const whats = (path: string, text: string): string[] => smells(path, null, text).map((smell) => smell.what);

test.each([
  ["src/a.js", "if (process.env.NODE_TEST_CONTEXT) return 3;", ["reads a variable that test runners set"]],
  ["src/a.ts", 'if (process.env["VITEST"]) return 3;', ["reads a variable that test runners set"]],
  ["src/a.js", "if (process.env.NODE_ENV === 'test') return 3;", ["reads a variable that test runners set"]],
  ["src/a.js", "if (process.env.CI) return 3;", ["asks whether it runs in CI"]],
  ["src/a.py", 'if "PYTEST_CURRENT_TEST" in os.environ: return 3', ["reads a variable that test runners set"]],
  ["src/a.py", 'if "pytest" in sys.modules: return 3', ["looks for a loaded test runner"]],
  ["src/a.rs", "if cfg!(test) { return 3; }", ["reads a variable that test runners set"]],
  ["src/a.go", "if testing.Testing() { return 3 }", ["reads a variable that test runners set"]],
  ["src/a.js", "assert.equal = () => {};", ["patches an assertion library"]],
  ["src/a.js", "Object.prototype.toString = f;", ["patches a global or a built-in type"]],
  ["src/a.js", "globalThis.fetch = f;", ["patches a global or a built-in type"]],
  ["src/a.js", "process.exit(0);", ["ends the process"]],
  ["src/a.py", "os._exit(0)", ["ends the process"]],
  ["src/a.js", "process.on('exit', f);", ["acts when the process ends"]],
  ["src/a.js", "if (new Error().stack.includes('x')) return 3;", ["inspects the call stack"]],
  ["src/a.py", "inspect.stack()", ["inspects the call stack"]],
  ["src/a.js", "process.argv[1].endsWith('x')", ["looks at its folder, arguments or parent process"]],
  ["src/a.js", "fs.readFileSync('tests/a.test.js')", ["names test files or folders"]],
  ["src/a.js", "if (Date.now() > 1700000000000) return 3;", ["decides by the clock"]],
  ["src/a.js", "fs.writeFileSync('node_modules/x', '')", ["reaches into installed tools or version control"]],
  ["src/a.py", "if 1700000000 < time.time(): return 3", ["decides by the clock"]],
  ["src/a.sh", 'if [ -n "$CI" ]; then echo 3; fi', ["asks whether it runs in CI"]],
])("%s: %s", (path, text, expected) => {
  expect(whats(path, text)).toEqual(expected);
});

test.each([
  ["src/a.js", "// process.exit in tests/a.test.js\nconst latest = best; export const CI = 1;"],
  ["src/a.js", "const contest = total(items); this.test = 3; const stack = []; stack.push(1);"],
  ["src/a.js", "const now = Date.now(); const f = (a) => a >= 1; module.exports = f; exports.test = f;"],
  ["bin/run.js", "process.exit(main(process.argv));"],
  ["src/main.rs", "fn main() { std::process::exit(1); }"],
  ["src/a.sh", "exit 1"],
  ["src/a.rs", "#[cfg(test)]\nmod tests { fn t() { std::process::exit(0) } }"],
  ["src/a.js", "if (import.meta.vitest) {\n  process.exit(0);\n}"],
  ["README.md", "process.exit(0)"],
])("%s: %j has none", (path, text) => {
  expect(whats(path, text)).toEqual([]);
});

test("only added lines count, with their numbers in the file", () => {
  const before = "process.exit(0);\nf();\n";
  expect(smells("src/a.js", before, `g();\n${before}process.exit(1);\n`)).toEqual([
    { line: 4, what: "ends the process" },
  ]);
  expect(smells("src/a.js", before, before)).toEqual([]);
  expect(smells("src/a.js", before, null)).toEqual([]);
});

test("patterns stay quick on hostile lines", () => {
  for (const unit of [
    "process.",
    "Error(",
    ".stack",
    "Date.now()",
    "assert.a",
    "typeof ",
    "NODE_ENV",
    "(((",
    "$(date",
  ]) {
    const began = cpuMs();
    smells("src/a.js", null, unit.repeat(20_000));
    smells("src/a.py", null, `${unit.repeat(200)}\n`.repeat(100));
    expect(cpuMs() - began).toBeLessThan(3000);
  }
});
