// Every cap is reached exactly, then raised to continue.
import { builder, evaluator, feature, right, sample, settings, two, untested } from "../sample.mjs";

const files = sample({ scenes: [...["F001", "F002"].map((id) => builder(id, right(id))), evaluator], features: two });
/** A cap, and a higher one. */
const capped = (flag, few, many, made = files) => ({
  files: made,
  steps: [{ loop: ["run", flag, few] }, { loop: ["status"] }, { loop: ["continue", flag, many] }],
});
/** Much longer than the cap, so that a busy machine makes no difference. */
const slow = sample({
  scenes: [builder("F001", [{ do: "sleep", ms: 4000 }, ...right("F001")]), builder("F002", right("F002")), evaluator],
  features: two,
});
const slowCheck = sample({
  scenes: [...["F001", "F002"].map((id) => builder(id, right(id))), evaluator],
  features: two,
  yaml: settings("", "{ name: test, run: sh slow.sh, timeout_s: 60 }"),
  files: { "slow.sh": "[ -f src/F001.js ] && [ ! -f src/F002.js ] && sleep 2\nexec sh run-tests.sh\n" },
});

export const caps = {
  cost: capped("--budget", "0.02", "5"),
  sessions: capped("--sessions", "1", "9"),
  iterations: capped("--iterations", "1", "9"),
  commits: capped("--commits", "1", "9"),
  tokens: capped("--tokens", "1100", "90000"),
  minutes: capped("--minutes", "0.05", "30", slow),
  "check-minutes": capped("--check-minutes", "0.06", "30", slowCheck),
  "above-the-ceiling": {
    files,
    steps: [{ loop: ["run", "--iterations", "5000"] }, { loop: ["run", "--budget", "no"] }],
  },
  rework: {
    files: sample({
      scenes: [builder("F001", untested("F001")), builder("F002", right("F002")), evaluator],
      features: [feature("F001"), feature("F002", { dependencies: ["F001"] })],
      yaml: settings("limits: { rework: 0 }\n"),
    }),
    steps: [{ loop: ["run"] }, { loop: ["inbox"] }],
  },
};
