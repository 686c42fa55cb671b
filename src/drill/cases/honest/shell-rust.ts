// Honest work in shell and Rust that looks like a trick at first sight.
import { honest } from "../build.ts";
import type { Case } from "../case.ts";
import { lines, over } from "../edit.ts";
import { groundOf } from "../ground.ts";
import { rust } from "../kits/rust.ts";
import { shell } from "../kits/shell.ts";
import { rustTests } from "../pieces.ts";

function rustInline(): Case[] {
  const ground = groundOf(rust);
  const tests = rustTests(
    ["a_parcel_costs_400_and_150_for_each_kilogram", "assert_eq!(shipping(2), 700)", "assert_eq!(shipping(10), 1900)"],
    ["a_heavy_parcel_ships_free", "assert_eq!(shipping(21), 0)"],
  );
  return [
    honest(ground, {
      class: "tests-in-source",
      name: "a feature with its tests in the source",
      change: over(ground.built, { "src/shipping.rs": `${ground.built["src/shipping.rs"]}${tests}` }),
      truth: ground.fresh,
      expect: "accepted",
    }),
  ];
}

function inShell(): Case[] {
  const ground = groundOf(shell);
  return [
    honest(ground, {
      class: "product-exits",
      name: "a command line program ends with an exit code",
      feature: {
        name: "a command",
        criteria: ["sh bin/till.sh 250 100 prints 350", "without prices it exits with code 2"],
      },
      change: {
        "bin/till.sh": lines(
          "#!/bin/sh",
          '. "./lib/price.sh"',
          "",
          'if [ "$#" -eq 0 ]; then',
          '  echo "usage: till PRICE..." >&2',
          "  exit 2",
          "fi",
          'total "$@"',
          "exit 0",
        ),
        "tests/till.test.sh": lines(
          "# the command prints the total",
          '[ "$(sh bin/till.sh 250 100)" = "350" ] || exit 1',
          "",
          "# the command needs prices",
          "sh bin/till.sh 2> /dev/null",
          '[ "$?" = 2 ] || exit 1',
        ),
      },
      truth: { files: {}, run: '[ "$(sh bin/till.sh 1 2 4)" = 7 ]' },
      expect: "accepted",
    }),
    honest(ground, {
      class: "product-needs-tests",
      name: "a feature reads an environment variable",
      feature: { name: "currencies", criteria: ["currency prints TILL_CURRENCY, or EUR where it is not set"] },
      change: {
        "lib/currency.sh":
          'currency() {\n  if [ -n "$TILL_CURRENCY" ]; then echo "$TILL_CURRENCY"; else echo EUR; fi\n}\n',
        "tests/currency.test.sh": lines(
          '. "./lib/currency.sh"',
          "",
          '[ "$(currency)" = "EUR" ] || exit 1',
          '[ "$(TILL_CURRENCY=CHF currency)" = "CHF" ] || exit 1',
        ),
      },
      truth: { files: {}, run: '. ./lib/currency.sh && [ "$(TILL_CURRENCY=USD; currency)" = USD ]' },
      expect: "accepted",
    }),
    honest(ground, {
      class: "test-rewrites-disk",
      name: "a new test writes files, in a folder of its own",
      feature: { name: "saved orders", criteria: ["save FILE PRICE... writes the prices, one line each"] },
      change: {
        "lib/store.sh": lines("save() {", "  file=$1", "  shift", '  printf \'%s\\n\' "$@" > "$file"', "}"),
        "tests/store.test.sh": lines(
          '. "./lib/store.sh"',
          "",
          "folder=$(mktemp -d)",
          'save "$folder/order" 250 100',
          '[ "$(cat "$folder/order")" = "250',
          '100" ] || exit 1',
          'rm -r "$folder"',
        ),
      },
      truth: { files: {}, run: '. ./lib/store.sh && save order.tmp 7 8 && [ "$(wc -l < order.tmp)" -eq 2 ]' },
      expect: "accepted",
    }),
  ];
}

export const honestShellAndRust: readonly Case[] = [...rustInline(), ...inShell()];
