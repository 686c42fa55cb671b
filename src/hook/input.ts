// What the CLI sends a hook on stdin. Light and defensive: a field of the wrong type counts as missing.
import { parseJsonText } from "../formats/text/json-text.ts";

export type HookInput = {
  readonly session: string;
  /** Where the session was started, if known; otherwise the folder it is in now. */
  readonly folder: string;
  /** The session is only continuing because a hook blocked its end. */
  readonly again: boolean;
  readonly message: string;
  readonly prompt: string;
};

const most = { bytes: 16 << 20, depth: 64 };

/** Null if it is unreadable. The environment fills in what the text lacks. */
export function readHookInput(text: string, env: NodeJS.ProcessEnv, cwd: string): HookInput | null {
  const parsed = parseJsonText(text, most);
  const known = env["CLAUDE_CODE_SESSION_ID"] ?? "";
  if (!parsed.ok || typeof parsed.value !== "object" || parsed.value === null || Array.isArray(parsed.value))
    return known === "" ? null : bare(known, env["CLAUDE_PROJECT_DIR"] ?? cwd);
  const value = parsed.value as Readonly<Record<string, unknown>>;
  const said = (key: string): string => (typeof value[key] === "string" ? value[key] : "");
  const session = said("session_id") || known;
  if (session === "") return null;
  return {
    ...bare(session, env["CLAUDE_PROJECT_DIR"] || said("cwd") || cwd),
    again: value["stop_hook_active"] === true,
    message: said("last_assistant_message"),
    prompt: said("prompt"),
  };
}

const bare = (session: string, folder: string): HookInput => ({
  session,
  folder,
  again: false,
  message: "",
  prompt: "",
});

/** A session that the loop itself drives is judged by the loop. */
export const isOfRun = (env: NodeJS.ProcessEnv): boolean => (env["LOOP_SESSION"] ?? "") !== "";

/** Commands started by an agent have this mark; hooks started by its CLI do not. */
export const isAgent = (env: NodeJS.ProcessEnv): boolean => /_agent$/.test(env["AI_AGENT"] ?? "");
