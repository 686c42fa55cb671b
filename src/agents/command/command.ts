// Any program as an agent: the prompt on stdin, the reply in a file.
import { delimiter, isAbsolute, join } from "node:path";
import type { Agent, Reader, Sign } from "../agent.ts";
import { canRun } from "../cli/probe-cli.ts";
import { agentEnv, sessionEnv } from "../environment.ts";
import { replyEnding } from "../reply/reply.ts";
import { withLimit } from "./limit.ts";

export type CommandAgentConfig = {
  kind: "command";
  command: readonly string[];
  /** Names of additional environment variables to pass on. */
  env?: readonly string[];
  /** The cost of one of its processes if it does not report one. */
  costUsd?: number;
};

export function commandAgent(config: CommandAgentConfig): Agent {
  const [file = "", ...args] = config.command;
  return {
    name: "command",
    probe: async () => {
      const path = findProgram(file);
      if (path !== null) return { found: true, version: "unknown", path, login: "unknown" };
      const next = "Give the whole path in loop.yaml, or put the program on PATH.";
      return { found: false, why: `${JSON.stringify(file)} is not an executable.`, next };
    },
    launch: (request) => ({
      file,
      args,
      cwd: request.cwd,
      env: { ...agentEnv(config.env), ...sessionEnv(request) },
      stdin: "prompt",
      endSignal: "SIGTERM",
    }),
    reader: () => commandReader(config.costUsd ?? null),
  };
}

/** The output format of such a program is unknown, so every line is a sign of life. */
function commandReader(costUsdElse: number | null): Reader {
  const seen = (text: string): readonly Sign[] => [{ sign: "progress" }, { sign: "output", text: text.slice(0, 1000) }];
  return {
    line: seen,
    errorLine: seen,
    end: (exit, files) => withLimit(replyEnding(exit, files, costUsdElse), files, Date.now()),
  };
}

function findProgram(file: string): string | null {
  const folders = isAbsolute(file) || file.includes("/") ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => (folder === "" ? file : join(folder, file))).find(canRun) ?? null;
}
