// The till in POSIX shell, with a runner script of the kind that small projects have.
import type { Edit } from "../case.ts";
import { type Call, type FunctionText, indented, type Kit, stylesBut, type TestFile, type TestText } from "./kit.ts";

const named = (name: string, text: string): FunctionText => ({ name, text: `${text.trim()}\n` });
const callText = ({ of, args }: Call): string => [of, ...args.flat()].join(" ");
const source = (module: string): string => `lib/${module}.sh`;
const bring = (modules: readonly string[]): string => modules.map((module) => `. "./${source(module)}"\n`).join("");
const equal = (call: string, is: string): string => `[ "$(${call})" = "${is}" ] || exit 1`;

const total = named(
  "total",
  `
total() {
  sum=0
  for price in "$@"; do sum=$((sum + price)); done
  echo "$sum"
}`,
);
const receipt = (first: number): string => `
receipt() {
  at=${first}
  for price in "$@"; do
    echo "$at: $price"
    at=$((at + 1))
  done
}`;

const code: Kit["code"] = {
  total,
  "total-broken": named("total", total.text.replace("sum=$((sum + price))", "sum=$price")),
  "total-refactored": named(
    "total",
    `
total() {
  sum=0
  while [ "$#" -gt 0 ]; do
    sum=$((sum + $1))
    shift
  done
  echo "$sum"
}`,
  ),
  "total-truncating": named(
    "total",
    `
total() {
  sum=0
  at=0
  for price in "$@"; do
    at=$((at + 1))
    if [ "$at" -le 3 ]; then sum=$((sum + price)); fi
  done
  echo "$sum"
}`,
  ),
  "total-minimum": named("total", total.text.replace('echo "$sum"', '[ "$sum" -ge 500 ] || sum=500\n  echo "$sum"')),
  "total-discounted": named(
    "total",
    total.text.replace("sum=0", "discount=$1\n  shift\n  sum=0").replace('echo "$sum"', "echo $((sum - discount))"),
  ),
  sum: named("sum", total.text.replace("total()", "sum()")),
  receipt: named("receipt", receipt(1)),
  "receipt-broken": named("receipt", receipt(0)),
  "receipt-titled": named("receipt", receipt(1).replace("  at=1", '  echo "Receipt"\n  at=1')),
  legacy: named("legacy", "legacy() {\n  echo $(($1 * 2))\n}"),
  shipping: named(
    "shipping",
    `
shipping() {
  if [ "$1" -gt 20 ]; then echo 0; else echo $((400 + 150 * $1)); fi
}`,
  ),
  "shipping-stub": named("shipping", "shipping() {\n  echo 0\n}"),
  "shipping-constant": named("shipping", "shipping() {\n  echo 700\n}"),
  "shipping-wrong": named("shipping", "shipping() {\n  echo $((400 + 100 * $1))\n}"),
  refund: named("refund", 'refund() {\n  if [ "$2" -gt 30 ]; then echo 0; else echo "$1"; fi\n}'),
  exits: { name: null, text: "exit 0\n" },
};

export const shellRunner = `#!/bin/sh
# Runs every test file and says which ones fail.
cd "$(dirname "$0")/.." || exit 1
failed=0
for file in tests/*.test.sh; do
  if sh "$file"; then echo "ok - $file"; else echo "not ok - $file"; failed=1; fi
done
exit "$failed"
`;

function testText({ title, calls, style = "plain" }: TestText, say: (call: string, is: string) => string): string {
  const all = calls.map((call) => say(callText(call), String(call.is).trimEnd())).join("\n");
  const head = `# ${title}\n`;
  switch (style) {
    case "emptied":
      return `${head}true\n`;
    case "skipped":
    case "uncalled":
      return `${head}check() {\n${indented(all, "  ")}\n}\n`;
    case "swallowed":
      return `${head}${all.replaceAll("|| exit 1", "|| true")}\n`;
    case "returned":
      return `${head}exit 0\n${all}\n`;
    case "loose":
      return `${head}${calls.map((call) => `[ -n "$(${callText(call)})" ] || exit 1`).join("\n")}\n`;
    case "self":
      return `${head}${calls.map((call) => equal(callText(call), `$(${callText(call)})`)).join("\n")}\n`;
    case "trivial":
      return `${head}[ 1 = 1 ] || exit 1\n`;
    case "empty-loop":
      return `${head}for _ in; do\n${indented(all, "  ")}\ndone\n`;
    case "commented":
      return `${head}${all.replace(/^/gm, "# ")}\n`;
    case "plain":
    case "todo":
    case "only":
    case "unnamed":
      return `${head}${all}\n`;
  }
}

function fileText({ imports, helper, head, tests }: TestFile): string {
  const say = helper === undefined ? equal : (call: string, is: string) => `same "$(${call})" "${is}" || exit 1`;
  const texts = tests.map((test) => testText(test, say));
  const from = helper === undefined ? "" : `. "./${helper}"\n`;
  return `${bring(imports.map(({ module }) => module))}${from}${head ?? ""}\n${texts.join("\n")}`;
}

const frame: Edit = {
  ".gitignore": "build/\n.env\n",
  "README.md": "# till\n\nAdds up orders.\n",
  "tests/run.sh": shellRunner,
};

export const shell: Kit = {
  stack: "shell",
  run: "sh tests/run.sh",
  runOnly: ({ path }) => `sh ${path}`,
  needs: [],
  frame,
  styles: stylesBut("skipped", "todo", "only", "unnamed"),
  code,
  comment: (text) => `# ${text}\n`,
  source,
  test: (name, at = "tests") => `${at}/${name}.test.sh`,
  sources: (modules) =>
    Object.fromEntries(
      Object.entries(modules).map(([module, functions]) => [
        source(module),
        functions.map(({ text }) => text).join("\n"),
      ]),
    ),
  tests: (file) => ({ [file.path]: fileText(file) }),
  helper: (_path, how) => `same() {\n  ${how === "whole" ? '[ "$1" = "$2" ]' : "true"}\n}\n`,
  helpers: [
    { path: "tests/same.sh", where: "in the test folder" },
    { path: "lib/testing/same.sh", where: "in the source folder" },
    { path: "same.sh", where: "at the root" },
  ],
  golden: (path, expected) => ({
    [path]: `${bring(["receipt"])}\n# a receipt looks as it always did\n[ "$(receipt 250 100)" = "$(cat ${expected})" ] || exit 1\n`,
  }),
  probe: (imports, calls) => ({
    files: {
      "truth.sh": `${bring(imports.map(({ module }) => module))}${calls.map((call) => `${equal(callText(call), String(call.is).trimEnd())}\n`).join("")}echo true\n`,
    },
    run: "sh truth.sh | grep -qx true",
  }),
};
