// A project and its scripted agents for one sentence: three features are planned and built, the audit finds a gap, and
// a follow-up closes it.
import { Project } from "../support/project.ts";

export const sentence =
  "Give the words library shout, count and reverse in src/words, each with a test, and list all three in README.md.";

type Step = Record<string, unknown>;
const usage = { input_tokens: 1000, output_tokens: 100, cost_usd: 0.01 };
const reply = (answer: object): Step[] => [{ do: "reply", reply: answer }];
const write = (path: string, text: string): Step => ({ do: "write", path, text });
const test = (name: string, input: string, output: string): string => `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${name} } from "../src/words/${name}.js";
test("${name}", () => assert.deepEqual(${name}(${input}), ${output}));
`;

const works = {
  F001: { name: "shout", code: "(text) => text.toUpperCase()", input: '"a"', output: '"A"' },
  F002: { name: "count", code: "(text) => text.split(/\\s+/).filter(Boolean).length", input: '"a b"', output: "2" },
  F003: { name: "reverse", code: '(text) => [...text].reverse().join("")', input: '"ab"', output: '"ba"' },
} as const;

const build = Object.entries(works).map(([feature, { name, code, input, output }]) => ({
  role: "builder",
  feature,
  usage,
  steps: [
    write(`test/${name}.test.js`, test(name, input, output)),
    write(`src/words/${name}.js`, `export const ${name} = ${code};\n`),
    ...reply({ status: "done", summary: `${name} is there.` }),
  ],
}));

const plan = Object.entries(works).map(([, { name, input, output }], at) => ({
  id: `F${at + 1}`,
  name: `Add ${name}`,
  description: `src/words/${name}.js exports ${name}.`,
  acceptance_criteria: [`${name}(${input}) is ${output}`],
  dependencies: at === 0 ? [] : [`F${at}`],
}));

const pass = {
  verdict: "pass",
  summary: "Seen to work.",
  criteria: [{ criterion: "C1", met: true, verification: "execution output", evidence: [{ command: "npm test" }] }],
};
const agreed = { verdict: "pass", summary: "Nothing against it.", findings: [] };
const gap = {
  status: "needs-followup",
  summary: "Three functions, and no list of them.",
  gaps: [
    {
      id: "G1",
      severity: "blocking",
      summary: "README.md lists shout, count and reverse",
      evidence: ["ls README.md: no such file"],
    },
    { id: "G2", severity: "minor", summary: "count() does not say what a word is", evidence: ["src/words/count.js"] },
  ],
  revised_request: "List shout, count and reverse in README.md.",
};

export const scenes = (extra: readonly object[] = []): object[] => [
  ...extra,
  { role: "planner", usage, steps: reply({ status: "done", summary: "Three features.", features: plan }) },
  { role: "plan-verifier", usage, steps: reply(agreed) },
  ...build,
  {
    role: "builder",
    feature: "F004",
    usage,
    steps: [
      write("test/readme.test.js", readmeTest()),
      write("README.md", "# Words\n\n- shout\n- count\n- reverse\n"),
      ...reply({ status: "done", summary: "The list is there." }),
    ],
  },
  { role: "evaluator", usage, steps: reply(pass) },
  { role: "auditor", where: "README.md", usage, steps: reply({ status: "passed", summary: "All there.", gaps: [] }) },
  { role: "auditor", usage, steps: reply(gap) },
  { role: "audit-verifier", usage, steps: reply(agreed) },
];

function readmeTest(): string {
  return `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
test("the README lists every function", () => {
  const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  for (const name of ["shout", "count", "reverse"]) assert.ok(text.includes(name), name);
});
`;
}

export function sentenceProject(options: { loopYaml?: string; scenes?: readonly object[] } = {}): Project {
  return new Project({
    "package.json": '{ "name": "words", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/words/trim.js": "export const trim = (text) => text.trim();\n",
    "test/trim.test.js": test("trim", '" a "', '"a"'),
    "rehearsal.json": `${JSON.stringify({ version: 1, scenes: scenes(options.scenes) }, null, 2)}\n`,
    "loop.yaml": `version: 1
agents: { maker: { kind: rehearsal, script: rehearsal.json } }
checks: [{ name: test, run: npm test }]
stages: [plan, implement, audit]
${options.loopYaml ?? ""}`,
  });
}
