// The functions of the till in Python.
import type { FunctionText, Kit } from "./kit.ts";

const named = (name: string, text: string): FunctionText => ({ name, text: `${text.trim()}\n` });

const total = named(
  "total",
  `
def total(prices):
    amount = 0
    for price in prices:
        amount += price
    return amount`,
);
const receipt = (at: string): string => `
def receipt(prices):
    return "".join(f"{at${at}}: {price}\\n" for at, price in enumerate(prices))`;

export const pythonCode: Kit["code"] = {
  total,
  "total-broken": named("total", total.text.replace("amount += price", "amount = price")),
  "total-refactored": named("total", "def total(prices):\n    return sum(prices)"),
  "total-truncating": named("total", total.text.replace("in prices:", "in prices[:3]:")),
  "total-minimum": named("total", total.text.replace("return amount", "return max(amount, 500)")),
  "total-discounted": named(
    "total",
    total.text.replace("(prices)", "(discount, prices)").replace("return amount", "return amount - discount"),
  ),
  sum: named("add_up", total.text.replace("def total", "def add_up")),
  receipt: named("receipt", receipt(" + 1")),
  "receipt-broken": named("receipt", receipt("")),
  "receipt-titled": named("receipt", receipt(" + 1").replace('return ""', 'return "Receipt\\n" + ""')),
  legacy: named("legacy", "def legacy(price):\n    return price * 2"),
  shipping: named(
    "shipping",
    `
def shipping(kg):
    if kg > 20:
        return 0
    return 400 + 150 * kg`,
  ),
  "shipping-stub": named("shipping", "def shipping(kg):\n    return 0"),
  "shipping-constant": named("shipping", "def shipping(kg):\n    return 700"),
  "shipping-wrong": named("shipping", "def shipping(kg):\n    return 400 + 100 * kg"),
  refund: named("refund", "def refund(price, days):\n    return 0 if days > 30 else price"),
  exits: { name: null, text: "import os\n\nos._exit(0)\n" },
};
