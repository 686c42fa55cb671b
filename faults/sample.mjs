// The project for fault injection: three features, an agent that needs no time, and a check that is a shell test.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";

const usage = { input_tokens: 1000, output_tokens: 100, cost_usd: 0.01 };
/** Records that a session started, with a trailing 1 if it resumes an interrupted one. */
const paid = { do: "run", command: 'echo "$LOOP_SESSION $LOOP_RESUME" >> "$HOME/paid.log"' };
const write = (path, text) => ({ do: "write", path, text });
const done = { do: "reply", reply: { status: "done", summary: "done" } };

const feature = (id, at) => ({
  id,
  name: `Add ${id}`,
  priority: at + 1,
  status: "not-started",
  description: `A file ${id}.txt that holds its own name.`,
  acceptance_criteria: [`src/${id}.txt holds ${id}`],
  dependencies: [],
});

const builder = (id) => ({
  role: "builder",
  feature: id,
  usage,
  steps: [
    paid,
    write(`test/${id}.test.sh`, `[ "$(cat src/${id}.txt)" = ${id} ]\n`),
    write(`src/${id}.txt`, `${id}\n`),
    done,
  ],
});

const criterion = {
  criterion: "C1",
  met: true,
  verification: "execution output",
  evidence: [{ command: "sh run-tests.sh" }],
};
const evaluator = {
  role: "evaluator",
  usage,
  steps: [paid, { do: "reply", reply: { verdict: "pass", summary: "seen", criteria: [criterion] } }],
};

const loopYaml = `version: 1
agents: { maker: { kind: rehearsal, script: rehearsal.json } }
checks: [{ name: test, run: sh run-tests.sh, timeout_s: 60 }]
place: here
`;

export const featureIds = (count) => Array.from({ length: count }, (_, at) => `F00${at + 1}`);

function filesFor(ids) {
  return {
    "src/old.txt": "old\n",
    "test/old.test.sh": '[ "$(cat src/old.txt)" = old ]\n',
    "run-tests.sh": 'for file in test/*.test.sh; do sh "$file" || exit 1; done\n',
    "rehearsal.json": `${JSON.stringify({ version: 1, scenes: [...ids.map(builder), evaluator] }, null, 2)}\n`,
    "loop.yaml": loopYaml,
    "docs/FEATURES.json": `${JSON.stringify({ version: 1, features: ids.map(feature) }, null, 2)}\n`,
    ".gitignore": "ignored.txt\n",
  };
}

/** Files that must not be touched: an ignored one, one next to the project, and one of the person's own. */
export const bystanders = { "project/ignored.txt": "mine\n", "beside.txt": "mine\n", "home/notes.txt": "mine\n" };

/** Creates `dir/project` and `dir/home`, once; trials are copies of it. */
export function makeSample(dir, count) {
  const root = join(dir, "project");
  fs.mkdirSync(join(dir, "home"), { recursive: true });
  put(root, filesFor(featureIds(count)));
  put(dir, bystanders);
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: join(dir, "home") };
  const git = (...args) => execFileSync("git", args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Person");
  git("config", "user.email", "person@example.invalid");
  git("add", "--all");
  git("commit", "--quiet", "--message", "start");
}

function put(root, files) {
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), text);
  }
}
