// The project of the soak: as many features as iterations, each a new content of one of ten files. It does not grow, so
// any growth is the loop's.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";

const agent = `if [ "$LOOP_ROLE" = evaluator ]; then
  printf '{"verdict":"pass","summary":"ok","criteria":[{"criterion":"C1","met":true,"verification":"observation"}]}' > "$LOOP_REPLY_FILE"
  exit 0
fi
echo "ok $LOOP_FEATURE" > "src/part-\${LOOP_FEATURE#????}.txt"
printf '{"status":"done","summary":"done"}' > "$LOOP_REPLY_FILE"
`;

const loopYaml = `version: 1
agents: { maker: { kind: command, command: [sh, agent.sh], cost_usd: 0.001 } }
checks: [{ name: test, run: sh run-tests.sh, timeout_s: 120 }]
place: here
`;

const feature = (at) => ({
  id: `F${String(at + 1).padStart(4, "0")}`,
  name: "a file",
  description: "a file with ok in it",
  acceptance_criteria: ["the file is there"],
  status: "not-started",
  priority: at + 1,
  dependencies: [],
});

export function makeSoak(dir, count) {
  const root = join(dir, "project");
  const features = Array.from({ length: count }, (_, at) => feature(at));
  const files = {
    "project/agent.sh": agent,
    "project/run-tests.sh": 'for file in test/*.test; do read -r path < "$file"; [ -s "src/$path" ] || exit 1; done\n',
    "project/src/first.txt": "ok\n",
    "project/test/first.test": "first.txt\n",
    "project/loop.yaml": loopYaml,
    "project/docs/FEATURES.json": `${JSON.stringify({ version: 1, features }, null, 2)}\n`,
    "home/notes.txt": "mine\n",
  };
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(dir, path)), { recursive: true });
    fs.writeFileSync(join(dir, path), text);
  }
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: join(dir, "home") };
  const git = (...args) => execFileSync("git", args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Person");
  git("config", "user.email", "person@example.invalid");
  git("config", "gc.auto", "0");
  git("add", "--all");
  git("commit", "--quiet", "--message", "start");
}
