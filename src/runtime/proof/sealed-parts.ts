// Files of which only a part is sealed: package.json may gain a dependency, and its scripts may not change unseen.
import { mixedFiles } from "./seal-table.ts";

export type PartChange = {
  /** What was changed: `scripts.test`, `[tool.pytest.ini_options]`. */
  readonly parts: readonly string[];
  /** The new file with its sealed parts as they were before. */
  readonly laid: string;
};

const kindOf = (path: string) => mixedFiles.find(({ file }) => path === file || path.endsWith(`/${file}`));

export const isMixed = (path: string): boolean => kindOf(path) !== undefined;

/** Null: the sealed parts are what they were, or only gained what nothing reads by itself. */
export function changedParts(path: string, before: string, after: string): PartChange | null {
  const kind = kindOf(path);
  if (kind === undefined) return null;
  return kind.format === "json" ? inJson(before, after, kind.parts) : inToml(before, after, kind.parts);
}

type Json = Record<string, unknown>;

function inJson(beforeText: string, afterText: string, sealed: RegExp): PartChange | null {
  const [before, after] = [parsed(beforeText), parsed(afterText)];
  if (before === null) return null;
  // What cannot be read cannot be looked into: the whole of it goes back.
  if (after === null) return { parts: ["the whole file, which cannot be read any more"], laid: beforeText };
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => sealed.test(key));
  const parts = keys.flatMap((key) => differences(key, before[key], after[key]));
  if (parts.length === 0) return null;
  const laid: Json = { ...after };
  for (const key of keys) {
    if (key in before) laid[key] = before[key];
    else delete laid[key];
  }
  return { parts, laid: `${JSON.stringify(laid, null, 2)}\n` };
}

/** A script that is added is nobody's business, unless npm runs it before or after one that was there. */
function differences(key: string, before: unknown, after: unknown): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (key !== "scripts" || !isObject(before ?? {}) || !isObject(after ?? {})) return [key];
  const [old, now] = [(before ?? {}) as Json, (after ?? {}) as Json];
  const altered = Object.keys(old).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  const hooks = Object.keys(now).filter((name) => !(name in old) && isHook(name, old));
  return [...altered, ...hooks].map((name) => `scripts.${name}`);
}

const isHook = (name: string, scripts: Json): boolean =>
  /^(?:prepare|preinstall|install|postinstall|dependencies)$/.test(name) ||
  (/^(?:pre|post)/.test(name) && name.replace(/^(?:pre|post)/, "") in scripts);

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

type Section = { readonly name: string; readonly lines: readonly string[] };

function inToml(beforeText: string, afterText: string, sealed: RegExp): PartChange | null {
  const [before, after] = [sectionsOf(beforeText), sectionsOf(afterText)];
  const names = [...new Set([...before, ...after].map(({ name }) => name))].filter((name) => sealed.test(name));
  const text = (sections: readonly Section[], name: string): string =>
    sections
      .filter((section) => section.name === name)
      .flatMap(({ lines }) => lines.map((line) => line.trimEnd()).filter((line) => line !== ""))
      .join("\n");
  const parts = names.filter((name) => text(before, name) !== text(after, name));
  if (parts.length === 0) return null;
  const kept = after.filter(({ name }) => !sealed.test(name));
  const old = before.filter(({ name }) => sealed.test(name));
  const laid = [...kept, ...old]
    .map(({ lines }) => lines.join("\n").trimEnd())
    .filter((text) => text !== "")
    .join("\n\n");
  return { parts: parts.map((name) => `[${name}]`), laid: `${laid}\n` };
}

/** By its headings; what stands before the first has no name. */
function sectionsOf(text: string): Section[] {
  const sections: { name: string; lines: string[] }[] = [{ name: "", lines: [] }];
  for (const line of text.split("\n")) {
    const heading = /^\s*\[\[?\s*([^\]#]+?)\s*\]?\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ name: heading.replaceAll(/["'\s]/g, ""), lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  return sections;
}
