// Checks that are not what they should be.
import { asksBell, builder, evaluator, one, right, sample, settings } from "../sample.mjs";

const make = (check, files = {}, more = "limits: { rework: 1 }\n") =>
  sample({
    scenes: [builder("F001", right("F001")), evaluator],
    features: one,
    yaml: settings(more, check),
    files,
  });
const run = { loop: ["run"] };

export const checks = {
  flaky: {
    files: make(
      "{ name: test, run: sh flaky.sh }",
      {
        "ask.mjs": asksBell("flip"),
        "flaky.sh": "if [ -f src/F001.js ]; then node ask.mjs || exit 1; fi\nexec sh run-tests.sh\n",
      },
      "limits: { rework: 1 }\nroom: { env: [COMPARE_BELL] }\n",
    ),
    steps: [run, { loop: ["inbox"] }],
  },
  "red-baseline": {
    files: make("{ name: test, run: sh run-tests.sh }", { "src/old.js": "export const old = () => 2;\n" }),
    steps: [
      run,
      { write: { "src/old.js": "export const old = () => 1;\n" } },
      { loop: ["continue"] },
      { git: ["commit", "--quiet", "--all", "--message", "green"] },
      { loop: ["continue"] },
    ],
  },
  "turn-green": {
    files: make("{ name: test, run: sh run-tests.sh, must: turn-green, tests: ['test/**'] }", {
      "test/wanted.test.js":
        'import assert from "node:assert/strict";\nimport { f001 } from "../src/F001.js";\nassert.equal(f001(), "F001");\n',
    }),
    steps: [run],
  },
  "green-already": { files: make("{ name: test, run: sh run-tests.sh, must: turn-green }"), steps: [run] },
  "never-ends": {
    files: make("{ name: test, run: sh hang.sh, timeout_s: 1 }", {
      "hang.sh": "[ -f src/F001.js ] && { trap '' TERM; sleep 300 & sleep 300; }\nexit 0\n",
    }),
    steps: [run],
  },
  "leaves-files": {
    files: make("{ name: test, run: sh dirty.sh }", {
      "dirty.sh": "echo rubbish > rubbish.txt; echo '// touched' >> src/old.js; exec sh run-tests.sh\n",
    }),
    steps: [run],
  },
};
