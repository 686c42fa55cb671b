// Completion in real shells: what is offered after each word, and what Tab makes of it.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Project } from "../support/project.ts";

const cli = new URL("../../dist/cli/main.js", import.meta.url).pathname;
const has = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

let project: Project;
beforeAll(() => {
  project = new Project({ "PRD.md": "# PRD\n", "My notes.md": "", "sub/x": "" });
  mkdirSync(join(project.dir, "bin"));
  writeFileSync(join(project.dir, "bin", "loop"), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(join(project.dir, "bin", "loop"), 0o755);
});
afterAll(() => project.remove());

function inShell(program: string, args: readonly string[], input?: string): string {
  const env = { ...project.env, PATH: `${join(project.dir, "bin")}:${project.env["PATH"]}`, TERM: "xterm" };
  const { stdout, stderr, error } = spawnSync(program, args, {
    cwd: project.root,
    env,
    encoding: "utf8",
    timeout: 60_000,
    ...(input === undefined ? {} : { input }),
  });
  if (error !== undefined) throw error;
  return `${stdout}${stderr}`;
}

/** The words that the shell would offer for a line. */
type Offers = (line: readonly string[]) => string[];

/** Calls the function as readline does, with the options of `complete`. */
const bash: Offers = (line) => {
  const script = `eval "$(loop completion bash)"; complete -p loop >/dev/null || exit 1
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _loop; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return inShell("bash", ["--norc", "-c", script, "bash", ...line])
    .trim()
    .split("\n");
};
const fish: Offers = (line) =>
  inShell("fish", ["--no-config", "-c", 'loop completion fish | source; complete -C "$argv"', line.join(" ")])
    .trim()
    .split("\n")
    .map((each) => each.split("\t")[0] ?? "");
/** Lists through a pseudo-terminal, since zsh completes only there. */
const zsh: Offers = (line) => {
  const script = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; autoload -U compinit; compinit -u -D; source <(loop completion zsh)'
zpty -w z 'compadd() { local -a found; builtin compadd -O found "$@"; (( $#found )) && print -rl -- "<"$^found">" >> offered; builtin compadd "$@" }'
zpty -w z 'over() { touch over }; zle -N over; bindkey "^X" over; zle-line-init() { touch ready }; zle -N zle-line-init'
while [[ ! -e ready ]]; do zpty -r -t z skipped; done
zpty -n -w z "$1"$'\\t\\C-x'
while [[ ! -e over ]]; do zpty -r -t z skipped; done
touch offered; cat offered; rm -f offered ready over`;
  const found = inShell("zsh", ["-f", "-c", script, "zsh", line.join(" ")]);
  return [...new Set(Array.from(found.matchAll(/^<(.*)>$/gm), ([, word]) => word ?? ""))];
};

describe.each([
  { shell: "bash", offers: bash },
  { shell: "fish", offers: fish },
  { shell: "zsh", offers: zsh },
])("$shell", ({ shell, offers }) => {
  beforeEach(({ skip }) => skip(!has(shell), `${shell} is not installed`));

  test.each([
    { line: ["loop", "stat"], has: ["status"] },
    { line: ["loop", "re"], has: ["resume", "recover", "reject", "report"] },
    { line: ["loop", "hook", "st"], has: ["start", "status", "stop"] },
    { line: ["loop", "run", "--iter"], has: ["--iterations"] },
    { line: ["loop", "resume", "--int"], has: ["--intent"] },
    { line: ["loop", "continue", "--intent", ""], has: ["append", "preserve", "replace"] },
    { line: ["loop", "--workspace", "sub", "stat"], has: ["status"] },
    { line: ["loop", "run", "--prd", "PR"], has: ["PRD.md"] },
    { line: ["loop", "completion", ""], has: ["bash", "fish", "zsh"] },
  ])("offers $has after $line", { timeout: 60_000 }, ({ line, has: wanted }) => {
    const found = offers(line);
    expect(found.filter((word) => wanted.includes(word)).sort()).toEqual([...wanted].sort());
    expect(found.filter((word) => !wanted.includes(word) && !word.startsWith(line.at(-1) ?? ""))).toEqual([]);
  });

  test("offers no command after a command", { timeout: 60_000 }, () => {
    expect(offers(["loop", "status", "sta"]).filter((word) => word !== "")).toEqual([]);
  });
});
