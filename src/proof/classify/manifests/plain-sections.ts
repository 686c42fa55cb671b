// The sections of setup.cfg and the statements of go.mod, in the same shape as TOML's tables.
import type { Entry, Section } from "./sections.ts";

type Line = { readonly text: string; readonly start: number; readonly end: number };

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    lines.push({ text: text.slice(start, end).replace(/\r?\n$/, ""), start, end });
    start = end;
  }
  return lines;
}

/** A value continues over indented and empty lines, as in Python's configparser. */
export function scanIni(text: string): readonly Section[] | null {
  const sections: (Section & { entries: Entry[]; end: number })[] = [
    { path: [], start: 0, body: 0, end: 0, entries: [] },
  ];
  for (const line of linesOf(text)) {
    const open = sections.at(-1);
    if (open === undefined) return null;
    const heading = /^\[([^\]]+)\][ \t]*$/.exec(line.text)?.[1];
    const key = /^([^\s#;[=:][^=:]*?)[ \t]*[=:](.*)$/.exec(line.text);
    const last = open.entries.at(-1);
    if (heading !== undefined)
      sections.push({ path: [heading], start: line.start, body: line.end, end: line.end, entries: [] });
    else if (key !== null) open.entries.push(iniEntry(open.path, key, line));
    else if (/^\s/.test(line.text) && last !== undefined) open.entries[open.entries.length - 1] = longer(last, line);
    else if (line.text.trim() !== "" && !/^[#;]/.test(line.text)) return null;
    const now = sections.at(-1);
    if (now !== undefined) now.end = line.end;
  }
  return sections;
}

const iniEntry = (section: readonly string[], key: RegExpExecArray, line: Line): Entry => ({
  path: [...section, (key[1] ?? "").toLowerCase()],
  start: line.start,
  end: line.end,
  value: key[2] ?? "",
});

const longer = (entry: Entry, line: Line): Entry => ({
  ...entry,
  end: line.end,
  value: `${entry.value}\n${line.text.trim()}`,
});

/** One section; every statement is an entry named by its verb. A block `require ( … )` is one statement. */
export function scanGoMod(text: string): readonly Section[] | null {
  if (/[`\x00-\x08\x0b-\x1f]/.test(text.replaceAll("\r\n", "\n"))) return null;
  const entries: Entry[] = [];
  let isOpen = false;
  for (const line of linesOf(text)) {
    const code = line.text.replace(/\/\/.*$/, "").trim();
    const last = entries.at(-1);
    if (isOpen && last !== undefined) {
      if (code.includes("(")) return null;
      entries[entries.length - 1] = { ...last, end: line.end, value: `${last.value}\n${code}` };
      isOpen = code !== ")";
    } else if (code !== "") {
      const verb = /^[a-z]+(?=[\s(])/.exec(code)?.[0] ?? "";
      const value = code.slice(verb.length).trim();
      isOpen = value === "(";
      if (verb === "" || (!isOpen && /[()]/.test(code))) return null;
      entries.push({ path: [verb], start: line.start, end: line.end, value });
    }
  }
  return isOpen ? null : [{ path: [], start: 0, body: text.length, end: text.length, entries }];
}
