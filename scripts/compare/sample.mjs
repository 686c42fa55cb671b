// A small project and the scenes of a scripted agent, as building blocks for scenarios.

const usage = { input_tokens: 1000, output_tokens: 100, cost_usd: 0.01 };

export const write = (path, text) => ({ do: "write", path, text });
export const reply = (answer) => ({ do: "reply", reply: answer });
export const shell = (command) => ({ do: "run", command });
export const done = reply({ status: "done", summary: "done" });

/** The agent leaves a mark, and continues when a person has left another. A resumed session stops here again. */
export const waits = (name = "at-work") =>
  shell(`touch "$HOME/${name}"; while [ ! -e "$HOME/${name}.go" ]; do sleep 0.05; done`);
export const atWork = { mark: "at-work" };
export const goOn = { mark: "at-work.go" };

const noted = shell(`echo "$LOOP_ROLE $LOOP_FEATURE attempt $LOOP_ATTEMPT" | tr -s " " >> "$HOME/sessions.log"`);

/** A session of a role. `more`: feature, attempt, and a file that selects it. */
export const session = (role, steps, more = {}) => ({ role, ...more, steps: [noted, ...steps], usage });
export const builder = (feature, steps, more = {}) => session("builder", steps, { feature, ...more });
/** Played once a person has written this file, which git ignores. */
export const once = { where: "ignored.txt" };
export const nowPlayed = { write: { "ignored.txt": "" } };

const code = (id) => `export const ${id.toLowerCase()} = () => "${id}";\n`;
const testOf = (id) => `import assert from "node:assert/strict";
import { ${id.toLowerCase()} } from "../src/${id}.js";
assert.equal(${id.toLowerCase()}(), "${id}");
`;
export const oldTest = (answer) => `import assert from "node:assert/strict";
import { old } from "../src/old.js";
assert.equal(old(), ${answer});
`;

export const makes = (id) => [write(`test/${id}.test.js`, testOf(id)), write(`src/${id}.js`, code(id))];
export const right = (id) => [...makes(id), done];
/** The code without a test: nothing proves that it does what was requested. */
export const untested = (id) => [write(`src/${id}.js`, code(id)), done];
/** Weakens the existing test, and breaks what it tested. */
export const tampers = (id) => [
  write("src/old.js", "export const old = () => 2;\n"),
  write("test/old.test.js", oldTest(2)),
  ...right(id),
];

const seen = { verification: "execution output", evidence: [{ command: "sh run-tests.sh" }] };
export const passes = reply({
  verdict: "pass",
  summary: "seen",
  criteria: [{ criterion: "C1", met: true, ...seen }],
});
export const refuses = (why) =>
  reply({
    verdict: "fail",
    summary: why,
    root_cause: why,
    criteria: [{ criterion: "C1", met: false, ...seen }],
  });
export const evaluator = session("evaluator", [passes]);

export const feature = (id, more = {}) => ({
  id,
  name: `Add ${id.toLowerCase()}()`,
  priority: 1,
  status: "not-started",
  description: `A function ${id.toLowerCase()}() that returns its own name.`,
  acceptance_criteria: [`${id.toLowerCase()}() returns '${id}'`],
  dependencies: [],
  ...more,
});
export const one = [feature("F001")];
export const two = [feature("F001"), feature("F002", { priority: 2 })];
export const queue = (features) => `${JSON.stringify({ version: 1, features }, null, 2)}\n`;

const usualCheck = "{ name: test, run: sh run-tests.sh, timeout_s: 60 }";

/** loop.yaml; `more` is additional lines. */
export const settings = (more = "", check = usualCheck) =>
  `version: 1\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\nchecks: [${check}]\n${more}`;

/** A program for checks: it passes or fails as the place's server says (`Place.open`). */
export const asksBell = (path) =>
  `fetch(process.env.COMPARE_BELL + "/${path}").then(({ ok }) => process.exit(ok ? 0 : 1));\n`;

/** The files of a project. Without features there is no work queue. */
export function sample({ scenes, features = [], yaml = settings(), files = {} }) {
  return {
    "package.json": '{ "name": "sample", "private": true, "type": "module" }\n',
    "src/old.js": "export const old = () => 1;\n",
    "test/old.test.js": oldTest(1),
    "run-tests.sh": 'for file in test/*.test.js; do node "$file" || exit 1; done\n',
    "loop.yaml": yaml,
    "rehearsal.json": JSON.stringify({ version: 1, scenes }, null, 2),
    ".gitignore": "node_modules/\nignored.txt\n",
    ...(features.length === 0 ? {} : { "docs/FEATURES.json": queue(features) }),
    ...files,
  };
}

/** A clear request for one feature of the sample. */
export const asking = (id) =>
  `Add ${id.toLowerCase()}() to src/${id}.js, which returns its own name, with a test in test/${id}.test.js`;
