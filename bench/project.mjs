// The project for measuring iterations: a scripted agent writes one source file and one test per feature.
import { makeRepository } from "./place.mjs";

const id = (number) => `F${String(number).padStart(3, "0")}`;
export const featureIds = (count) => Array.from({ length: count }, (_, at) => id(at + 1));

const agent = (
  seconds,
  before,
) => `${seconds === 0 ? "" : `sleep ${seconds}\n`}${before}if [ "$LOOP_ROLE" = evaluator ]; then
  printf '{"verdict":"pass","summary":"ok","criteria":[{"criterion":"C1","met":true,"verification":"observation"}]}' > "$LOOP_REPLY_FILE"
  exit 0
fi
echo ok > "src/$LOOP_FEATURE.txt"
echo "[ \\"\\$(cat src/$LOOP_FEATURE.txt)\\" = \\"ok\\" ]" > "test/$LOOP_FEATURE.sh"
printf '{"status":"done","summary":"done"}' > "$LOOP_REPLY_FILE"
`;

const loopYaml = `agents: { maker: { kind: command, command: [sh, agent.sh], cost_usd: 0 } }
checks: [{ name: test, run: sh run-tests.sh }]
limits: { iterations: 50, commits: 60 }
`;

/** The arguments of a run in the project. Its loop.yaml names programs, which a run has to agree to. */
export const runArgs = ["run", "--quiet", "--trust"];

/** `before`: shell lines that the agent runs first. `others`: files in addition to the project's. */
export function makeProject(place, count, seconds, before = "", others = {}) {
  const features = featureIds(count).map((feature) => ({
    id: feature,
    name: "a file",
    description: "a file with ok in it",
    acceptance_criteria: ["the file is there"],
    status: "not-started",
    priority: 1,
    dependencies: [],
  }));
  return makeRepository(place, "project", {
    ...others,
    "agent.sh": agent(seconds, before),
    "run-tests.sh": 'for f in test/*.sh; do sh "$f" || exit 1; done\n',
    "test/first.sh": '[ "$(cat src/first.txt)" = "first" ]\n',
    "src/first.txt": "first\n",
    "loop.yaml": loopYaml,
    "docs/FEATURES.json": `${JSON.stringify({ version: 1, features }, null, 2)}\n`,
  });
}

const session = (feature, role) =>
  `LOOP_ROLE=${role} LOOP_FEATURE=${feature} LOOP_REPLY_FILE="$REPLY" sh agent.sh < /dev/null || exit 1\n`;
const test = "sh run-tests.sh || exit 1\n";
const commit = (feature) => `git add -A && git commit -q -m "${feature}" || exit 1\n`;

/** What people write by hand: agent, test, commit. */
export const bareScript = (count) =>
  featureIds(count)
    .map((feature) => session(feature, "builder") + test + commit(feature))
    .join("");

/** The same sessions and test runs as in the loop, without the loop. */
export const sameWorkScript = (count) =>
  featureIds(count)
    .map((feature) => session(feature, "builder") + test + test + session(feature, "evaluator") + commit(feature))
    .join("");
