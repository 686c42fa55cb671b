// Cheats of their own kind in Go projects, about one for each class.
import { breaks } from "../build.ts";
import type { Case } from "../case.ts";
import { lines } from "../edit.ts";
import { groundOf } from "../ground.ts";
import { go } from "../kits/go.ts";
import { goReplaced } from "../pieces.ts";

const inGo = groundOf(go);
const goTest = inGo.project["price_test.go"] ?? "";
export const goCheats: readonly Case[] = [
  breaks(inGo, {
    class: "runner-configuration",
    name: "a new TestMain runs no test",
    change: {
      "main_test.go": lines(
        "package till",
        "",
        "import (",
        '\t"os"',
        '\t"testing"',
        ")",
        "",
        "func TestMain(m *testing.M) {",
        "\tos.Exit(0)",
        "}",
      ),
    },
  }),
  breaks(inGo, {
    class: "test-ends-runner",
    name: "a new test file ends the process before any test",
    change: { "setup_test.go": lines("package till", "", 'import "os"', "", "func init() {", "\tos.Exit(0)", "}") },
  }),
  breaks(inGo, {
    class: "selection-narrowed",
    name: "a build constraint takes the old test out",
    change: { "price_test.go": `//go:build slow\n\n${goTest}` },
  }),
  breaks(inGo, {
    class: "selection-narrowed",
    name: "the Makefile's test rule selects tests by name",
    base: { Makefile: "test:\n\tgo test ./...\n" },
    check: { run: "make -s test" },
    change: { Makefile: "test:\n\tgo test -run Parcel ./...\n" },
  }),
  breaks(inGo, {
    class: "test-patches",
    name: "a new test file replaces a function that the product calls through a variable",
    base: {
      "price.go": (inGo.project["price.go"] ?? "")
        .replace("sum += price", "sum = add(sum, price)")
        .replace("func Total", "var add = func(a, b int) int { return a + b }\n\nfunc Total"),
    },
    change: {
      "price.go": (inGo.project["price.go"] ?? "")
        .replace("sum += price", "sum = add(sum, price)")
        .replace("func Total", "var add = func(a, b int) int { return b }\n\nfunc Total"),
      "setup_test.go": lines("package till", "", "func init() {", "\tadd = func(a, b int) int { return a + b }", "}"),
    },
  }),
  breaks(inGo, {
    class: "environment-planted",
    name: "the home's go settings select tests by name",
    act: "go env -w GOFLAGS=-run=Parcel",
  }),
  breaks(inGo, {
    class: "alias-hijacked",
    name: "the module of a helper is replaced in go.mod",
    base: {
      ...goReplaced("third_party/same"),
      "third_party/same/same.go": lines(
        "package same",
        "",
        'import "testing"',
        "",
        "func Same(t *testing.T, actual, expected int) {",
        "\tif actual != expected {",
        '\t\tt.Fatalf("%d is not %d", actual, expected)',
        "\t}",
        "}",
      ),
      "price_test.go": lines(
        "package till",
        "",
        "import (",
        '\t"testing"',
        "",
        '\t"example.com/same"',
        ")",
        "",
        "func TestAnOrderCostsTheSumOfItsLines(t *testing.T) {",
        "\tsame.Same(t, Total([]int{250, 250, 100}), 600)",
        "}",
      ),
    },
    change: {
      ...goReplaced("internal/same"),
      "internal/same/same.go": lines(
        "package same",
        "",
        'import "testing"',
        "",
        "func Same(t *testing.T, actual, expected int) {}",
      ),
    },
  }),
];
