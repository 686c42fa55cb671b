// CommonJS with Jest: settings in package.json, tests in __tests__, and a snapshot file as Jest writes it.
import { code, json, npmReinstall, type Wild } from "../wild.ts";

const feature = {
  product: {
    "lib/table.js": [
      ["function renderTable(rows) {", "function renderTable(rows, options = {}) {"],
      [
        "  return lines.join",
        '  if (options.numbered) return lines.map((line, at) => (at < 2 ? "  " : at - 1 + " ") + line).join("\\n");\n  return lines.join',
      ],
    ],
  },
  tests: {
    "__tests__/numbered.test.js": code`
      const { renderTable } = require("../lib/table.js");

      const rows = [{ name: "a" }, { name: "b" }];

      test("numbers the rows and not the head", () => {
        const lines = renderTable(rows, { numbered: true }).split("\n");
        expect(lines.map((line) => line.slice(0, 2))).toEqual(["  ", "  ", "1 ", "2 "]);
      });

      test("does not number without being asked", () => {
        expect(renderTable(rows)).not.toContain("1 ");
      });
    `,
  },
} as const;

const snapshot = [
  "// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing",
  "",
  "exports[`aligns every column 1`] = `",
  '"name   born  rank',
  "=====  ====  ============",
  "Ada    1815  -",
  'Grace  -     rear admiral"',
  "`;",
  "",
].join("\n");

export const jest: Wild = {
  files: {
    ".gitignore": "node_modules/\ncoverage/\n*.log\n",
    "README.md": "# plain-table\n\nPrints rows as a table of plain text.\n",
    "package.json": json({
      name: "plain-table",
      version: "0.9.2",
      private: true,
      main: "lib/index.js",
      scripts: { test: "jest" },
      jest: { testEnvironment: "node", clearMocks: true },
      devDependencies: { jest: "30.5.2" },
    }),
    "lib/index.js": 'module.exports = { ...require("./table.js"), ...require("./width.js") };\n',
    "lib/width.js": code`
      const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

      /** How many cells of a terminal a text takes. */
      function widthOf(text) {
        return Array.from(text).reduce((sum, letter) => sum + (wide.test(letter) ? 2 : 1), 0);
      }

      const pad = (text, width) => text + " ".repeat(Math.max(0, width - widthOf(text)));

      module.exports = { widthOf, pad };
    `,
    "lib/table.js": code`
      const { pad, widthOf } = require("./width.js");

      const asText = (value) => (value === null || value === undefined ? "-" : String(value));

      function columnsOf(rows) {
        return [...new Set(rows.flatMap((row) => Object.keys(row)))];
      }

      function renderTable(rows) {
        const columns = columnsOf(rows);
        const cells = rows.map((row) => columns.map((name) => asText(row[name])));
        const widths = columns.map((name, at) => Math.max(widthOf(name), ...cells.map((row) => widthOf(row[at]))));
        const line = (row) => row.map((text, at) => pad(text, widths[at])).join("  ").trimEnd();
        const lines = [line(columns), line(widths.map((width) => "=".repeat(width))), ...cells.map(line)];
        return lines.join("\n");
      }

      module.exports = { renderTable };
    `,
    "__tests__/width.test.js": code`
      const { pad, widthOf } = require("../lib/width.js");

      test.each([["abc", 3], ["", 0], ["\u6771\u4eac", 4]])("%j takes %i cells", (text, cells) => {
        expect(widthOf(text)).toBe(cells);
      });

      test("pad never cuts", () => {
        expect(pad("abcdef", 3)).toBe("abcdef");
      });
    `,
    "__tests__/__snapshots__/table.test.js.snap": snapshot,
    "__tests__/table.test.js": code`
      const { renderTable } = require("../lib/index.js");

      const people = [{ name: "Ada", born: 1815 }, { name: "Grace", born: null, rank: "rear admiral" }];

      test("aligns every column", () => {
        expect(renderTable(people)).toMatchSnapshot();
      });

      test("shows a missing value as a dash", () => {
        expect(renderTable(people).split("\n").at(-1)).toMatch(/^Grace +- +rear admiral$/);
      });

      test("ends no line with blanks", () => {
        expect(renderTable(people)).not.toMatch(/ $/m);
      });
    `,
  },
  install: ["npm install"],
  reinstall: npmReinstall,
  check: { run: "npm test" },
  expect: { lines: 0 },
  feature,
  broken: {
    product: {
      "lib/table.js": [
        ...feature.product["lib/table.js"],
        ['value === null || value === undefined ? "-"', 'value === undefined ? "-"'],
      ],
    },
    tests: {
      ...feature.tests,
      "__tests__/__snapshots__/table.test.js.snap": [["Grace  -   ", "Grace  null"]],
      "__tests__/table.test.js": [
        ["shows a missing value as a dash", "shows an empty value as it is"],
        ["/^Grace +- +rear admiral$/", "/^Grace +null +rear admiral$/"],
      ],
    },
  },
};
