// The till in Go.
import {
  type Argument,
  type Call,
  type FunctionText,
  indented,
  type Kit,
  stylesBut,
  type TestFile,
  type TestText,
} from "./kit.ts";

const named = (name: string, text: string): FunctionText => ({ name, text: `${text.trim()}\n` });
const exported = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);
const literal = (argument: Argument): string =>
  typeof argument === "number" ? String(argument) : `[]int{${argument.join(", ")}}`;
const callText = ({ of, args }: Call): string => `${exported(of)}(${args.map(literal).join(", ")})`;
const source = (module: string): string => `${module}.go`;

const total = named(
  "total",
  `
func Total(prices []int) int {
	sum := 0
	for _, price := range prices {
		sum += price
	}
	return sum
}`,
);
const receipt = (at: string): string => `
import "strconv"

func Receipt(prices []int) string {
	text := ""
	for at, price := range prices {
		text += strconv.Itoa(at${at}) + ": " + strconv.Itoa(price) + "\\n"
	}
	return text
}`;
const ofInt = (name: string, parameters: string, body: string): string =>
  `func ${name}(${parameters} int) int {\n${indented(body, "\t")}\n}`;

const code: Kit["code"] = {
  total,
  "total-broken": named("total", total.text.replace("sum += price", "sum = price")),
  "total-refactored": named(
    "total",
    `
func Total(prices []int) int {
	if len(prices) == 0 {
		return 0
	}
	return prices[0] + Total(prices[1:])
}`,
  ),
  "total-truncating": named(
    "total",
    total.text
      .replace("for _, price", "for at, price")
      .replace("sum += price", "if at < 3 {\n\t\t\tsum += price\n\t\t}"),
  ),
  "total-minimum": named(
    "total",
    total.text.replace("\treturn sum", "\tif sum < 500 {\n\t\treturn 500\n\t}\n\treturn sum"),
  ),
  "total-discounted": named(
    "total",
    total.text.replace("(prices []int)", "(discount int, prices []int)").replace("return sum", "return sum - discount"),
  ),
  sum: named("sum", total.text.replace("func Total", "func Sum")),
  receipt: named("receipt", receipt("+1")),
  "receipt-broken": named("receipt", receipt("")),
  "receipt-titled": named("receipt", receipt("+1").replace('text := ""', 'text := "Receipt\\n"')),
  legacy: named("legacy", ofInt("Legacy", "price", "return price * 2")),
  shipping: named("shipping", ofInt("Shipping", "kg", "if kg > 20 {\n\treturn 0\n}\nreturn 400 + 150*kg")),
  "shipping-stub": named("shipping", ofInt("Shipping", "kg", "return 0")),
  "shipping-constant": named("shipping", ofInt("Shipping", "kg", "return 700")),
  "shipping-wrong": named("shipping", ofInt("Shipping", "kg", "return 400 + 100*kg")),
  refund: named("refund", ofInt("Refund", "price, days", "if days > 30 {\n\treturn 0\n}\nreturn price")),
  exits: { name: null, text: 'import "os"\n\nfunc init() {\n\tos.Exit(0)\n}\n' },
};

type Equal = (actual: string, expected: string) => string;
const equal: Equal = (actual, expected) => `if got := ${actual}; got != ${expected} {\n\tt.Fatalf("got %v", got)\n}`;

const nameOf = (title: string): string =>
  exported(title.replace(/[^a-zA-Z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase()));

function testText({ title, calls, style = "plain" }: TestText, say: Equal): string {
  const all = calls.map((call) => say(callText(call), JSON.stringify(call.is))).join("\n");
  const name = nameOf(title);
  const written = (body: string, before = "Test"): string =>
    `func ${before}${name}(t *testing.T) {\n${indented(body, "\t")}\n}\n`;
  switch (style) {
    case "skipped":
    case "todo":
      return written(`t.Skip("later")\n${all}`);
    case "emptied":
      return written("t.Log()");
    case "swallowed":
      return written(all.replaceAll("t.Fatalf", "t.Logf"));
    case "returned":
      return written(`if t != nil {\n\treturn\n}\n${all}`);
    case "loose":
      return written(calls.map((call) => `t.Log(${callText(call)})`).join("\n"));
    case "self":
      return written(calls.map((call) => say(callText(call), callText(call))).join("\n"));
    case "trivial":
      return written('one := 1\nif one != 1 {\n\tt.Fatal("one is not one")\n}');
    case "uncalled":
      return written(`_ = func() {\n${indented(all, "\t")}\n}`);
    case "empty-loop":
      return written(`for range []int{} {\n${indented(all, "\t")}\n}`);
    case "commented":
      return written(all).replace(/^(?=.)/gm, "// ");
    case "unnamed":
      return `${written(all, "check")}\nvar _ = check${name}\n`;
    case "plain":
    case "only":
      return written(all);
  }
}

function fileText({ helper, head, tests }: TestFile): string {
  const say: Equal = helper === undefined ? equal : (actual, expected) => `same(t, ${actual}, ${expected})`;
  const texts = tests.map((test) => testText(test, say));
  const testing = texts.some((text) => /^[^/]*\bt \*testing\.T/m.test(text)) ? '\nimport "testing"\n' : "";
  return `package till\n${testing}${head ?? ""}\n${texts.join("\n")}`;
}

const helperHead = 'package till\n\nimport "testing"\n\nfunc same(t *testing.T, actual, expected int) {\n';

export const go: Kit = {
  stack: "go",
  run: "go test ./...",
  runOnly: ({ tests }) => `go test -run '^(${tests.map(({ title }) => `Test${nameOf(title)}`).join("|")})$' ./...`,
  needs: [],
  frame: {
    "go.mod": "module example.com/till\n\ngo 1.19\n",
    ".gitignore": "build/\n.env\n",
    "README.md": "# till\n\nAdds up orders.\n",
  },
  styles: stylesBut("todo", "only"),
  code,
  comment: (text) => `// ${text}\n`,
  source,
  test: (name) => `${name}_test.go`,
  sources: (modules) =>
    Object.fromEntries(
      Object.entries(modules).map(([module, functions]) => [
        source(module),
        `package till\n\n${functions.map(({ text }) => text).join("\n")}`,
      ]),
    ),
  tests: (file) => ({ [file.path]: fileText(file) }),
  helper: (_path, how) =>
    how === "whole"
      ? `${helperHead}\tif actual != expected {\n\t\tt.Fatalf("%d is not %d", actual, expected)\n\t}\n}\n`
      : `${helperHead}}\n`,
  helpers: [{ path: "same_test.go", where: "in a test file" }],
  golden: (path, expected) => ({
    [path]: `package till

import (
	"os"
	"testing"
)

func TestAReceiptLooksAsItAlwaysDid(t *testing.T) {
	expected, err := os.ReadFile("${expected}")
	if err != nil {
		t.Fatal(err)
	}
	if Receipt([]int{250, 100}) != string(expected) {
		t.Fatal("the receipt looks different")
	}
}
`,
  }),
  probe: (_imports, calls) => ({
    files: {
      "truth/main.go": `package main

import (
	"fmt"
	"os"

	"example.com/till"
)

func main() {
${calls.map((call) => `\tif till.${callText(call)} != ${JSON.stringify(call.is)} {\n\t\tos.Exit(1)\n\t}\n`).join("")}\tfmt.Println("true")
}
`,
    },
    run: "go run ./truth | grep -qx true",
  }),
};
