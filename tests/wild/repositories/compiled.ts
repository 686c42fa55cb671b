// Compiled TypeScript: the tests import dist/, which is ignored and which only `npm run build` writes.
import { code, json, npmReinstall, type Wild } from "../wild.ts";

const feature = {
  product: {
    "src/index.ts": [
      ['export { parseDuration } from "./parse.js";', 'export { parseDuration, tryParse } from "./parse.js";'],
    ],
    "src/parse.ts": [
      [
        "export function parseDuration",
        code`
          export function tryParse(text: string): number | null {
            try {
              return parseDuration(text);
            } catch {
              return null;
            }
          }

          export function parseDuration
        `.trimEnd(),
      ],
    ],
  },
  tests: {
    "test/try-parse.test.js": code`
      import assert from "node:assert/strict";
      import { test } from "node:test";
      import { tryParse } from "../dist/index.js";

      test("tryParse answers like parseDuration", () => {
        assert.equal(tryParse("1h 30m"), 5_400_000);
      });

      test("tryParse answers null instead of throwing", () => {
        assert.equal(tryParse("soon"), null);
      });
    `,
  },
} as const;

export const compiled: Wild = {
  files: {
    ".gitignore": "node_modules/\ndist/\n*.tsbuildinfo\n",
    "README.md": "# spans\n\nDurations as people write them: `1h 30m`.\n",
    "package.json": json({
      name: "spans",
      version: "3.0.1",
      private: true,
      type: "module",
      main: "./dist/index.js",
      types: "./dist/index.d.ts",
      files: ["dist"],
      scripts: { build: "tsc --project tsconfig.json", test: "node --test" },
      devDependencies: { typescript: "5.9.3" },
    }),
    "tsconfig.json": json({
      compilerOptions: {
        target: "es2022",
        module: "nodenext",
        strict: true,
        declaration: true,
        rootDir: "src",
        outDir: "dist",
        incremental: true,
      },
      include: ["src"],
    }),
    "src/index.ts": code`
      export { parseDuration } from "./parse.js";
      export { formatDuration } from "./format.js";
    `,
    "src/units.ts": code`
      export const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;
      export type Unit = keyof typeof units;
      export const isUnit = (text: string): text is Unit => Object.hasOwn(units, text);
    `,
    "src/parse.ts": code`
      import { isUnit, units } from "./units.js";

      const part = /^(\d+(?:\.\d+)?)([a-z]+)$/;

      /** Milliseconds. */
      export function parseDuration(text: string): number {
        const words = text.trim().split(/\s+/);
        return words.reduce((sum, word) => sum + parsePart(word), 0);
      }

      function parsePart(word: string): number {
        const [, amount, unit] = part.exec(word) ?? [];
        if (amount === undefined || unit === undefined || !isUnit(unit)) throw new SyntaxError("not a duration: " + word);
        return Number(amount) * units[unit];
      }
    `,
    "src/format.ts": code`
      import { type Unit, units } from "./units.js";

      /** The two largest units that are not zero. */
      export function formatDuration(ms: number): string {
        let rest = Math.round(ms);
        const parts: string[] = [];
        for (const unit of Object.keys(units) as Unit[]) {
          const count = Math.floor(rest / units[unit]);
          rest -= count * units[unit];
          if (count > 0) parts.push(count + unit);
        }
        return parts.slice(0, 2).join(" ") || "0s";
      }
    `,
    "test/parse.test.js": code`
      import assert from "node:assert/strict";
      import { test } from "node:test";
      import { parseDuration } from "../dist/index.js";

      test("parts are added up", () => assert.equal(parseDuration("1h 30m"), 5_400_000));
      test("fractions are allowed", () => assert.equal(parseDuration("1.5s"), 1_500));
      test("an unknown unit is refused", () => assert.throws(() => parseDuration("3 fortnights"), SyntaxError));
    `,
    "test/format.test.js": code`
      import assert from "node:assert/strict";
      import { test } from "node:test";
      import { formatDuration } from "../dist/format.js";

      test("the two largest units are shown", () => assert.equal(formatDuration(93_784_000), "1d 2h"));
      test("nothing is 0s", () => assert.equal(formatDuration(0), "0s"));
    `,
  },
  install: ["npm install"],
  reinstall: npmReinstall,
  prepare: ["npm run build"],
  check: { run: "npm test" },
  expect: { lines: 1, room: 'build: "npm run build"' },
  feature,
  broken: {
    product: { ...feature.product, "src/format.ts": [["slice(0, 2)", "slice(0, 3)"]] },
    tests: {
      ...feature.tests,
      "test/format.test.js": [
        ["the two largest units are shown", "the largest units are shown"],
        ['"1d 2h"', '"1d 2h 3m"'],
      ],
    },
  },
};
