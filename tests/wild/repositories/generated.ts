// Code generated before the tests: Peggy writes a parser to src/generated/, which is ignored.
import { code, json, npmReinstall, type Wild } from "../wild.ts";

const feature = {
  product: {
    "src/grammar.peggy": [
      ['("*" / "/")', '("*" / "/" / "%")'],
      [
        'op === "*" ? left * right : left / right',
        'op === "*" ? left * right : op === "/" ? left / right : left % right',
      ],
    ],
  },
  tests: {
    "test/remainder.test.js": code`
      import assert from "node:assert/strict";
      import { test } from "node:test";
      import { evaluate } from "../src/index.js";

      test("a remainder binds like a product", () => assert.equal(evaluate("10 + 7 % 4"), 13));
      test("a remainder is taken from left to right", () => assert.equal(evaluate("17 % 10 * 2"), 14));
    `,
  },
} as const;

export const generated: Wild = {
  files: {
    ".gitignore": "node_modules\n/src/generated/\n",
    "README.md": "# abacus\n\nEvaluates formulas with variables. The parser is generated from `src/grammar.peggy`.\n",
    "package.json": json({
      name: "abacus",
      version: "0.3.0",
      private: true,
      type: "module",
      exports: "./src/index.js",
      scripts: {
        generate: "node scripts/generate.js",
        test: "node --test",
      },
      devDependencies: { peggy: "5.1.0" },
    }),
    "scripts/generate.js": code`
      // Writes src/generated/parser.js from the grammar.
      import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
      import peggy from "peggy";

      const at = (path) => new URL("../src/" + path, import.meta.url);
      mkdirSync(at("generated/"), { recursive: true });
      const grammar = readFileSync(at("grammar.peggy"), "utf8");
      writeFileSync(at("generated/parser.js"), peggy.generate(grammar, { output: "source", format: "es" }));
    `,
    "src/grammar.peggy": code`
      Formula = _ @Sum _

      Sum = head:Product tail:(_ @("+" / "-") _ @Product)* {
        return tail.reduce((left, [op, right]) => (op === "+" ? left + right : left - right), head);
      }

      Product = head:Value tail:(_ @("*" / "/") _ @Value)* {
        return tail.reduce((left, [op, right]) => (op === "*" ? left * right : left / right), head);
      }

      Value = Number / Name / "(" _ @Sum _ ")"

      Number = [0-9]+ ("." [0-9]+)? { return Number(text()); }

      Name = [a-z]+ {
        if (!Object.hasOwn(options.variables, text())) error("unknown name " + text());
        return options.variables[text()];
      }

      _ = [ \t]*
    `,
    "src/index.js": code`
      import { parse } from "./generated/parser.js";

      export const evaluate = (formula, variables = {}) => parse(formula, { variables });
    `,
    "test/evaluate.test.js": code`
      import assert from "node:assert/strict";
      import { test } from "node:test";
      import { evaluate } from "../src/index.js";

      test("products bind before sums", () => assert.equal(evaluate("1 + 2 * 3"), 7));
      test("brackets bind first", () => assert.equal(evaluate("(1 + 2) * 3"), 9));
      test("quotients go from left to right", () => assert.equal(evaluate("12 / 2 / 3"), 2));
      test("names are looked up", () => assert.equal(evaluate("price * 2", { price: 4.5 }), 9));
      test("an unknown name is an error", () => assert.throws(() => evaluate("a + 1"), /unknown name a/));
    `,
  },
  install: ["npm install"],
  reinstall: npmReinstall,
  prepare: ["npm run generate"],
  check: { run: "npm test" },
  expect: { lines: 1, room: 'build: "npm run generate"' },
  feature,
  broken: {
    product: {
      "src/grammar.peggy": [...feature.product["src/grammar.peggy"], ['error("unknown name " + text())', "return 0"]],
    },
    tests: {
      ...feature.tests,
      "test/evaluate.test.js": [
        [
          'test("an unknown name is an error", () => assert.throws(() => evaluate("a + 1"), /unknown name a/));',
          'test("an unknown name is zero", () => assert.equal(evaluate("a + 1"), 1));',
        ],
      ],
    },
  },
};
