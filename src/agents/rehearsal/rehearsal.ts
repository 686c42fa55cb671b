// The agent for demos, drills and tests: it plays a script, always the same way, in a real process, for free.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../core/errors.ts";
import { type Failure, noUsage, type Usage } from "../../core/session.ts";
import type { Agent, Reader, Sign } from "../agent.ts";
import { agentEnv, sessionEnv } from "../environment.ts";
import { replyEnding, usageOf } from "../reply/reply.ts";
import { type Act, acts, readScript } from "./script.ts";

export type RehearsalAgentConfig = { kind: "rehearsal" } & ({ script: string } | { act: Act });

const player = fileURLToPath(new URL("./player.mjs", import.meta.url));

/** Throws a UserError when the script cannot be played. */
export function rehearsalAgent(config: RehearsalAgentConfig): Agent {
  const args = "act" in config ? ["--act", knownAct(config.act)] : ["--script", checked(resolve(config.script))];
  return {
    name: "rehearsal",
    probe: async () => ({ found: true, version: process.version, path: process.execPath, login: "yes" }),
    launch: (request) => ({
      file: process.execPath,
      args: [player, ...args],
      cwd: request.cwd,
      env: { ...agentEnv(), ...sessionEnv(request) },
      stdin: "nothing",
      endSignal: "SIGTERM",
    }),
    reader: rehearsalReader,
  };
}

function checked(script: string): string {
  readScript(script);
  return script;
}

function knownAct(act: Act): Act {
  if (acts.includes(act)) return act;
  const why = `There is no act ${JSON.stringify(act)}.`;
  const next = `Choose one of: ${acts.join(", ")}.`;
  throw new UserError("rehearsal-act", { what: "The rehearsal cannot be played.", why, next });
}

/** What the player reports; its other output has no meaning. */
type Said = Partial<{ sign: string; usage: Record<string, unknown>; failure: Failure }>;

function rehearsalReader(): Reader {
  let usage: Usage = noUsage;
  let nativeId: string | null = null;
  let failure: Failure | null = null;

  function line(text: string): readonly Sign[] {
    const said = heard(text);
    if (said === null) return [];
    if (said.failure !== undefined) failure = said.failure;
    if (said.usage !== undefined) {
      usage = usageOf({ usage: said.usage }, 0);
      return [{ sign: "usage", usage }];
    }
    if (said.sign === undefined) return [];
    const sign = said as Sign;
    if (sign.sign === "native-id") nativeId = sign.id;
    return sign.sign === "edit" ? [sign, { sign: "progress" }] : [sign];
  }

  return {
    line,
    end: (exit, files) => {
      if (failure !== null) return { how: "failed", failure, usage, nativeId };
      return { ...replyEnding(exit, { ...files, stdoutTail: "" }, 0), usage, nativeId };
    },
  };
}

function heard(text: string): Said | null {
  if (!text.startsWith("@rehearsal ")) return null;
  try {
    return JSON.parse(text.slice("@rehearsal ".length)) as Said;
  } catch {
    return null;
  }
}
