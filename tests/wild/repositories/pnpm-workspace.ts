// A pnpm workspace: packages that link to each other, and a node_modules in each.
import { code, json, type Wild } from "../wild.ts";

const feature = {
  product: {
    "packages/core/src/index.js": [
      [
        "export function plan",
        code`
          /** Tasks that nothing else waits for. */
          export function leavesOf(tasks) {
            const needed = new Set(Object.values(tasks).flat());
            return Object.keys(tasks).filter((name) => !needed.has(name));
          }

          export function plan
        `.trimEnd(),
      ],
    ],
    "packages/cli/src/run.js": [
      ['import { plan } from "@steps/core";', 'import { leavesOf, plan } from "@steps/core";'],
      [
        "    const order = plan",
        '    if (args.includes("--leaves")) return { code: 0, text: leavesOf(tasks).join("\\n") };\n    const order = plan',
      ],
    ],
  },
  tests: {
    "packages/core/test/leaves.test.js": code`
      import assert from "node:assert/strict";
      import { test } from "node:test";
      import { leavesOf } from "../src/index.js";

      test("leaves are the tasks that nothing needs", () => {
        assert.deepEqual(leavesOf({ build: [], test: ["build"], docs: ["build"] }), ["test", "docs"]);
      });
    `,
    "packages/cli/test/leaves.test.js": code`
      import assert from "node:assert/strict";
      import { test } from "node:test";
      import { run } from "../src/run.js";

      test("--leaves prints one task per line", () => {
        assert.deepEqual(run({ build: [], test: ["build"] }, ["--leaves"]), { code: 0, text: "test" });
      });
    `,
  },
} as const;

export const pnpmWorkspace: Wild = {
  files: {
    ".gitignore": "node_modules\n.pnpm-store\n",
    "package.json": json({
      name: "steps",
      private: true,
      scripts: { test: "pnpm --recursive test" },
      devDependencies: { pnpm: "10.33.0" },
    }),
    "pnpm-workspace.yaml": 'packages:\n  - "packages/*"\n',
    "packages/core/package.json": json({
      name: "@steps/core",
      version: "2.1.0",
      type: "module",
      exports: "./src/index.js",
      scripts: { test: "node --test" },
    }),
    "packages/core/src/index.js": code`
      /** The order in which tasks can run, each after what it needs. */
      export function plan(tasks) {
        const order = [];
        const visit = (name, path) => {
          if (path.includes(name)) throw new Error("a cycle: " + [...path, name].join(" > "));
          if (order.includes(name)) return;
          for (const needed of [...(tasks[name] ?? [])].sort()) visit(needed, [...path, name]);
          order.push(name);
        };
        for (const name of Object.keys(tasks).sort()) visit(name, []);
        return order;
      }
    `,
    "packages/core/test/plan.test.js": code`
      import assert from "node:assert/strict";
      import { test } from "node:test";
      import { plan } from "@steps/core";

      test("what a task needs comes first", () => {
        assert.deepEqual(plan({ test: ["build"], build: ["fetch"], fetch: [] }), ["fetch", "build", "test"]);
      });

      test("independent tasks are in the order of the alphabet", () => {
        assert.deepEqual(plan({ b: [], a: [], c: [] }), ["a", "b", "c"]);
      });

      test("a cycle is named", () => {
        assert.throws(() => plan({ a: ["b"], b: ["a"] }), /a > b > a/);
      });
    `,
    "packages/cli/package.json": json({
      name: "@steps/cli",
      version: "2.1.0",
      type: "module",
      bin: { steps: "./src/main.js" },
      scripts: { test: "node --test" },
      dependencies: { "@steps/core": "workspace:*", picocolors: "1.1.1" },
    }),
    "packages/cli/src/main.js": code`
      #!/usr/bin/env node
      import { readFileSync } from "node:fs";
      import { run } from "./run.js";

      const [file, ...args] = process.argv.slice(2);
      const { code, text } = run(JSON.parse(readFileSync(file, "utf8")), args);
      console.log(text);
      process.exitCode = code;
    `,
    "packages/cli/src/run.js": code`
      import { plan } from "@steps/core";
      import colors from "picocolors";

      export function run(tasks, args) {
        const paint = args.includes("--color") ? colors.createColors(true) : colors.createColors(false);
        try {
          const order = plan(tasks);
          return { code: 0, text: order.map((name, at) => paint.dim(at + 1 + ".") + " " + name).join("\n") };
        } catch (error) {
          return { code: 2, text: paint.red(error.message) };
        }
      }
    `,
    "packages/cli/test/run.test.js": code`
      import assert from "node:assert/strict";
      import { execFileSync } from "node:child_process";
      import { writeFileSync, mkdtempSync } from "node:fs";
      import { tmpdir } from "node:os";
      import { join } from "node:path";
      import { test } from "node:test";
      import { fileURLToPath } from "node:url";
      import { run } from "../src/run.js";

      const main = fileURLToPath(new URL("../src/main.js", import.meta.url));

      test("tasks are numbered", () => {
        assert.equal(run({ b: ["a"], a: [] }, []).text, "1. a\n2. b");
      });

      test("a cycle is exit code 2", () => {
        assert.equal(run({ a: ["a"] }, []).code, 2);
      });

      test("numbers are dim with --color", () => {
        assert.equal(run({ a: [] }, ["--color"]).text, "\u001b[2m1.\u001b[22m a");
      });

      test("the program reads a file", () => {
        const file = join(mkdtempSync(join(tmpdir(), "steps-")), "tasks.json");
        writeFileSync(file, JSON.stringify({ only: [] }));
        assert.equal(execFileSync(process.execPath, [main, file], { encoding: "utf8" }), "1. only\n");
      });
    `,
  },
  install: ["npx --yes pnpm@10.33.0 install"],
  reinstall: ["npx --yes pnpm@10.33.0 install --frozen-lockfile"],
  check: { run: "npm test" },
  expect: { lines: 0 },
  feature,
  broken: {
    product: {
      ...feature.product,
      "packages/core/src/index.js": [
        ...feature.product["packages/core/src/index.js"],
        ["Object.keys(tasks).sort()", "Object.keys(tasks)"],
      ],
    },
    tests: {
      ...feature.tests,
      "packages/core/test/plan.test.js": [
        ["in the order of the alphabet", "in the order they are written"],
        ['["a", "b", "c"]', '["b", "a", "c"]'],
      ],
    },
  },
};
