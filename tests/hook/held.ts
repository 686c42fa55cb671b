// A project whose sessions can be held, and the calls that claude would make to the hook.
import * as fs from "node:fs";
import { join } from "node:path";
import { type Ended, ended, type Files, Project } from "../support/project.ts";

export const wrong = "export const add = (a, b) => a - b;\n";
export const right = "export const add = (a, b) => a + b;\n";
export const addTest = `import assert from "node:assert/strict";
import { add } from "../src/add.js";
assert.equal(add(1, 2), 3);
`;

export const files: Files = {
  "package.json": '{ "name": "sample", "private": true, "type": "module" }\n',
  "loop.yaml": "checks: [{ name: test, run: node test/add.test.js, timeout_s: 20 }]\n",
  "src/add.js": wrong,
  "test/add.test.js": addTest,
  ".gitignore": "node_modules/\n",
};

export const done = "It adds.\n---LOOP_STATUS---\nEXIT_SIGNAL: true\n---END_STATUS---";

type Stop = {
  session?: string;
  message?: string;
  again?: boolean;
  cwd?: string;
  env?: Record<string, string>;
  args?: string[];
};
export type Said = { decision?: string; reason?: string; systemMessage?: string };

export class Held extends Project {
  constructor(more: Files = {}) {
    super({ ...files, ...more });
    this.agree();
  }

  /** Where holds are. */
  get holds(): string {
    return join(this.home, "state", "loopwright", "hooks");
  }

  holdFile(session = "s-1"): string {
    return join(this.holds, "active", `${session}.json`);
  }

  ask(hook: "stop" | "prompt", stdin: string, options: Pick<Stop, "env" | "args"> = {}): Promise<Ended> {
    const child = this.start(["hook", hook, ...(options.args ?? [])], options.env, stdin);
    return ended(child);
  }

  /** The hook's answer; any exit code other than 0 would be a failed hook. */
  async stop({
    session = "s-1",
    message = "I am done.",
    again = false,
    cwd = this.root,
    ...options
  }: Stop = {}): Promise<Said> {
    const input = {
      session_id: session,
      cwd,
      hook_event_name: "Stop",
      stop_hook_active: again,
      last_assistant_message: message,
    };
    return saidBy(await this.ask("stop", JSON.stringify(input), options));
  }

  async type(prompt: string, session = "s-1", env: Record<string, string> = {}): Promise<Said> {
    return saidBy(await this.ask("prompt", JSON.stringify({ session_id: session, cwd: this.root, prompt }), { env }));
  }

  async hold(...args: string[]): Promise<void> {
    const { code, stderr } = await this.loop("hook", "start", "Make add() add.", "--session", "s-1", ...args);
    if (code !== 0) throw new Error(stderr);
  }

  async hookStatus(): Promise<{
    held: { session: string; iteration: number }[];
    lastEnded: { ending: string } | null;
  }> {
    return JSON.parse((await this.loop("hook", "status", "--json")).stdout);
  }

  scribble(file: string, text: string): void {
    fs.writeFileSync(file, text);
  }
}

function saidBy({ code, stdout, stderr }: Ended): Said {
  if (code !== 0 || stderr !== "") throw new Error(`code ${code}: ${stderr}`);
  return stdout === "" ? {} : (JSON.parse(stdout) as Said);
}
