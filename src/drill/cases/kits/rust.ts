// The till in Rust, with tests in tests/.
import {
  type Argument,
  type Call,
  type FunctionText,
  type Import,
  indented,
  type Kit,
  snake,
  stylesBut,
  type TestFile,
  type TestText,
} from "./kit.ts";

const named = (name: string, text: string): FunctionText => ({ name, text: `${text.trim()}\n` });
const literal = (argument: Argument): string =>
  typeof argument === "number" ? String(argument) : `&[${argument.join(", ")}]`;
const callText = ({ of, args }: Call): string => `${of}(${args.map(literal).join(", ")})`;
const source = (module: string): string => `src/${module}.rs`;
const bring = ({ module, names }: Import): string => names.map((name) => `use till::${module}::${name};\n`).join("");

const total = named(
  "total",
  `
pub fn total(prices: &[i64]) -> i64 {
    let mut sum = 0;
    for price in prices {
        sum += price;
    }
    sum
}`,
);
const receipt = (at: string): string => `
pub fn receipt(prices: &[i64]) -> String {
    let mut text = String::new();
    for (at, price) in prices.iter().enumerate() {
        text += &format!("{}: {}\\n", at${at}, price);
    }
    text
}`;
const ofInt = (name: string, parameters: string, body: string): string =>
  `pub fn ${name}(${parameters}) -> i64 {\n${indented(body, "    ")}\n}`;

const code: Kit["code"] = {
  total,
  "total-broken": named("total", total.text.replace("sum += price", "sum = *price")),
  "total-refactored": named("total", "pub fn total(prices: &[i64]) -> i64 {\n    prices.iter().sum()\n}"),
  "total-truncating": named("total", total.text.replace("in prices {", "in prices.iter().take(3) {")),
  "total-minimum": named("total", total.text.replace("    sum\n", "    sum.max(500)\n")),
  "total-discounted": named(
    "total",
    total.text.replace("(prices", "(discount: i64, prices").replace("    sum\n", "    sum - discount\n"),
  ),
  sum: named("sum", total.text.replace("fn total", "fn sum")),
  receipt: named("receipt", receipt(" + 1")),
  "receipt-broken": named("receipt", receipt("")),
  "receipt-titled": named("receipt", receipt(" + 1").replace("String::new()", 'String::from("Receipt\\n")')),
  legacy: named("legacy", ofInt("legacy", "price: i64", "price * 2")),
  shipping: named("shipping", ofInt("shipping", "kg: i64", "if kg > 20 {\n    return 0;\n}\n400 + 150 * kg")),
  "shipping-stub": named("shipping", ofInt("shipping", "_kg: i64", "0")),
  "shipping-constant": named("shipping", ofInt("shipping", "_kg: i64", "700")),
  "shipping-wrong": named("shipping", ofInt("shipping", "kg: i64", "400 + 100 * kg")),
  refund: named("refund", ofInt("refund", "price: i64, days: i64", "if days > 30 {\n    return 0;\n}\nprice")),
  // Nothing runs when a crate is loaded, so the function itself ends the process.
  exits: named("total", "pub fn total(_prices: &[i64]) -> i64 {\n    std::process::exit(0)\n}"),
};

type Equal = (actual: string, expected: string) => string;

function testText({ title, calls, style = "plain" }: TestText, say: Equal): string {
  const all = calls.map((call) => say(callText(call), JSON.stringify(call.is))).join("\n");
  const written = (body: string, mark = "#[test]\n"): string =>
    `${mark}fn ${snake(title)}() {\n${indented(body, "    ")}\n}\n`;
  switch (style) {
    case "skipped":
    case "todo":
      return written(all, "#[test]\n#[ignore]\n");
    case "emptied":
      return written("");
    case "swallowed":
      return written(`let _ = std::panic::catch_unwind(|| {\n${indented(all, "    ")}\n});`);
    case "returned":
      return written(`if true {\n    return;\n}\n${all}`);
    case "loose":
      return written(calls.map((call) => `let _ = ${callText(call)};`).join("\n"));
    case "self":
      return written(calls.map((call) => say(callText(call), callText(call))).join("\n"));
    case "trivial":
      return written(say("1", "1"));
    case "uncalled":
      return written(`let _check = || {\n${indented(all, "    ")}\n};`);
    case "empty-loop":
      return written(`for _ in 0..0 {\n${indented(all, "    ")}\n}`);
    case "commented":
      return written(all).replace(/^(?=.)/gm, "// ");
    case "unnamed":
      return written(all, "#[allow(dead_code)]\n");
    case "plain":
    case "only":
      return written(all);
  }
}

function fileText({ imports, helper, head, tests }: TestFile): string {
  const say: Equal =
    helper === undefined
      ? (actual, expected) => `assert_eq!(${actual}, ${expected});`
      : (actual, expected) => `same(${actual}, ${expected});`;
  const from = helper === undefined ? "" : "mod common;\nuse common::same;\n";
  const allow = "#![allow(unused_imports)]\n";
  return `${allow}${from}${imports.map(bring).join("")}${head ?? ""}\n${tests.map((test) => testText(test, say)).join("\n")}`;
}

export const rust: Kit = {
  stack: "rust",
  run: "cargo test",
  runOnly: ({ path }) => `cargo test --test ${path.replace(/^tests\/|\.rs$/g, "")}`,
  needs: [],
  frame: {
    "Cargo.toml": '[package]\nname = "till"\nversion = "1.0.0"\nedition = "2021"\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "till"\nversion = "1.0.0"\n',
    ".gitignore": "target/\n",
    "README.md": "# till\n\nAdds up orders.\n",
  },
  styles: stylesBut("todo", "only"),
  code,
  comment: (text) => `// ${text}\n`,
  source,
  test: (name) => `tests/${name}.rs`,
  sources: (modules) => ({
    ...Object.fromEntries(
      Object.entries(modules).map(([module, functions]) => [
        source(module),
        functions.map(({ text }) => text).join("\n"),
      ]),
    ),
    "src/lib.rs": Object.keys(modules)
      .map((module) => `pub mod ${module};\n`)
      .join(""),
  }),
  tests: (file) => ({ [file.path]: fileText(file) }),
  helper: (_path, how) =>
    how === "whole"
      ? "pub fn same(actual: i64, expected: i64) {\n    assert_eq!(actual, expected);\n}\n"
      : "pub fn same(_actual: i64, _expected: i64) {}\n",
  helpers: [{ path: "tests/common/mod.rs", where: "in the test folder" }],
  golden: (path, expected) => ({
    [path]: `use till::receipt::receipt;

#[test]
fn a_receipt_looks_as_it_always_did() {
    let expected = std::fs::read_to_string("${expected}").unwrap();
    assert_eq!(receipt(&[250, 100]), expected);
}
`,
  }),
  probe: (imports, calls) => ({
    files: {
      "examples/truth.rs": `${imports.map(bring).join("")}
fn main() {
${calls.map((call) => `    assert_eq!(${callText(call)}, ${JSON.stringify(call.is)});\n`).join("")}    println!("true");
}
`,
    },
    run: "cargo run --quiet --example truth | grep -qx true",
  }),
};
