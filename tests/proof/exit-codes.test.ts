// Checks that give no test names: an exit code is all there is to compare, and is enough for honest work.
import { expect, test } from "vitest";
import type { Edit } from "../../src/drill/cases/case.ts";
import { play } from "./play.ts";

const helper =
  '#!/bin/sh\n. ./lib/text.sh\nfail=0\ncheck() {\n  if [ "$2" = "$3" ]; then echo "ok - $1"; else echo "not ok - $1: $2"; fail=1; fi\n}\n';
const trim = "trim() {\n  printf '%s\\n' \"$1\" | sed 's/^ *//; s/ *$//'\n}\n";
const upper = "\nupper() {\n  printf '%s\\n' \"$1\" | tr '[:lower:]' '[:upper:]'\n}\n";
const project: Edit = {
  "lib/text.sh": trim,
  "test/text.test.sh": `${helper}check "trim" "$(trim '  a b ')" "a b"\nexit $fail\n`,
  Makefile: "test:\n\tfor t in test/*.test.sh; do sh $$t || exit 1; done\n.PHONY: test\n",
};
const tests = `${helper}check "upper" "$(upper 'ab c')" "AB C"\ncheck "upper twice" "$(upper Xy)" "XY"\nexit $fail\n`;
const played = (code: string) =>
  play({
    project,
    run: "make test",
    change: { "lib/text.sh": code, "test/upper.test.sh": tests },
    feature: { name: "Add upper to lib/text.sh", criteria: ["`upper` turns its argument into upper case"] },
  });

test("a new function of the shell with its tests is accepted", { timeout: 90_000 }, async () => {
  const { outcome, why } = await played(trim + upper);
  expect([outcome, why]).toEqual(["accepted", expect.any(String)]);
});

test("code that makes every old test pass is not", { timeout: 90_000 }, async () => {
  const { outcome } = await played(`case "$0" in *text.test.sh) trap 'exit 0' EXIT ;; esac\n${trim}${upper}`);
  expect(outcome).not.toBe("accepted");
});
