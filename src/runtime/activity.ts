// What an agent is doing right now: the sum of what was seen of its session. Pure, for every client that shows it.
import type { SessionId } from "../core/ids.ts";
import type { Role } from "../core/run.ts";
import type { Usage, UsedWindow } from "../core/session.ts";
import type { SessionSign } from "./ports.ts";

export type Activity = {
  readonly session: SessionId;
  readonly role: Role;
  /** The tool in use, or the last one. */
  readonly tool: (ToolUse & { readonly isOver: boolean; readonly failed: boolean }) | null;
  /** The last thing it said, or the last line of its output. */
  readonly words: string;
  readonly usage: Usage | null;
  readonly contextPercent: number | null;
  /** Of the agent's subscription; null: it has not said. */
  readonly window: UsedWindow | null;
  /** The last actions and words, oldest first. */
  readonly recent: readonly Deed[];
};
type ToolUse = { readonly call: string; readonly name: string; readonly argument: string };
export type Deed =
  | { readonly is: "tool"; readonly name: string; readonly argument: string }
  | { readonly is: "failed"; readonly name: string }
  | { readonly is: "edit"; readonly path: string }
  | { readonly is: "said" | "output"; readonly text: string }
  | { readonly is: "refused"; readonly command: string }
  | { readonly is: "compacted" };

const recentMax = 50;

const started = (session: SessionId, role: Role): Activity => ({
  session,
  role,
  tool: null,
  words: "",
  usage: null,
  contextPercent: null,
  window: null,
  recent: [],
});

/** A sign of another session begins a new activity. */
export function saw(before: Activity | null, { session, role, sign }: SessionSign): Activity {
  const now = before?.session === session ? before : started(session, role);
  const told = sign.sign === "progress" ? sign.note : sign.sign === "said" || sign.sign === "output" ? sign.text : "";
  const deed = deedOf(now, sign);
  const next: Activity = {
    ...now,
    ...(told === undefined || told.trim() === "" ? {} : { words: lastLine(told) }),
    recent: deed === null ? now.recent : [...now.recent.slice(1 - recentMax), deed],
  };
  switch (sign.sign) {
    case "tool":
      return {
        ...next,
        tool: { call: sign.call, name: sign.name, argument: sign.argument, isOver: false, failed: false },
      };
    case "tool-ended":
      return now.tool?.call === sign.call
        ? { ...next, tool: { ...now.tool, isOver: true, failed: sign.failed } }
        : next;
    case "usage":
      return { ...next, usage: sign.usage };
    case "window":
      return { ...next, window: sign.window };
    case "context":
      return { ...next, contextPercent: sign.size > 0 ? (100 * sign.used) / sign.size : null };
    default:
      return next;
  }
}

/** Null: nothing that a person would call an action. */
export function deedOf(now: Pick<Activity, "tool">, sign: SessionSign["sign"]): Deed | null {
  switch (sign.sign) {
    case "tool":
      return { is: "tool", name: sign.name, argument: sign.argument };
    case "tool-ended":
      return sign.failed ? { is: "failed", name: now.tool?.call === sign.call ? now.tool.name : "a tool" } : null;
    case "edit":
      return { is: "edit", path: sign.path };
    case "said":
    case "output":
      return sign.text.trim() === "" ? null : { is: sign.sign, text: sign.text };
    case "progress":
      return sign.note === undefined || sign.note.trim() === "" ? null : { is: "said", text: sign.note };
    case "refused":
      return { is: "refused", command: sign.command };
    case "compacted":
      return { is: "compacted" };
    default:
      return null;
  }
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1)?.trim() ?? "";
