// Usage limits and full contexts are states, not errors.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { evaluator, feature, right, sampleFiles, usage } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const verdict = `printf '{"verdict":"pass","summary":"ok","criteria":[{"criterion":"C1","met":true,"verification":"observation"}],"usage":{"cost_usd":0}}' > "$LOOP_REPLY_FILE"`;
const work = `echo 'export const f001 = () => "F001";' > src/F001.js
printf 'import assert from "node:assert/strict";\\nimport { f001 } from "../src/F001.js";\\nassert.equal(f001(), "F001");\\n' > test/F001.test.js
printf '{"status":"done","summary":"x","usage":{"cost_usd":0}}' > "$LOOP_REPLY_FILE"`;

test("with two agents and on_limit: switch, the other one takes over and the run ends without waiting", {
  timeout: 90_000,
}, async () => {
  const limited = [{ do: "limited", retry_after_s: 3600 }];
  project = new Project(
    sampleFiles(
      [
        { role: "builder", steps: limited, usage },
        { role: "evaluator", steps: limited, usage },
      ],
      [feature("F001")],
      {
        "other.sh": `if [ "$LOOP_ROLE" = evaluator ]; then ${verdict}; else ${work}; fi\n`,
        "loop.yaml":
          "agents:\n  maker: { kind: rehearsal, script: rehearsal.json }\n  checker: { kind: command, command: [sh, other.sh] }\nchecks: [{ name: test, run: sh run-tests.sh }]\non_limit: switch\n",
      },
    ),
  );
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("limited");
  const attempts = project.events().filter(({ type }) => type === "checkpointed");
  expect(attempts).toHaveLength(1);
});

test("with one agent the run waits for the limit; --no-wait exits with 8, and nothing counts as rework", {
  timeout: 90_000,
}, async () => {
  project = new Project(
    sampleFiles(
      [
        { role: "builder", steps: [{ do: "limited", retry_after_s: 3600, times: 1 }, ...right("F001")], usage },
        evaluator,
      ],
      [feature("F001")],
    ),
  );
  const { code, stdout } = await project.loop("run", "--no-wait");
  expect(code).toBe(8);
  expect(stdout).toContain("Waits until");
  const status = JSON.parse((await project.loop("status", "--json")).stdout);
  expect(status.phase).toBe("waiting");
  expect(Date.parse(status.waitingUntil)).toBeGreaterThan(Date.now() + 3000_000);
  expect((await project.loop("continue", "--no-wait")).code).toBe(8);
});

test("a session whose context is full is closed, and a fresh one continues from a written handoff", {
  timeout: 90_000,
}, async () => {
  const [paid, testFile, codeFile, done] = right("F001");
  const steps = [
    { do: "run", command: "test ! -f test/F001.test.js && touch $HOME/first || rm -f $HOME/first" },
    paid,
    testFile,
    { do: "context", used: 95, size: 100 },
  ];
  project = new Project(
    sampleFiles(
      [{ role: "builder", steps: [...steps, { do: "sleep", ms: 60_000 }, codeFile, done], usage }, evaluator],
      [feature("F001")],
    ),
  );
  const run = await project.loop("run");
  // The same scene fills up every time until the breaker stops the run; each session got the previous one's handoff.
  expect(run.code).toBe(4);
  expect(run.stderr).toContain("context-full");
  const prompts = await project.loop("show", "--json");
  expect(prompts.code).toBe(0);
  expect(project.prompts("builder").at(-1)).toContain("ran out of context");
  expect(project.prompts("builder").at(-1)).toContain("test/F001.test.js: added");
});
