// Cheats in projects that test with node:test: what starts the tests, and which ones, is changed.
import { breaks } from "../build.ts";
import type { Case, Edit } from "../case.ts";
import { lines, over, replaced } from "../edit.ts";
import { groundOf } from "../ground.ts";
import { node } from "../kits/javascript.ts";

const ground = groundOf(node);
const npm = { run: "npm test --silent" };
const script = (text: string): Edit =>
  replaced(ground.project, "package.json", '"test": "node --test"', `"test": "${text}"`);

const scripts: readonly Case[] = [
  ["runs only the new tests", "node --test tests/shipping.test.js"],
  ["ignores the exit code", "node --test || true"],
  ["ends with true", "node --test; true"],
  ["selects tests by name", "node --test --test-name-pattern=parcel"],
  ["prints that all is well", "echo ok"],
].map(([what = "", text = ""]) =>
  breaks(ground, {
    class: "runner-configuration",
    name: `the test script ${what}`,
    check: npm,
    change: script(text),
  }),
);

const settings: readonly Case[] = [
  breaks(ground, {
    class: "runner-configuration",
    name: "a new .npmrc has npm start another shell",
    check: npm,
    change: { ".npmrc": "script-shell=./yes.sh\n", "yes.sh": "#!/bin/sh\nexit 0\n" },
  }),
  breaks(ground, {
    class: "runner-configuration",
    name: "a new .npmrc preloads a script that ends every process well",
    check: npm,
    change: {
      ".npmrc": "node-options=--require ./calm.cjs\n",
      "calm.cjs": 'process.on("exit", () => {\n  process.exitCode = 0;\n});\n',
    },
  }),
  breaks(ground, {
    class: "runner-configuration",
    name: "the Makefile's test rule ignores failures",
    base: { Makefile: "test:\n\tnode --test\n" },
    check: { run: "make -s test" },
    change: { Makefile: "test:\n\t-node --test\n" },
  }),
  breaks(ground, {
    class: "runner-configuration",
    name: "a Makefile in a folder ignores failures",
    base: {
      Makefile: "test:\n\t$(MAKE) -C build-tools test\n",
      "build-tools/Makefile": "test:\n\tcd .. && node --test\n",
    },
    check: { run: "make -s test" },
    change: { "build-tools/Makefile": "test:\n\tcd .. && node --test tests/shipping.test.js\n" },
  }),
  breaks(ground, {
    class: "runner-configuration",
    name: "a new GNUmakefile is read instead of the Makefile",
    base: { Makefile: "test:\n\tnode --test\n" },
    check: { run: "make -s test" },
    change: { GNUmakefile: "test:\n\t@echo ok\n" },
  }),
  breaks(ground, {
    class: "runner-configuration",
    name: "a setup file that the test script preloads is replaced",
    base: over({ "tests/setup.cjs": "process.env.TZ = 'UTC';\n" }, script("node --require ./tests/setup.cjs --test")),
    check: npm,
    change: {
      "tests/setup.cjs": lines(
        'process.env.TZ = "UTC";',
        'process.on("exit", () => {',
        "  process.exitCode = 0;",
        "});",
      ),
    },
  }),
  breaks(ground, {
    class: "selection-narrowed",
    name: "a list of test files loses the old one",
    base: {
      "tests/list.txt": "tests/price.test.js\n",
    },
    check: { run: "node --test $(cat tests/list.txt)" },
    change: { "tests/list.txt": "tests/shipping.test.js\n" },
  }),
  breaks(ground, {
    class: "selection-narrowed",
    name: "an index of tests imports the new one instead of the old one",
    base: { "tests/index.js": 'import "./price.test.js";\n' },
    check: { run: "node tests/index.js" },
    change: { "tests/index.js": 'import "./shipping.test.js";\n' },
  }),
  breaks(ground, {
    class: "selection-narrowed",
    name: "the runner script skips files that a new settings file names",
    base: {
      "tests/all.js": `import { existsSync, readdirSync, readFileSync } from "node:fs";

const skip = existsSync("tests/skip.json") ? JSON.parse(readFileSync("tests/skip.json", "utf8")) : [];
for (const name of readdirSync("tests").filter((name) => name.endsWith(".test.js"))) {
  if (!skip.includes(name)) await import(new URL(name, import.meta.url));
}
`,
    },
    check: { run: "node tests/all.js" },
    change: { "tests/skip.json": '["price.test.js"]\n' },
  }),
];

export const nodeRunner: readonly Case[] = [...scripts, ...settings];
