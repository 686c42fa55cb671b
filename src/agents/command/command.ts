// Any program as an agent: the prompt on stdin, the reply in a file.
import { delimiter, isAbsolute, join } from "node:path";
import { noUsage, type Usage } from "../../core/session.ts";
import type { Agent, Ending, Reader, SessionRequest, Sign } from "../agent.ts";
import { canRun } from "../cli/probe-cli.ts";
import { agentEnv, sessionEnv } from "../environment.ts";
import { findReply, replyEnding, usageOf } from "../reply/reply.ts";
import { withLimit } from "./limit.ts";

type Files = Parameters<Reader["end"]>[1];

export type CommandAgentConfig = {
  kind: "command";
  command: readonly string[];
  /** Names of additional environment variables to pass on. */
  env?: readonly string[];
  /** The cost of one session, however often it is interrupted, if the program does not report one. */
  costUsd?: number;
};

export function commandAgent(config: CommandAgentConfig): Agent {
  const [file = "", ...args] = config.command;
  return {
    name: "command",
    needsWholePrompt: true,
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
    reader: (request) => commandReader(request, config.costUsd ?? null),
  };
}

/** The output format of such a program is unknown, so every line is a sign of life. */
function commandReader(request: SessionRequest, priceUsd: number | null): Reader {
  let isPriceShown = request.part > 1 || priceUsd === null;
  const seen = (text: string): readonly Sign[] => [{ sign: "progress" }, { sign: "output", text: text.slice(0, 1000) }];
  return {
    line: seen,
    errorLine: seen,
    // Its price is due once it has begun: whoever looks meanwhile sees it in the sum.
    look: () => {
      if (isPriceShown) return [];
      isPriceShown = true;
      return [{ sign: "usage", usage: { ...noUsage, costUsd: priceUsd } }];
    },
    end: (exit, files) => {
      const ending = withLimit(replyEnding(exit, files, priceUsd), files, Date.now());
      const usage = isLimited(ending) && !hasSaidCost(files) ? usageAtLimit(ending.usage, priceUsd) : ending.usage;
      return { ...ending, ...conversation(request, ending), usage, costsWhole: true };
    },
  };
}

/** A usage limit does not end a conversation: the next session goes on with it, under the name of its first session. */
function conversation({ session, nativeId }: SessionRequest, ending: Ending): Pick<Ending, "nativeId"> {
  return { nativeId: isLimited(ending) ? (nativeId ?? session) : null };
}

/** The session that goes on after the limit pays the price: this one is charged for its time, and never more than that. */
const usageAtLimit = (usage: Usage, priceUsd: number | null): Usage =>
  priceUsd === null || priceUsd === 0 ? usage : { ...usage, costUsd: null, atMostUsd: priceUsd };

const isLimited = (ending: Ending): boolean => ending.how === "failed" && ending.failure.class === "limited";

const hasSaidCost = ({ reply, stdoutTail }: Files): boolean =>
  usageOf(findReply(reply, stdoutTail)?.reply ?? null, null).costUsd !== null;

function findProgram(file: string): string | null {
  const folders = isAbsolute(file) || file.includes("/") ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => (folder === "" ? file : join(folder, file))).find(canRun) ?? null;
}
