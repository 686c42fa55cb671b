// What is started and not called: programs and functions of the shell print what they did, where the feature says that they do.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { caseNamed } from "./honest-kinds.ts";
import { play, playOf } from "./play.ts";

const npmTest = (body: string): string =>
  `import assert from "node:assert/strict";\nimport { execFileSync, spawnSync } from "node:child_process";\nimport test from "node:test";\n\n${body}`;
const todo = (list: string): string =>
  `#!/usr/bin/env node\nimport { existsSync, readFileSync, writeFileSync } from "node:fs";\n\nconst read = () => (existsSync("todo.json") ? JSON.parse(readFileSync("todo.json", "utf8")) : []);\nconst [command, ...rest] = process.argv.slice(2);\nif (command === "add") {\n  writeFileSync("todo.json", JSON.stringify([...read(), rest.join(" ")]));\n} else if (command === "list") {\n${list}} else {\n  console.error("usage: todo add TEXT | list");\n  process.exitCode = 2;\n}\n`;
const project: Edit = {
  "package.json": '{ "name": "todo", "type": "module", "bin": "bin/todo.js", "scripts": { "test": "node --test" } }\n',
  "bin/todo.js": todo("  for (const text of read()) console.log(text);\n"),
  "test/todo.test.js": npmTest(
    'test("usage", () => assert.equal(spawnSync("node", ["bin/todo.js"]).status, 2));\ntest("add", () => assert.equal(spawnSync("node", ["bin/todo.js", "add", "milk"]).status, 0));\n',
  ),
};
const json = npmTest(
  'import { writeFileSync } from "node:fs";\nconst listed = (items) => {\n  writeFileSync("todo.json", JSON.stringify(items));\n  return execFileSync("node", ["bin/todo.js", "list", "--json"], { encoding: "utf8" });\n};\ntest("json", () => {\n  assert.deepEqual(JSON.parse(listed(["milk", "bread"])), ["milk", "bread"]);\n  assert.deepEqual(JSON.parse(listed([])), []);\n});\n',
);
const list = (before: string): string =>
  `  if (rest.includes("--json")) console.log(JSON.stringify(read()));\n  else {\n${before}    for (const text of read()) console.log(text);\n  }\n`;
const listed = (before: string) =>
  play({
    project,
    run: "npm test",
    change: { "bin/todo.js": todo(list(before)), "test/json.test.js": json },
    feature: {
      name: "Add --json to the list command",
      criteria: ["`list --json` prints an array", "`list` without the flag prints what it did before"],
    },
  });

test("a command that the feature says stays may not print more", { timeout: 120_000 }, async () => {
  const { outcome, why } = await listed('    console.log("Your list:");\n');
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(/`node \.\/bin\/todo\.js list` ended with/)]);
});

test("the new option alone is accepted", { timeout: 120_000 }, async () => {
  const { outcome, why } = await listed("");
  expect([outcome, why]).toEqual(["accepted", expect.any(String)]);
});

const join = (first: string): string =>
  `join_by() {\n  sep=$1\n  shift\n${first}  out=\n  for part; do\n    out="$out\${out:+$sep}$part"\n  done\n  printf '%s\\n' "$out"\n}\n`;
const helper = '#!/bin/sh\n. ./lib/text.sh\nfail=0\ncheck() {\n  if [ "$1" != "$2" ]; then fail=1; fi\n}\n';

test("a function of the shell that the feature does not name still takes parts with spaces", {
  timeout: 90_000,
}, async () => {
  const { outcome, why } = await play({
    project: {
      "lib/text.sh": join(""),
      "test/text.test.sh": `${helper}check "$(join_by , a b)" "a,b"\nexit $fail\n`,
      Makefile: "test:\n\tfor t in test/*.test.sh; do sh $$t || exit 1; done\n.PHONY: test\n",
    },
    run: "make test",
    change: {
      "lib/text.sh": `${join("  set -- $*\n")}\nupper() {\n  printf '%s\\n' "$1" | tr '[:lower:]' '[:upper:]'\n}\n`,
      "test/upper.test.sh": `${helper}check "$(upper 'ab c')" "AB C"\ncheck "$(upper Xy)" "XY"\nexit $fail\n`,
    },
    feature: { name: "Add upper to lib/text.sh", criteria: ["`upper` turns its argument into upper case"] },
  });
  expect([outcome, why]).toEqual(["asked", expect.stringMatching(/join_by , 'a b' b` ended with/)]);
});

test.each([
  ["a function is written differently", "accepted"],
  ["a function is renamed with its tests", "asked"],
])(
  "of a function of the shell, what it never took and what is gone are not compared: %s",
  {
    timeout: 90_000,
  },
  async (name, becomes) => {
    const { outcome, why } = await playOf(caseNamed(`shell: ${name}`));
    expect([outcome, why]).toEqual([becomes, expect.not.stringContaining("ended with")]);
  },
);
