// A tool call in a few words: what people see of it while it runs.
import { isAbsolute, relative } from "node:path";
import { type Json, string } from "./json.ts";

/** The keys that say most about a call, in this order. */
const telling = [
  "command",
  "cmd",
  "file_path",
  "notebook_path",
  "path",
  "pattern",
  "query",
  "url",
  "description",
  "prompt",
];
const isPath = new Set(["file_path", "notebook_path", "path"]);
const charsMax = 1000;

/** The most telling argument of a call: a command, a file relative to `cwd`, a pattern. Empty: none is text. */
export function argumentOf(input: Json, cwd: string): string {
  const key = telling.find((name) => string(input[name]) !== "");
  if (key !== undefined) return shortened(isPath.has(key) ? shownPath(string(input[key]), cwd) : string(input[key]));
  return shortened(Object.values(input).map(string).find(Boolean) ?? "");
}

/** Relative to `cwd` if it is inside. */
export function shownPath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(cwd, path);
  return inside === "" ? "." : inside.startsWith("..") || isAbsolute(inside) ? path : inside;
}

/** Without the shell that codex wraps around it: `/bin/bash -lc 'npm test'`. */
export function plainCommand(command: string): string {
  const inner = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c (.*)$/s.exec(command)?.[1];
  if (inner === undefined) return shortened(command);
  const quoted = /^'(.*)'$/s.exec(inner)?.[1];
  if (quoted !== undefined) return shortened(quoted.replaceAll(`'"'"'`, "'").replaceAll("'\\''", "'"));
  const double = /^"(.*)"$/s.exec(inner)?.[1];
  return shortened(double === undefined ? inner : double.replace(/\\(["\\$`])/g, "$1"));
}

const shortened = (text: string): string => text.slice(0, charsMax);
