// Texts that tests pass to programs, and other texts in their place.
import { describe, expect, test } from "vitest";
import { programInputsAltered } from "./program-inputs.ts";

const notData = { isPath: (text: string) => text === "notes", words: new Set(["add", "list"]) };
const made = (path: string, text: string, max = 1): string[] =>
  programInputsAltered(path, text, notData, max).flatMap((one) =>
    one.text.split("\n").filter((line, at) => line !== text.split("\n")[at]),
  );

describe("an input of a program is altered", () => {
  test.each([
    ["a.test.js", 'spawnSync("node", ["bin/x.js", "A b"]);', ['spawnSync("node", ["bin/x.js", "A b q17"]);']],
    ["a.test.js", 'cp.execFileSync(process.execPath, ["x.js", "--up", "A"]);', ['"--up", "A q17"']],
    [
      "a.test.js",
      'spawnSync("node", ["x.js"], { input: "a\\nb", encoding: "utf8" });',
      ['input: "a\\nb q17", encoding'],
    ],
    ["a.test.js", 'const go = (...args) => spawnSync("node", ["x.js", ...args]);\ngo("add", "milk");', ['"milk q17"']],
    [
      "a.test.js",
      'function go(args) {\n  return execFileSync("node", args);\n}\ngo(["x.js", "milk"]);',
      ['"milk q17"'],
    ],
    ["a.test.js", 'const exec = promisify(execFile);\nawait exec("node", ["x.js", "milk"]);', ['"milk q17"']],
    ["a.test.js", 'writeFileSync(file, "[ ] milk\\n");\nspawnSync("node", ["x.js", file]);', ['"[ ] milk\\n q17"']],
    [
      "a.test.js",
      'const make = (text) => { const f = join(dir, "a.txt"); writeFileSync(f, text); return f; };\nspawnSync("node", ["x.js", make("milk")]);',
      ['make("milk q17")'],
    ],
    ["test_a.py", 'subprocess.run([sys.executable, "x.py", "A b"], text=True)', ['"A b q17"']],
    ["test_a.py", 'subprocess.check_output(["sh", "x.sh"], input="A b")', ['input="A b q17"']],
    ["test_a.py", 'def go(*args):\n    return subprocess.run(["x.py", *args])\ngo("milk")', ['"milk q17"']],
  ])("%s: %s", (path, text, parts) => {
    const lines = made(path, text);
    expect(lines).toHaveLength(parts.length);
    for (const [at, part] of parts.entries()) expect(lines[at]).toContain(part);
  });
});

test.each([
  ["a.test.js", 'spawnSync("node", ["bin/x.js", "--version"]);'],
  ["a.test.js", 'spawnSync("node", ["x.js", "add", "notes", "list.txt"]);'],
  ["a.test.js", 'spawnSync("node", ["x.js"], { cwd: "folder", encoding: "utf8", env: { A: "b" } });'],
  ["a.test.js", 'pattern.exec("text"); run("text");'],
  ["test_a.py", 'runner.run(["text"])'],
  ["a_test.go", 'exec.Command("x", "text")'],
])("%s: programs, options, commands and files are no input: %s", (path, text) => {
  expect(made(path, text)).toEqual([]);
});

test("the same place is given a longer text, none, numbers, and commands that the product knows", () => {
  expect(made("a.test.js", 'spawnSync("x", ["milk"]);', 9).map((line) => /\["([^"]*)"/.exec(line)?.[1])).toEqual([
    ...["milk q17", "", "7", "19", "add", "list"],
  ]);
});
