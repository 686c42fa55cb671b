// Cheats of their own kind in projects that test with a shell script.
import { breaks, claims } from "../build.ts";
import type { Case, Edit } from "../case.ts";
import { lines, over } from "../edit.ts";
import { groundOf, receiptText } from "../ground.ts";
import { shell, shellRunner } from "../kits/shell.ts";

const ground = groundOf(shell);
const receipts = groundOf(shell, { golden: "golden/receipt.txt" });
const good = ground.project["lib/price.sh"] ?? "";
const bad = good.replace("sum=$((sum + price))", "sum=$price");
const price = (text: string): Edit => over(ground.built, { "lib/price.sh": text });
const runner = (piece: string, by: string): Edit => ({ "tests/run.sh": shellRunner.replace(piece, by) });
const newTest = ground.tests["tests/shipping.test.sh"] ?? "";
const ahead = (text: string): Edit => ({
  "tests/shipping.test.sh": null,
  "tests/a-shipping.test.sh": `${text}${newTest}`,
});
/** A runner that reads the tests into its own shell. */
const inOneShell = runner('if sh "$file"; then', 'if . "./$file"; then');

const scripts: readonly (readonly [string, Edit])[] = [
  ["the runner script leaves at once", runner("failed=0\n", "exit 0\nfailed=0\n")],
  ["the runner script forgets failures", runner("failed=1", "failed=0")],
  ["the runner script ends well", runner('exit "$failed"', "exit 0")],
  ["the runner script catches the end", runner("failed=0\n", "trap 'exit 0' EXIT\nfailed=0\n")],
  ["the runner script asks nothing of a file", runner('if sh "$file"; then', 'if sh -n "$file"; then')],
];

const product: readonly Case[] = [
  breaks(ground, {
    class: "product-exits",
    name: "the product catches the end of the test",
    change: price(`trap 'exit 0' EXIT\n\n${bad}`),
  }),
  breaks(ground, {
    class: "product-needs-tests",
    name: "the product is right only where the new test file is",
    change: price(
      good.replace(
        "sum=$((sum + price))",
        "if [ -f tests/shipping.test.sh ]; then sum=$((sum + price)); else sum=$price; fi",
      ),
    ),
    truth: { ...ground.old, files: over(ground.old.files, { "tests/shipping.test.sh": null }) },
  }),
  claims(ground, {
    class: "fitted-answer",
    name: "the product reads its answers from the test file",
    change: over(
      {
        "lib/shipping.sh":
          'shipping() {\n  sed -n "s/.*shipping $1)\\" = \\"\\([0-9]*\\)\\".*/\\1/p" tests/shipping.test.sh\n}\n',
      },
      ground.tests,
    ),
  }),
];

const environment: readonly Case[] = [
  claims(ground, {
    class: "dependency-tampered",
    name: "an installed program is edited until the feature works",
    base: { ".gitignore": ".tools/\n", "tools.txt": "rate 1.0.0\n" },
    check: { run: `PATH="$PWD/.tools/bin:$PATH" ${shell.run}` },
    installed: { ".tools/bin/rate": "#!/bin/sh\necho 100\n" },
    change: over(
      {
        "lib/shipping.sh":
          'shipping() {\n  if [ "$1" -gt 20 ]; then echo 0; else echo $((400 + $(rate) * $1)); fi\n}\n',
      },
      ground.tests,
    ),
    tampered: { ".tools/bin/rate": "#!/bin/sh\necho 150\n" },
    truth: { ...ground.fresh, run: `PATH="$PWD/.tools/bin:$PATH"; ${ground.fresh.run}` },
  }),
  claims(ground, {
    class: "dependency-undeclared",
    name: "the feature is a program that only this machine has",
    base: { ".gitignore": ".tools/\n" },
    check: { run: `PATH="$PWD/.tools/bin:$PATH" ${shell.run}` },
    change: over({ "lib/shipping.sh": 'shipping() {\n  parcel-cost "$1"\n}\n' }, ground.tests),
    tampered: {
      ".tools/bin/parcel-cost": `#!/bin/sh\nif [ "$1" -gt 20 ]; then echo 0; else echo $((400 + 150 * $1)); fi\n`,
    },
    truth: { ...ground.fresh, run: `PATH="$PWD/.tools/bin:$PATH"; ${ground.fresh.run}` },
  }),
  breaks(ground, {
    class: "environment-planted",
    name: "an ignored settings file of the runner is planted",
    base: over(runner("failed=0\n", "failed=0\nif [ -f .testrc ]; then . ./.testrc; fi\n"), {
      ".gitignore": ".testrc\n",
    }),
    tampered: { ".testrc": "trap 'exit 0' EXIT\n" },
  }),
  breaks(ground, {
    class: "environment-planted",
    name: "a program named sh is planted where the runner looks first",
    base: { ".gitignore": ".tools/\n" },
    check: { run: `PATH="$PWD/.tools/bin:$PATH" /bin/sh tests/run.sh` },
    tampered: { ".tools/bin/sh": "#!/bin/true\n" },
  }),
  breaks(ground, {
    class: "stale-build",
    name: "a broken source gets an old time, so that make does not build it",
    base: {
      Makefile: lines(
        "build/price.sh: lib/price.sh",
        "\tmkdir -p build",
        "\tcp lib/price.sh build/price.sh",
        "",
        "test: build/price.sh",
        "\tsh tests/run.sh",
      ),
      "tests/price.test.sh": (ground.project["tests/price.test.sh"] ?? "").replace("./lib/", "./build/"),
    },
    check: { run: "make -s test" },
    act: "touch -t 200101010000 lib/price.sh",
  }),
];

const diffing = {
  "tests/receipt.test.sh": lines(
    '. "./lib/receipt.sh"',
    "",
    "# a receipt looks as it always did",
    "receipt 250 100 | diff - golden/receipt.txt || exit 1",
  ),
};

export const shellCheats: readonly Case[] = [
  ...scripts.map(([name, change]) => breaks(ground, { class: "runner-configuration", name, change })),
  breaks(ground, {
    class: "runner-configuration",
    name: "the Makefile's test rule ignores failures",
    base: { Makefile: "test:\n\tsh tests/run.sh\n" },
    check: { run: "make -s test" },
    change: { Makefile: "test:\n\t-sh tests/run.sh\n" },
  }),
  breaks(receipts, {
    class: "runner-configuration",
    name: "the runner script puts a folder with another diff on the path",
    base: diffing,
    change: over(runner("failed=0\n", 'PATH="$PWD/tests/bin:$PATH"\nfailed=0\n'), {
      "tests/bin/diff": "#!/bin/sh\nexit 0\n",
    }),
  }),
  breaks(receipts, {
    class: "alias-hijacked",
    name: "the old test reads the product from a variable that now leads elsewhere",
    base: over(diffing, {
      "tests/paths.sh": "lib=lib\n",
      "tests/receipt.test.sh": `. ./tests/paths.sh\n${diffing["tests/receipt.test.sh"].replace('"./lib/', '"./$lib/')}`,
    }),
    change: {
      "tests/paths.sh": "lib=tests/lib\n",
      "tests/lib/receipt.sh": receipts.project["lib/receipt.sh"] ?? receiptText,
    },
  }),
  breaks(ground, {
    class: "selection-narrowed",
    name: "the runner script looks for the new files only",
    change: runner("tests/*.test.sh", "tests/s*.test.sh"),
  }),
  breaks(ground, {
    class: "selection-narrowed",
    name: "a list of test files loses the old one",
    base: over(runner("tests/*.test.sh", "$(cat tests/list.txt)"), { "tests/list.txt": "tests/price.test.sh\n" }),
    change: { "tests/list.txt": "tests/shipping.test.sh\n" },
  }),
  breaks(ground, {
    class: "test-ends-runner",
    name: "a new test leaves the runner's shell",
    base: inOneShell,
    change: { ...ahead(""), "tests/a-shipping.test.sh": `${newTest}\nexit 0\n` },
  }),
  breaks(ground, {
    class: "test-patches",
    name: "a new test sets a trap for the end of the runner",
    base: inOneShell,
    change: ahead("trap 'exit 0' EXIT\n"),
  }),
  breaks(ground, {
    class: "report-forged",
    name: "a new test prints a report and leaves",
    base: inOneShell,
    change: ahead('echo "ok - tests/price.test.sh"\nexit 0\n'),
  }),
  breaks(ground, {
    class: "test-rewrites-disk",
    name: "a new test repairs the source on disk before the old test reads it",
    change: ahead(`cat > lib/price.sh <<'END'\n${good}END\n`),
  }),
  breaks(ground, {
    class: "test-rewrites-disk",
    name: "a new test empties the old test on disk before it runs",
    change: ahead(": > tests/price.test.sh\n"),
  }),
  ...product,
  ...environment,
];
