// A custom agent for `openProject(dir, { agents })`. An adapter says which process to start for a session and
// how to read what it prints; starting, watching, ending and finding it again after a crash are the loop's.
//   node examples/own-agent.mjs        registers it, and runs it over a small project
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openProject } from "loopwright";

/** For a program that gets the prompt on stdin and writes its reply, as JSON, into the file that LOOP_REPLY_FILE names. */
export function ownAgent(command) {
  const [file, ...args] = command;
  return {
    name: "own",
    probe: async () => ({ found: true, version: "1.0.0", path: file, login: "yes" }),
    launch: ({ cwd, run, session, role, feature, attempt, part, folder }) => ({
      file,
      args,
      cwd,
      env: {
        PATH: process.env.PATH,
        LOOP_RUN: run,
        LOOP_SESSION: session,
        LOOP_ROLE: role,
        LOOP_FEATURE: feature ?? "",
        LOOP_ATTEMPT: String(attempt),
        LOOP_PROMPT_FILE: join(folder, "prompt.md"),
        LOOP_REPLY_FILE: join(folder, "reply.json"),
        ...(part > 1 ? { LOOP_RESUME: "1" } : {}), // Resumes an interrupted session.
      },
      stdin: "prompt",
      endSignal: "SIGTERM",
    }),
    reader: () => ({
      line: (text) => [{ sign: "progress", note: text.slice(0, 200) }],
      end: (_exit, { reply }) => {
        const said = parsed(reply);
        const ending = { usage: usageOf(said), nativeId: null };
        if (said !== null) return { how: "replied", reply: said, text: said.summary ?? "", ...ending };
        return { how: "failed", failure: { class: "no-result", text: "It left no reply.", retryAt: null }, ...ending };
      },
    }),
  };
}

function parsed(text) {
  try {
    const value = JSON.parse(text ?? "null");
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** This program is free. Use null for an unknown cost: the session is then charged its reserved amount. */
function usageOf(reply) {
  const { input_tokens: input = 0, output_tokens: output = 0, cost_usd: costUsd = 0 } = reply?.usage ?? {};
  return { inputTokens: input, outputTokens: output, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd };
}

async function main() {
  const program = fileURLToPath(new URL("./agents/agent.mjs", import.meta.url));
  const own = ownAgent([process.execPath, program]);
  const project = await openProject(makeProject(), { agents: { own } });
  const agents = { maker: { kind: "library", name: "own" }, checker: { kind: "library", name: "own" } };
  const run = await project.begin({ settings: { agents }, limits: { cost_usd: 5 } });
  const { success, why, features } = await run.settled;
  console.log({ success, why, features: features.map(({ id, grade, commit }) => `${id} ${grade} ${commit}`) });
}

function makeProject() {
  const dir = mkdtempSync(join(tmpdir(), "loop-own-agent-"));
  const write = (path, text) => {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  const criteria = ["twice(2) is 4"];
  const feature = { id: "F001", name: "Add twice(n) to src/twice.js", acceptance_criteria: criteria };
  write(
    "package.json",
    JSON.stringify({ name: "numbers", private: true, type: "module", scripts: { test: "node --test" } }),
  );
  write("src/once.js", "export function once(n) {\n  return n;\n}\n");
  write(
    "test/once.test.js",
    `import assert from "node:assert/strict";
import test from "node:test";
import { once } from "../src/once.js";

test("once", () => assert.equal(once(2), 2));
`,
  );
  write("docs/FEATURES.json", JSON.stringify({ version: 1, features: [feature] }, null, 2));
  const git = (...args) => execFileSync("git", args, { cwd: dir, stdio: "ignore" });
  git("init", "--initial-branch=main");
  git("config", "user.name", "Example");
  git("config", "user.email", "example@loopwright.invalid");
  git("add", "--all");
  git("commit", "--message", "start");
  return dir;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
