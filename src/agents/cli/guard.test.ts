// The guard, started as an agent starts it: a process that gets the call on stdin.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isMild, isRefusal } from "./destructive.ts";
import { guardFiles, guardHook } from "./guard.ts";

const folder = mkdtempSync(join(tmpdir(), "loop-guard-it's-"));
const workspace = join(folder, "work space");
mkdirSync(workspace);
for (const { path, content } of guardFiles(folder)) writeFileSync(path, content);
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
  // By another name, wrapped, or from another folder.
  "/bin/rm -rf /etc",
  'bash -c "rm -rf /etc"',
  "sh -c 'rm -rf ~'",
  'eval "rm -rf /etc"',
  "env X=1 rm -rf /etc",
  "X=1 time -p nice -n 5 timeout 10 rm -rf /etc",
  "cd / && rm -rf home",
  "cd ../../../../../../../.. && rm -rf other",
  "(cd /; true) && bash <<X\ncd /\nrm -rf etc\nX",
  "D=/etc; rm -rf $D",
  "for d in /usr /etc; do rm -rf $d; done",
  "if true; then rm -rf /etc; fi",
  "echo /etc | xargs rm -rf",
  "echo 'git push' | sh",
  "echo $(git push)",
  'echo "`git push`"',
  "cat > a.txt <<X && git push\nnotes\nX",
  "git commit -m \"$(cat <<'X'\nIt's (not pushed\nX\n)\" && git push",
  "sh -c 'git push'",
  "env X=1 git push",
  "/usr/bin/git push",
  "git \\\n  push",
  "sh -c \"sh -c 'git push'\"",
  "psql <<X\nBEGIN;\nDROP TABLE users;\nX",
  "cat <<X | psql app\nDROP TABLE users;\nX",
  "psql <<< 'drop table users'",
  "mv /etc /tmp",
  "> /etc/passwd",
  "echo x > /etc/passwd",
  "echo x | sudo tee /etc/passwd",
  "cp a /etc/passwd",
  "truncate -s 0 /etc/passwd",
  "find / -delete",
  "find ~ -delete",
  "find /usr -name x -exec rm {} +",
  "find . -exec sh -c 'git push' \\;",
  "git -C /usr clean -fdx",
  "cd /usr && git reset --hard",
  "git checkout -- .",
  "git checkout HEAD -- .",
  "git restore .",
  "git checkout -f",
  "git tag -d v1.0.0",
  "git stash drop",
  "git stash clear",
  "kubectl delete ns prod",
  "kubectl -n prod delete pods --all",
  "terraform destroy -auto-approve",
  "helm uninstall app",
];

/** Work of the session's own, which the loop keeps: refused, and no reason to end a run. */
const mild = [
  "git clean -fdx",
  "git -C . clean -fdx",
  "git reset --hard",
  "git checkout -- .",
  "git restore .",
  "git restore --staged --worktree .",
  "find . -delete",
  "find src -exec rm {} +",
  "git commit --amend --no-edit",
  "git stash drop",
];

const allowed = [
  "git stash list",
  "git tag -l",
  "kubectl get pods -n delete",
  "terraform plan -destroy",
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
  "cat > docs/HOWTO.md <<'X'\nThen run:\ngit push\nrm -rf /etc\nX",
  'echo "Run git push afterwards" >> README.md',
  'git commit -m "never git push"',
  "git commit -F - <<X\nNever git push\nX",
  "git commit -m \"$(cat <<'X'\nDon't (git push\nX\n)\"",
  "tee docs/a.md <<X\nrm -rf /etc\nX",
  "# git push",
  "npm test 2>&1 | tee out.txt",
  "npm test > /dev/null 2>&1",
  "git checkout -b feature",
  "git checkout -- src/a.js",
  "git restore --staged .",
  "git switch main",
  "cd src && rm -rf dist",
  "for f in a b; do rm -rf $f; done",
  "command -v git",
  "mv a.txt src/",
  "cp /etc/hosts fixture",
  "rg 'git push' <(cat a) | wc -l",
  `rm -rf "$(pwd)/dist"`,
];

const asked = (commands: readonly string[]) =>
  Promise.all(commands.map(async (command) => ({ command, ...(await ask(call(command))) })));

test("forbidden commands are refused, with a reason that we recognize as ours; no harm outside is mild", async () => {
  const answers = await asked(refused);
  expect(answers.filter(({ code, said }) => code !== 2 || !isRefusal(said.trim()))).toEqual([]);
  const milds = answers.filter(({ said }) => isMild(said.trim())).map(({ command }) => command);
  expect(milds.filter((command) => /\/usr|~ |find \/|etc/.test(command))).toEqual([]);
});

test("what throws away the session's own work is mild", async () => {
  expect((await asked(mild)).filter(({ said }) => !isMild(said.trim()))).toEqual([]);
});

test.each(["$(".repeat(50_000), "`".repeat(50_001), "<<A ".repeat(10_000), "'", '"$(', "xargs ".repeat(2000)])(
  "reads any text, in a moment: %.5s",
  async (text) => {
    expect((await ask(call(`${text} git push`))).said).not.toContain("Error");
  },
);

test("everything else is allowed silently", async () => {
  const answers = await asked(allowed);
  expect(answers.filter(({ code, said }) => code !== 0 || said !== "")).toEqual([]);
});

test.each(["", "null", "{", "[]", '{"tool_input":null}', '{"tool_input":{"command":5}}'])(
  "does not stop the agent for unreadable input: %s",
  async (input) => {
    expect((await ask(input)).code).toBe(0);
  },
);
