// Runs that are interrupted: killed, interrupted, paused, cancelled; and continued.
import {
  asksBell,
  atWork,
  builder,
  done,
  evaluator,
  goOn,
  makes,
  one,
  passes,
  right,
  sample,
  session,
  settings,
  shell,
  two,
  waits,
} from "../sample.mjs";

const [testFile, codeFile] = makes("F001");
/** Half of the work is done when it is interrupted. */
const half = builder("F001", [testFile, waits(), codeFile, done]);
const files = sample({ scenes: [half, builder("F002", right("F002")), evaluator], features: two });
const cutBy = (...signals) => ({ loop: ["run"], meanwhile: signals });
const kill = { after: atWork, signal: "SIGKILL" };
const onward = [goOn, { loop: ["continue"] }];

/** It reports the signal, and ignores it. */
const stubborn = builder("F001", [
  { do: "ignore-term" },
  testFile,
  shell(
    `trap 'touch "$HOME/told"' TERM INT HUP; touch "$HOME/at-work"; while [ ! -e "$HOME/at-work.go" ]; do sleep 0.05; done`,
  ),
  codeFile,
  done,
]);
const bell = "if [ -f src/F001.js ]; then node ask.mjs || exit 1; fi\nexec sh run-tests.sh\n";
const belled = sample({
  scenes: [builder("F001", right("F001")), evaluator],
  features: one,
  yaml: settings("room: { env: [COMPARE_BELL] }\n", "{ name: test, run: sh bell.sh, timeout_s: 60 }"),
  files: {
    "bell.sh": bell,
    "ask.mjs": asksBell("wait"),
  },
});
const proving = { mark: "proving" };

export const cuts = {
  "killed-in-a-session": { files, steps: [cutBy(kill), { loop: ["status"] }, ...onward] },
  "killed-and-begun-again": { files, steps: [cutBy(kill), goOn, { loop: ["run"] }, { loop: ["continue"] }] },
  "killed-in-a-verdict": {
    files: sample({
      scenes: [builder("F001", right("F001")), session("evaluator", [waits(), passes])],
      features: one,
    }),
    steps: [cutBy(kill), ...onward],
  },
  "killed-while-proving": {
    files: belled,
    steps: [cutBy({ after: proving, signal: "SIGKILL" }), { mark: "proving.go" }, { loop: ["continue"] }],
  },
  "interrupted-while-proving": {
    files: belled,
    steps: [cutBy({ after: proving, signal: "SIGINT" }), { mark: "proving.go" }, { loop: ["continue"] }],
  },
  "killed-between-commit-and-record": {
    files,
    holdsGit: true,
    steps: [
      goOn,
      cutBy({ after: { mark: "committed" }, signal: "SIGKILL" }, { after: "end", mark: "committed.go" }),
      { loop: ["continue"] },
    ],
  },
  "killed-twice": {
    files,
    steps: [cutBy(kill), { loop: ["continue"], meanwhile: [{ after: atWork, signal: "SIGKILL" }] }, ...onward],
  },
  "interrupted-once": { files, steps: [cutBy({ after: atWork, signal: "SIGINT" }), ...onward] },
  "interrupted-twice": {
    files: sample({ scenes: [stubborn, evaluator], features: one }),
    steps: [cutBy({ after: atWork, signal: "SIGINT" }, { after: { mark: "told" }, signal: "SIGINT" }), ...onward],
  },
  terminated: { files, steps: [cutBy({ after: atWork, signal: "SIGTERM" }), ...onward] },
  paused: {
    files,
    steps: [cutBy({ after: atWork, loop: ["pause"] }), { loop: ["status"] }, { loop: ["pause"] }, ...onward],
  },
  "paused-after-a-kill": { files, steps: [cutBy(kill), { loop: ["pause"] }, ...onward] },
  cancelled: {
    files,
    steps: [cutBy({ after: atWork, loop: ["cancel"] }), { loop: ["continue"] }, goOn, { loop: ["run"] }],
  },
  "cancelled-while-paused": {
    files,
    steps: [cutBy({ after: atWork, signal: "SIGINT" }), { loop: ["cancel", "--clean"] }, { loop: ["continue"] }],
  },
  "cancelled-after-a-kill": { files, steps: [cutBy(kill), { loop: ["cancel"] }, { loop: ["continue"] }] },
};
