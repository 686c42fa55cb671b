// A TypeScript library that is never compiled for its tests: Vitest runs the sources.
import { code, json, npmReinstall, type Wild } from "../wild.ts";

const couponSource = code`
  import type { Cart } from "./cart.ts";

  /** Takes a percentage off every line, rounded per line to whole cents. */
  export function withCoupon(cart: Cart, percent: number): Cart {
    if (percent < 0 || percent > 100) throw new RangeError("a coupon takes 0 to 100 percent off");
    const lines = cart.lines.map((line) => ({ ...line, cents: Math.round((line.cents * (100 - percent)) / 100) }));
    return { ...cart, lines };
  }
`;
const couponTest = code`
  import { expect, test } from "vitest";
  import { addLine, emptyCart, total } from "../src/cart.ts";
  import { withCoupon } from "../src/coupon.ts";

  const cart = addLine(addLine(emptyCart("EUR"), { name: "pen", cents: 199, count: 3 }), { name: "ink", cents: 950, count: 1 });

  test("a coupon takes its percentage off every line", () => {
    expect(total(withCoupon(cart, 10))).toBe(3 * 179 + 855);
  });

  test.each([-1, 101])("a coupon of %i percent is refused", (percent) => {
    expect(() => withCoupon(cart, percent)).toThrow(RangeError);
  });
`;

export const vitest: Wild = {
  files: {
    ".gitignore": "node_modules\ncoverage\n",
    "README.md": "# basket\n\nMoney and shopping carts in whole cents.\n",
    "package.json": json({
      name: "basket",
      version: "1.4.0",
      private: true,
      type: "module",
      exports: { ".": "./src/cart.ts", "./money": "./src/money.ts" },
      scripts: { test: "vitest run" },
      devDependencies: { vitest: "4.1.12" },
    }),
    "vitest.config.ts": code`
      import { defineConfig } from "vitest/config";

      export default defineConfig({ test: { include: ["tests/**/*.test.ts"] } });
    `,
    "src/money.ts": code`
      export type Currency = "EUR" | "USD";

      export function parseCents(text: string): number {
        const found = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
        if (found === null) throw new SyntaxError("not an amount: " + text);
        return Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
      }

      export function formatCents(cents: number, currency: Currency): string {
        const sign = cents < 0 ? "-" : "";
        const [whole, rest] = [Math.floor(Math.abs(cents) / 100), Math.abs(cents) % 100];
        return sign + whole + "." + String(rest).padStart(2, "0") + " " + currency;
      }
    `,
    "src/cart.ts": code`
      import type { Currency } from "./money.ts";

      export type Line = { name: string; cents: number; count: number };
      export type Cart = { currency: Currency; lines: readonly Line[] };

      export const emptyCart = (currency: Currency): Cart => ({ currency, lines: [] });

      /** The same thing twice is one line with both counts. */
      export function addLine(cart: Cart, line: Line): Cart {
        const isSame = (other: Line): boolean => other.name === line.name && other.cents === line.cents;
        const known = cart.lines.find(isSame);
        if (known === undefined) return { ...cart, lines: [...cart.lines, line] };
        const joined = { ...known, count: known.count + line.count };
        return { ...cart, lines: cart.lines.map((other) => (isSame(other) ? joined : other)) };
      }

      export const total = (cart: Cart): number => cart.lines.reduce((sum, line) => sum + line.cents * line.count, 0);
    `,
    "tests/money.test.ts": code`
      import { describe, expect, test } from "vitest";
      import { formatCents, parseCents } from "../src/money.ts";

      describe("parseCents", () => {
        test.each([["12", 1200], ["12.5", 1250], [" 0.07 ", 7]])("reads %j as %i cents", (text, cents) => {
          expect(parseCents(text)).toBe(cents);
        });

        test.each(["", "1.234", "-2", "12,50"])("refuses %j", (text) => {
          expect(() => parseCents(text)).toThrow(SyntaxError);
        });
      });

      test("formatCents keeps two digits and the sign", () => {
        expect(formatCents(-1205, "EUR")).toBe("-12.05 EUR");
      });
    `,
    "tests/cart.test.ts": code`
      import { expect, test } from "vitest";
      import { addLine, emptyCart, total } from "../src/cart.ts";

      const pen = { name: "pen", cents: 199, count: 2 };

      test("the same thing twice is one line", () => {
        const cart = addLine(addLine(emptyCart("EUR"), pen), { ...pen, count: 1 });
        expect(cart.lines).toEqual([{ ...pen, count: 3 }]);
      });

      test("the same name at another price is another line", () => {
        const cart = addLine(addLine(emptyCart("EUR"), pen), { ...pen, cents: 149 });
        expect(cart.lines).toHaveLength(2);
      });

      test("the total counts every piece", () => {
        expect(total(addLine(emptyCart("USD"), pen))).toBe(398);
      });
    `,
  },
  install: ["npm install"],
  reinstall: npmReinstall,
  check: { run: "npm test" },
  expect: { lines: 0 },
  feature: { product: { "src/coupon.ts": couponSource }, tests: { "tests/coupon.test.ts": couponTest } },
  broken: {
    product: {
      "src/coupon.ts": couponSource,
      "src/cart.ts": [["other.name === line.name && other.cents === line.cents", "other.name === line.name"]],
    },
    tests: {
      "tests/coupon.test.ts": couponTest,
      "tests/cart.test.ts": [
        ["the same name at another price is another line", "the same name at another price joins its line"],
        ["expect(cart.lines).toHaveLength(2)", "expect(cart.lines).toHaveLength(1)"],
      ],
    },
  },
};
