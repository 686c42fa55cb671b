// The real claude as a person would run it, with our hooks set up, over a scripted model.
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { ModelRequest, Script, Step } from "../../src/testing/model/index.ts";
import { type ModelServer, startModelServer } from "../../src/testing/model/index.ts";
import { Held } from "../hook/held.ts";
import { ended, type Files } from "../support/project.ts";

export type ClaudeEvent = { type: string; subtype?: string; content?: string; result?: string; is_error?: boolean };
export type ClaudeEnd = { code: number | null; events: ClaudeEvent[]; told: string; stderr: string };

export const plugin = new URL("../../plugin", import.meta.url).pathname;

/** One turn of the model: how many blocks preceded it (0: the first prompt), and how many tools it has used since. */
export type Turn = { readonly block: number; readonly rounds: number; readonly prompt: string };
export type Play = (turn: Turn) => Step | string;

export class HookLab extends Held {
  readonly server: ModelServer;
  readonly requests: ModelRequest[] = [];
  readonly #play: { now: Play };

  static async open(more: Files = {}): Promise<HookLab> {
    const play: { now: Play } = { now: () => "ok" };
    const requests: ModelRequest[] = [];
    const script: Script = (request) => {
      if (request.side) return "ok";
      requests.push(request);
      const prompt = request.prompts.at(-1) ?? "";
      const block = request.prompts.filter((text) => text.startsWith("Stop hook feedback:")).length;
      return play.now({ block, rounds: request.rounds, prompt });
    };
    return new HookLab(await startModelServer({ script }), play, requests, more);
  }

  private constructor(server: ModelServer, play: { now: Play }, requests: ModelRequest[], more: Files) {
    super(more);
    this.server = server;
    this.#play = play;
    this.requests = requests;
  }

  /** The hook's feedback to the model, one text per block. */
  blocks(): string[] {
    return (this.requests.at(-1)?.prompts ?? []).filter((text) => text.startsWith("Stop hook feedback:"));
  }

  /** Runs claude until it exits. Its settings are those of the project and of its own empty home. */
  async claude(
    path: string,
    prompt: string,
    play: Play,
    options: { args?: string[]; env?: Record<string, string> } = {},
  ): Promise<ClaudeEnd> {
    this.#play.now = play;
    this.requests.length = 0;
    const args = ["-p", prompt, "--output-format", "stream-json", "--verbose", "--model", "claude-sonnet-4-5"];
    const child = spawn(path, [...args, "--dangerously-skip-permissions", ...(options.args ?? [])], {
      cwd: this.root,
      env: { ...this.env, ...claudeEnv(this.server.url), ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { code, stdout, stderr } = await ended(child);
    const events = stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as ClaudeEvent);
    const told = events.flatMap(({ type, content }) => (type === "system" && content !== undefined ? [content] : []));
    return { code, events, stderr, told: told.join("\n") };
  }

  writes(path: string, content: string): Step {
    return { tools: [{ name: "Write", input: { file_path: join(this.root, path), content } }] };
  }

  async close(): Promise<void> {
    await this.server.close();
    this.remove();
  }
}

const claudeEnv = (url: string): Record<string, string> => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: "dummy",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  CLAUDE_CODE_MAX_RETRIES: "1",
  DISABLE_AUTOUPDATER: "1",
  IS_SANDBOX: "1",
});

export const shell = (command: string): Step => ({
  tools: [{ name: "Bash", input: { command, description: "a command" } }],
});
