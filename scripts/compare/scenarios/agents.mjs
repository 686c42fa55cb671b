// Agents that cannot continue: limits, outages, crashes, no reply, no credit, a full context.
import { builder, evaluator, makes, nowPlayed, once, one, right, sample, settings, two } from "../sample.mjs";

const work = (before, more = {}) =>
  sample({ scenes: [builder("F001", [...before, ...right("F001")]), evaluator], features: one, ...more });
const run = { loop: ["run"] };
const later = { loop: ["continue"], isLater: true };
const passing = `printf '{"verdict":"pass","summary":"ok","criteria":[{"criterion":"C1","met":true,"verification":"observation"}],"usage":{"cost_usd":0}}' > "$LOOP_REPLY_FILE"`;
const working = `echo 'export const f001 = () => "F001";' > src/F001.js
printf 'import assert from "node:assert/strict";\\nimport { f001 } from "../src/F001.js";\\nassert.equal(f001(), "F001");\\n' > test/F001.test.js
printf '{"status":"done","summary":"x","usage":{"cost_usd":0}}' > "$LOOP_REPLY_FILE"`;
const twoAgents = `version: 1
agents:
  maker: { kind: rehearsal, script: rehearsal.json }
  checker: { kind: command, command: [sh, other.sh] }
checks: [{ name: test, run: sh run-tests.sh }]
on_limit: switch
`;

export const agents = {
  "limit-waited-for": {
    files: work([{ do: "limited", retry_after_s: 0 }]),
    // An hour ahead, the agent's reset time has already passed when the loop reads it.
    steps: [{ loop: ["run"], isLater: true }],
  },
  "limit-not-waited-for": {
    files: work([{ do: "limited", retry_after_s: 600 }]),
    steps: [{ loop: ["run", "--no-wait"] }, { loop: ["status"] }, { loop: ["continue", "--no-wait"] }, later],
  },
  "limit-stops": {
    files: work([{ do: "limited", retry_after_s: 600 }], { yaml: settings("on_limit: stop\n") }),
    steps: [run, later],
  },
  "limit-other-agent": {
    files: sample({
      scenes: [builder("F001", [{ do: "limited", retry_after_s: 3600 }])],
      features: one,
      yaml: twoAgents,
      files: { "other.sh": `if [ "$LOOP_ROLE" = evaluator ]; then ${passing}; else ${working}; fi\n` },
    }),
    steps: [run],
  },
  "outage-retried": { files: work([{ do: "transient" }]), steps: [{ loop: ["run", "--no-wait"] }, later] },
  "crash-then-right": {
    files: sample({
      scenes: [
        builder("F001", [...makes("F001"), { do: "crash" }], { attempt: 1 }),
        builder("F001", right("F001")),
        evaluator,
      ],
      features: one,
    }),
    steps: [run],
  },
  "crashes-only": {
    files: sample({
      scenes: [builder("F001", [...makes("F001"), { do: "crash" }]), builder("F002", right("F002")), evaluator],
      features: two,
    }),
    steps: [run, { loop: ["inbox"] }],
  },
  "no-reply": {
    files: sample({ scenes: [builder("F001", makes("F001")), evaluator], features: one }),
    steps: [run],
  },
  "no-credit": {
    files: sample({
      scenes: [
        builder("F001", right("F001"), once),
        builder("F001", [{ do: "fail", class: "billing", times: 9 }]),
        evaluator,
      ],
      features: one,
    }),
    steps: [run, nowPlayed, { loop: ["continue"] }],
  },
  "checker-fails-first": {
    files: sample({
      scenes: [
        builder("F001", right("F001")),
        { ...evaluator, steps: [{ do: "fail", class: "crashed" }, ...evaluator.steps] },
      ],
      features: one,
    }),
    steps: [run],
  },
};
