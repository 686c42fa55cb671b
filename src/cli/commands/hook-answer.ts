// loop hook stop, loop hook prompt: requests from claude. Most sessions are not held, and get an immediate answer.
import { readCommand } from "../../hook/commands.ts";
import { type HookInput, isAgent, isOfRun, readHookInput } from "../../hook/input.ts";
import { activeDir, holdOf, saysHeld } from "../../hook/places.ts";
import { withinDefaultS } from "../../hook/time.ts";

const stdinMax = 32 << 20;

/** Always 0: the text has the answer. Any other code means that the hook failed, and lets the session end. */
export async function answerHook(hook: "stop" | "prompt", args: readonly string[]): Promise<number> {
  const text = await readStdin();
  if (isOfRun(process.env)) return 0;
  const input = readHookInput(text, process.env, process.cwd());
  const answer = hook === "stop" ? await toStop(input, withinMs(args)) : await toPrompt(input);
  process.stdout.write(answer);
  return 0;
}

async function toStop(input: HookInput | null, within: number): Promise<string> {
  const env = process.env;
  if (input === null) {
    if (!(await import("node:fs")).existsSync(activeDir())) return "";
    return (await import("../../hook/refuse.ts")).answerUnknown(env["CLAUDE_PROJECT_DIR"] ?? process.cwd(), env);
  }
  const file = holdOf(input.session, input.folder);
  if (file !== null) return (await import("../../hook/stop.ts")).answerStop({ input, file, withinMs: within, env });
  const root = saysHeld(input.session, input.folder);
  return root === null ? "" : (await import("../../hook/refuse.ts")).answerLost(root, input, env);
}

async function toPrompt(input: HookInput | null): Promise<string> {
  if (input === null || isAgent(process.env)) return "";
  holdOf(input.session, input.folder); // A hold that waits for a session is taken by the first one to appear.
  const typed = readCommand(input.prompt);
  return typed === null ? "" : (await import("../../hook/prompt.ts")).answerPrompt(typed, input);
}

function withinMs(args: readonly string[]): number {
  const said = Number(args[args.indexOf("--within") + 1]);
  return (args.includes("--within") && Number.isFinite(said) && said > 0 ? said : withinDefaultS) * 1000;
}

/** A person at a terminal sends a hook nothing. */
async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) return "";
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of process.stdin as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size <= stdinMax) pieces.push(piece);
    }
  } catch {
    return ""; // stdin is closed, or a folder.
  }
  return size > stdinMax ? "" : Buffer.concat(pieces).toString("utf8");
}
