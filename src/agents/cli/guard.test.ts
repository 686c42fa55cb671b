// The guard, started as an agent starts it: a process that gets the call on stdin.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isRefusal } from "./destructive.ts";
import { guardFile, guardHook, guardScript } from "./guard.ts";

const folder = mkdtempSync(join(tmpdir(), "loop-guard-it's-"));
const workspace = join(folder, "work space");
mkdirSync(workspace);
writeFileSync(guardFile(folder), guardScript());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the exact command that the agent gets, since paths may need quoting. */
function ask(input: string): Promise<{ code: number | null; said: string }> {
  const [{ command }] = guardHook(folder, workspace).hooks;
  const child = spawn("/bin/sh", ["-c", command], { stdio: ["pipe", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (data) => {
    said += data;
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, said })));
}
const call = (command: string) => JSON.stringify({ tool_name: "Bash", tool_input: { command }, cwd: workspace });

const refused = [
  "git push",
  "git -C . -c a.b=c --no-pager push --force origin main",
  "cd x && git push -f",
  "git rebase -i HEAD~3",
  "git commit --amend --no-edit",
  "git reset --hard HEAD~1",
  "git filter-branch --all",
  "git branch -D main",
  "git update-ref -d refs/heads/main",
  "npm publish",
  "npm test && npm publish --access public",
  "cargo publish",
  "gh pr merge 5",
  "docker push x",
  "rm -rf /",
  "rm -rf ~/",
  "rm -fr $HOME/projects",
  "rm -r ../../../../../../../../other",
  "sudo rm -rf /etc",
  `rm -rf "${homedir()}/x"`,
  "true; rm -r /usr/local/x",
  "git clean -fdx",
  "git clean --force -d",
  "find . -name '*.log' -delete",
  "find src -type f -exec rm {} +",
  "dd if=/dev/zero of=/dev/sda bs=1M",
  "sudo mkfs.ext4 /dev/sdb1",
  "wipefs -a /dev/sda",
  "cat image > /dev/nvme0n1",
  'psql -c "DROP TABLE users"',
  "echo 'drop database app;' | mysql",
  'sqlite3 app.db "Truncate orders"',
  "dropdb app",
  "redis-cli -n 1 FLUSHALL",
];

const allowed = [
  "npm test",
  "git status && git diff",
  "git commit -m 'push the button'",
  "git add -A && git commit -m x",
  "rm -rf node_modules dist",
  "rm ./a/b.txt",
  "npm run publish-docs",
  "git log --oneline | head",
  "echo rm",
  "git log --grep=push",
  "git stash push",
  "grep -r publish src",
  "git clean -nd",
  "find . -name '*.log'",
  "dd if=/dev/zero of=fixture.bin bs=1M count=1",
  "dd if=a of=/dev/null",
  "grep -rn 'DROP TABLE' migrations",
  "git commit -m 'drop table support; mkfs is not needed'",
  'psql -c "select 1"',
  "echo hello > /dev/null",
  "cat docs/find.md",
];

test("forbidden commands are refused, with a reason that we recognize as ours", async () => {
  const answers = await Promise.all(refused.map(async (command) => ({ command, ...(await ask(call(command))) })));
  expect(answers.filter(({ code, said }) => code !== 2 || !isRefusal(said.trim()))).toEqual([]);
});

test("everything else is allowed silently", async () => {
  const answers = await Promise.all(allowed.map(async (command) => ({ command, ...(await ask(call(command))) })));
  expect(answers.filter(({ code, said }) => code !== 0 || said !== "")).toEqual([]);
});

test.each(["", "null", "{", "[]", '{"tool_input":null}', '{"tool_input":{"command":5}}'])(
  "does not stop the agent for unreadable input: %s",
  async (input) => {
    expect((await ask(input)).code).toBe(0);
  },
);
