// The functions of the till in JavaScript.
import type { FunctionText, Kit } from "./kit.ts";

const named = (name: string, text: string): FunctionText => ({ name, text: `${text.trim()}\n` });

const total = named(
  "total",
  `
function total(prices) {
  let sum = 0;
  for (const price of prices) sum += price;
  return sum;
}`,
);

export const javascriptCode: Kit["code"] = {
  total,
  "total-broken": named("total", total.text.replace("sum += price", "sum = price")),
  "total-refactored": named(
    "total",
    `
function total(prices) {
  return prices.reduce((sum, price) => sum + price, 0);
}`,
  ),
  "total-truncating": named("total", total.text.replace("of prices)", "of prices.slice(0, 3))")),
  "total-minimum": named("total", total.text.replace("return sum;", "return Math.max(sum, 500);")),
  "total-discounted": named(
    "total",
    total.text.replace("(prices)", "(discount, prices)").replace("return sum;", "return sum - discount;"),
  ),
  sum: named("sum", total.text.replace("function total", "function sum")),
  receipt: named(
    "receipt",
    `
function receipt(prices) {
  return prices.map((price, at) => \`\${at + 1}: \${price}\\n\`).join("");
}`,
  ),
  "receipt-broken": named(
    "receipt",
    `
function receipt(prices) {
  return prices.map((price, at) => \`\${at}: \${price}\\n\`).join("");
}`,
  ),
  "receipt-titled": named(
    "receipt",
    `
function receipt(prices) {
  return \`Receipt\\n\${prices.map((price, at) => \`\${at + 1}: \${price}\\n\`).join("")}\`;
}`,
  ),
  legacy: named(
    "legacy",
    `
function legacy(price) {
  return price * 2;
}`,
  ),
  shipping: named(
    "shipping",
    `
function shipping(kg) {
  if (kg > 20) return 0;
  return 400 + 150 * kg;
}`,
  ),
  "shipping-stub": named(
    "shipping",
    `
function shipping(kg) {
  return 0;
}`,
  ),
  "shipping-constant": named(
    "shipping",
    `
function shipping(kg) {
  return 700;
}`,
  ),
  "shipping-wrong": named(
    "shipping",
    `
function shipping(kg) {
  return 400 + 100 * kg;
}`,
  ),
  refund: named(
    "refund",
    `
function refund(price, days) {
  return days > 30 ? 0 : price;
}`,
  ),
  exits: { name: null, text: "process.exit(0);\n" },
};
