// A small project in which an agent does the same as in the demo, without the pauses.
import type { Files } from "./project.ts";

type Step = Record<string, unknown>;
const write = (path: string, text: string): Step => ({ do: "write", path, text });
const done: Step = { do: "reply", reply: { status: "done", summary: "done" } };
export const usage = { input_tokens: 1000, output_tokens: 100, cost_usd: 0.01 };

export const feature = (id: string, extra: Record<string, unknown> = {}) => ({
  id,
  name: `Add ${id.toLowerCase()}()`,
  priority: 1,
  status: "not-started",
  description: `A function ${id.toLowerCase()}() that returns its own name.`,
  acceptance_criteria: [`${id.toLowerCase()}() returns '${id}'`],
  dependencies: [],
  ...extra,
});

const code = (id: string, answer = id): string => `export const ${id.toLowerCase()} = () => "${answer}";\n`;
const test = (id: string): string => `import assert from "node:assert/strict";
import { ${id.toLowerCase()} } from "../src/${id}.js";
assert.equal(${id.toLowerCase()}(), "${id}");
`;

/** Logs each call, so that a second call for the same session would show. */
const paid: Step = { do: "run", command: 'echo "$LOOP_SESSION" >> "$HOME/paid.log"' };

export const right = (id: string): Step[] => [
  paid,
  write(`test/${id}.test.js`, test(id)),
  write(`src/${id}.js`, code(id)),
  done,
];
export const lie: Step[] = [paid, done];
/** Weakens the existing test, and breaks the code that it tested. */
export const tamper = (id: string): Step[] => [
  paid,
  write("src/old.js", "export const old = () => 2;\n"),
  write(
    "test/old.test.js",
    'import assert from "node:assert/strict";\nimport { old } from "../src/old.js";\nassert.equal(old(), 2);\n',
  ),
  write(`test/${id}.test.js`, test(id)),
  write(`src/${id}.js`, code(id)),
  done,
];

export const builder = (featureId: string, attempt: number, steps: Step[]) => ({
  role: "builder",
  feature: featureId,
  attempt,
  steps,
  usage,
});
export const evaluator = {
  role: "evaluator",
  steps: [
    paid,
    {
      do: "reply",
      reply: {
        verdict: "pass",
        summary: "seen",
        criteria: [
          { criterion: "C1", met: true, verification: "execution output", evidence: [{ command: "sh run-tests.sh" }] },
        ],
      },
    },
  ],
  usage,
};

export function sampleFiles(scenes: readonly object[], features: readonly object[], extra: Files = {}): Files {
  return {
    "package.json": '{ "name": "sample", "private": true, "type": "module" }\n',
    "src/old.js": "export const old = () => 1;\n",
    "test/old.test.js":
      'import assert from "node:assert/strict";\nimport { old } from "../src/old.js";\nassert.equal(old(), 1);\n',
    "run-tests.sh": 'for file in test/*.test.js; do node "$file" || exit 1; done\n',
    "loop.yaml":
      "version: 1\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\nchecks: [{ name: test, run: sh run-tests.sh, timeout_s: 60 }]\nallow: never\n",
    "rehearsal.json": JSON.stringify({ version: 1, scenes }, null, 2),
    "docs/FEATURES.json": `${JSON.stringify({ version: 1, features }, null, 2)}\n`,
    ".gitignore": "node_modules/\nignored.txt\n",
    ...extra,
  };
}

/** A false claim, a tampered test, and two features that succeed in the end. */
export const eventful = (): Files =>
  sampleFiles(
    [
      builder("F001", 1, lie),
      builder("F001", 2, right("F001")),
      builder("F002", 1, tamper("F002")),
      builder("F002", 2, right("F002")),
      evaluator,
    ],
    [feature("F001"), feature("F002", { priority: 2 })],
  );
