// Checks that are flaky, hang, leave processes behind or cannot run are reported as such.
import * as fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const yaml = (check: string): string =>
  `version: 1\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\nchecks: [${check}]\nlimits: { rework: 1 }\n`;
const make = (check: string, extra: Record<string, string> = {}) =>
  new Project(
    sampleFiles([{ ...builder("F001", 1, right("F001")), attempt: undefined }, evaluator], [feature("F001")], {
      "loop.yaml": yaml(check),
      ...extra,
    }),
  );

test("a check that is red and then green on one tree is flaky, not green", { timeout: 180_000 }, async () => {
  // Nothing survives a clean checkout, so the flakiness comes from outside: this server fails every other request.
  let asked = 0;
  const server = createServer((_, answer) => {
    answer.statusCode = asked++ % 2 === 0 ? 500 : 200;
    answer.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const ask = `fetch("http://127.0.0.1:${port}").then(({ ok }) => process.exit(ok ? 0 : 1));\n`;
  project = make("{ name: test, run: sh flaky.sh }", {
    "ask.mjs": ask,
    "flaky.sh": "if [ -f src/F001.js ]; then node ask.mjs || exit 1; fi\nexec sh run-tests.sh\n",
  });
  try {
    const { code, stdout } = await project.loop("run");
    expect(code, stdout).toBe(7);
    expect(stdout).toContain("it is flaky");
    expect(project.git("log", "--format=%s")).toBe("start");
    expect((await project.loop("memory")).stdout).toContain("The check test was red and green on the same tree");
  } finally {
    server.close();
  }
});

test("a check that hangs is killed with all its processes, and is not green", { timeout: 180_000 }, async () => {
  project = make("{ name: test, run: sh hang.sh, timeout_s: 2 }", {
    "hang.sh": "[ -f src/F001.js ] && { trap '' TERM; sleep 300 & sleep 300; }\nexit 0\n",
  });
  const of = project;
  const { code, stderr } = await of.loop("run");
  expect(stderr).toContain("timed-out");
  expect(code).toBe(7);
  await until("no process left", () => of.strays().length === 0, 10_000);
});

test("a server that a check leaves behind is killed and reported, and the check still counts", {
  timeout: 180_000,
}, async () => {
  project = make("{ name: test, run: sh serve.sh }", {
    "serve.sh": "(setsid sleep 300 >/dev/null 2>&1 &)\nexec sh run-tests.sh\n",
  });
  const of = project;
  const { code, stderr } = await of.loop("run");
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("left one process running; it was ended.");
  await until("no process left", () => of.strays().length === 0, 10_000);
});

test("a check whose command does not exist refuses the run before a cent is spent", { timeout: 60_000 }, async () => {
  project = make("{ name: test, run: no-such-command-anywhere }");
  const { code, stdout } = await project.loop("run");
  expect(code).toBe(1);
  expect(stdout).toContain("is red before any work");
  expect(project.events().some(({ type }) => type === "session-reserved")).toBe(false);
});

test("a turn-green check that is already green is refused before a cent is spent", { timeout: 60_000 }, async () => {
  project = make("{ name: test, run: sh run-tests.sh, must: turn-green }");
  const { code, stdout } = await project.loop("run");
  expect(code).toBe(1);
  expect(stdout).toContain("is green already");
});

test("a turn-green check is red at first, and the run succeeds only once it is green", {
  timeout: 180_000,
}, async () => {
  const wanted =
    'import assert from "node:assert/strict";\nimport { f001 } from "../src/F001.js";\nassert.equal(f001(), "F001");\n';
  project = make("{ name: test, run: sh run-tests.sh, must: turn-green, tests: ['test/**'] }", {
    "test/wanted.test.js": wanted,
  });
  const { code, stdout, stderr } = await project.loop("run");
  expect(stderr).toContain("red, and has to turn green");
  expect(code, stdout + stderr).toBe(0);
});

test("files that a test run writes do not reach the commit", { timeout: 180_000 }, async () => {
  project = make("{ name: test, run: sh dirty.sh }", {
    "dirty.sh": "echo rubbish > rubbish.txt; echo '// touched' >> src/old.js; exec sh run-tests.sh\n",
  });
  const { code, stderr } = await project.loop("run");
  expect(code, stderr).toBe(0);
  expect(project.exists("rubbish.txt")).toBe(false);
  expect(project.git("show", "HEAD:src/old.js")).toBe("export const old = () => 1;");
});

test("a feature that an earlier run left blocked is reported, and continue tries it again", {
  timeout: 180_000,
}, async () => {
  project = make("{ name: test, run: sh run-tests.sh }", {
    "docs/FEATURES.json": JSON.stringify({ version: 1, features: [feature("F001", { status: "blocked" })] }),
  });
  const { code, stdout } = await project.loop("run");
  expect(code).toBe(7);
  expect(stdout).toContain("It was blocked before this run began.");
  const again = await project.loop("continue");
  expect(again.code, again.stderr).toBe(0);
});

/** Refuses a product file without a closing comment, as many a linter would. */
const lint =
  '#!/bin/sh\nfor file in $(git diff --cached --name-only -- src); do grep -q "// end" "$file" || { echo "lint: $file"; exit 1; }; done\n';
const linted = { "src/old.js": "export const old = () => 1; // end\n" };

/** The agent replaces the hook of the repository before it works. */
const disarm = { do: "run", command: "printf '#!/bin/sh\\n' > .git/hooks/pre-commit" };

function withHook(hook: string, path = ".git/hooks/pre-commit"): Project {
  const scene = { ...builder("F001", 1, [disarm, ...right("F001")]), attempt: undefined };
  const made = new Project(
    sampleFiles([scene, evaluator], [feature("F001")], {
      "loop.yaml": yaml("{ name: test, run: sh run-tests.sh }, pre-commit"),
      ...linted,
    }),
  );
  made.write({ [path]: hook });
  fs.chmodSync(join(made.root, path), 0o755);
  return made;
}

test("the repository's own pre-commit hook is a check, as it was before any session", {
  timeout: 180_000,
}, async () => {
  project = withHook(lint);
  const { code, stdout, stderr } = await project.loop("run");
  expect(stderr).toContain("prove     pre-commit (old tests, new code): red");
  expect(project.prompts("builder")[1]).toContain("lint: src/F001.js");
  expect(code, stdout).toBe(7);
  expect(project.git("log", "--format=%s")).toBe("start");
});

test("a feature whose pre-commit hook is green is committed", { timeout: 180_000 }, async () => {
  project = withHook('#!/bin/sh\ntest -n "$(git diff --cached --name-only)"\n');
  const { code, stdout } = await project.loop("run");
  expect(code, stdout).toBe(0);
});

test("a pre-commit hook that changes files is red, and shows what it changes", { timeout: 120_000 }, async () => {
  project = withHook("#!/bin/sh\necho x >> src/old.js\ngit add src\n");
  project.write({ "loop.yaml": yaml("pre-commit") });
  const { code, stdout } = await project.loop("check");
  expect(code).not.toBe(0);
  expect(stdout).toContain("+x");
});

test.each([
  [".githooks/pre-commit", "core.hooksPath", ".githooks"],
  [".husky/pre-commit", "core.hooksPath", ".husky/_"],
])("a hook in the tree, %s, is run where it is", { timeout: 120_000 }, async (path, key, value) => {
  project = withHook("echo the hook ran\nexit 1\n".replace(/^/, path.startsWith(".husky") ? "" : "#!/bin/sh\n"), path);
  project.git("config", key, value);
  project.git("add", path);
  project.git("commit", "--quiet", "--no-verify", "--message", "hook");
  const { code, stdout } = await project.loop("check");
  expect(code).not.toBe(0);
  expect(stdout).toContain("the hook ran");
});

test("a pre-commit hook that does not exist is refused, with what to do", { timeout: 60_000 }, async () => {
  project = make("pre-commit");
  const { code, stderr } = await project.loop("run");
  expect(code).toBe(1);
  expect(stderr).toContain("There is no executable hook");
  expect(stderr).toContain("Next: Install the hook");
  expect((await project.loop("doctor")).stdout).toContain("There is no executable hook");
});
