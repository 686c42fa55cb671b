// Adds our hooks to a claude settings file and removes them, leaving everything else unchanged. Pure.
import { appendAt, removeAt } from "../formats/text/json-edit.ts";
import { type JsonText, parseJsonText } from "../formats/text/json-text.ts";
import { promptTimeoutS, stopTimeoutS, withinDefaultS } from "./time.ts";

/** A shell comment that identifies our hooks among others. */
const mark = "# loopwright";
const events = ["Stop", "UserPromptSubmit"] as const;

export type Edited = { ok: true; text: string } | { ok: false; why: string };

/** `program` is the command for loop in the shell. */
export function withHooks(text: string | null, program: string, isShared: boolean): Edited {
  const clean = withoutHooks(text);
  if (!clean.ok) return clean;
  // A project's settings also apply to people who do not have loop installed: for them the hook does nothing.
  const guard = isShared ? "command -v loop >/dev/null 2>&1 || exit 0; " : "";
  const entry = (command: string, timeout: number) => ({
    hooks: [{ type: "command", command: `${guard}${program} hook ${command} ${mark}`, timeout }],
  });
  let now = clean.text.trim() === "" ? "{}\n" : clean.text;
  now = added(now, "Stop", entry(`stop --within ${withinDefaultS}`, stopTimeoutS));
  now = added(now, "UserPromptSubmit", entry("prompt", promptTimeoutS));
  return { ok: true, text: now };
}

export function withoutHooks(text: string | null): Edited {
  const given = text ?? "";
  if (given.trim() === "") return { ok: true, text: given };
  const trouble = troubleIn(parsed(given));
  if (trouble !== null) return { ok: false, why: trouble };
  let now = given;
  for (const path of ourPaths(now)) now = removeAt(now, path);
  if (now === given) return { ok: true, text: now };
  for (const event of events) if (isEmpty(now, ["hooks", event])) now = removeAt(now, ["hooks", event]);
  if (isEmpty(now, ["hooks"])) now = removeAt(now, ["hooks"]);
  return { ok: true, text: now };
}

export const hasHooks = (text: string | null): boolean =>
  text !== null && text.trim() !== "" && troubleIn(parsed(text)) === null && ourPaths(text).length > 0;

const parsed = (text: string): JsonText => parseJsonText(text, { bytes: 4 << 20, depth: 100 });

function troubleIn(json: JsonText): string | null {
  if (!json.ok) return `${json.line === null ? "" : `line ${json.line}: `}${json.says}`;
  if (!isObject(json.value)) return "it is not an object";
  const hooks = json.value["hooks"];
  if (hooks === undefined) return null;
  if (!isObject(hooks)) return "hooks is not an object";
  const bad = events.find((event) => hooks[event] !== undefined && !Array.isArray(hooks[event]));
  return bad === undefined ? null : `hooks.${bad} is not a list`;
}

/** Last first, so that earlier positions stay valid. A group that contains only our hooks is removed whole. */
function ourPaths(text: string): (string | number)[][] {
  return events.flatMap((event) =>
    groupsIn(text, event)
      .flatMap((group, index) => {
        const inner = isObject(group) && Array.isArray(group["hooks"]) ? (group["hooks"] as unknown[]) : [];
        const at = inner.flatMap((hook, place) => (isOurs(hook) ? [place] : []));
        if (at.length === 0) return [];
        const group_ = ["hooks", event, index];
        return at.length === inner.length ? [group_] : at.map((place) => [...group_, "hooks", place]).reverse();
      })
      .reverse(),
  );
}

const isOurs = (hook: unknown): boolean =>
  isObject(hook) && typeof hook["command"] === "string" && hook["command"].trimEnd().endsWith(mark);

function groupsIn(text: string, event: string): unknown[] {
  const list = at(text, ["hooks", event]);
  return Array.isArray(list) ? list : [];
}

function added(text: string, event: string, entry: object): string {
  let now = text;
  if (at(now, ["hooks"]) === undefined) now = appendAt(now, [], "hooks", {});
  if (at(now, ["hooks", event]) === undefined) return appendAt(now, ["hooks"], event, [entry]);
  return appendAt(now, ["hooks", event], null, entry);
}

function isEmpty(text: string, path: readonly string[]): boolean {
  const value = at(text, path);
  return value !== undefined && isObjectOrList(value) && Object.keys(value).length === 0;
}

function at(text: string, path: readonly string[]): unknown {
  const json = parsed(text);
  let value: unknown = json.ok ? json.value : undefined;
  for (const key of path) value = isObject(value) ? value[key] : undefined;
  return value;
}

const isObjectOrList = (value: unknown): value is object => typeof value === "object" && value !== null;
const isObject = (value: unknown): value is Record<string, unknown> => isObjectOrList(value) && !Array.isArray(value);
