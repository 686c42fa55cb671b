// `from a import b` of Python, where `a`, or the module `a.b`, moved.
import { posix } from "node:path";
import type { Edit } from "../edit.ts";
import type { Token } from "../lex/token.ts";
import { type Module, namesIn, segmentsOf } from "./python-names.ts";
import type { Repointing } from "./repointing.ts";

/** The parts of one such statement. */
type FromImport = {
  readonly line: readonly Token[];
  /** The tokens of the module, including leading dots. */
  readonly module: readonly Token[];
  readonly written: string;
  readonly names: ReturnType<typeof namesIn>;
};

export function fromImport(order: Repointing, line: readonly Token[], modules: readonly Module[]): readonly Edit[] {
  const at = line.findIndex((token) => token.text === "import");
  const module = line.slice(1, Math.max(1, at));
  const written = module.map((token) => token.text).join("");
  const parts = { line, module, written, names: at < 0 ? [] : namesIn(line.slice(at + 1)) };
  const rename = written.startsWith(".") ? relativeName(order, written) : absoluteName(modules);
  const whole = rename(written);
  return whole === null
    ? parts.names.flatMap((name) => submodule(order, parts, name, rename))
    : [replaced(module, whole)];
}

/** The new name of a module; null: it has not moved. */
type Rename = (name: string) => string | null;

const absoluteName =
  (modules: readonly Module[]): Rename =>
  (name) =>
    modules.find(({ from }) => from === name)?.to ?? null;

/** Names with leading dots are relative to the file's own package. */
function relativeName({ source, moved }: Repointing, written: string): Rename {
  const dots = /^\.+/.exec(written)?.[0].length ?? 1;
  const base = posix.join(posix.dirname(source.path), "../".repeat(dots - 1)).replace(/\/$/, "");
  return (name) => {
    const path = posix.join(base, ...name.replace(/^\.+/, "").split("."));
    const move = moved.find(({ from }) => segmentsOf(from).join("/") === posix.normalize(path));
    if (move === undefined) return null;
    const steps = posix.relative(base, segmentsOf(move.to).join("/")).split("/");
    const ups = steps.filter((step) => step === "..").length;
    return `${".".repeat(dots + ups)}${steps.slice(ups).join(".")}`;
  };
}

function replaced(tokens: readonly Token[], text: string): Edit {
  return { from: tokens[0]?.from ?? 0, to: tokens.at(-1)?.to ?? 0, text };
}

/** `from a import b`, where the module `a.b` moved: keeps the name `b`, and imports it from its new place. */
function submodule(
  order: Repointing,
  parts: FromImport,
  name: FromImport["names"][number],
  rename: Rename,
): readonly Edit[] {
  const { written, module, names, line } = parts;
  const moved = rename(/^\.+$/.test(written) ? written + name.name : `${written}.${name.name}`);
  if (moved === null) return [];
  const [, parent = "", last = ""] = /^(.*?)\.?([^.]+)$/.exec(moved) ?? [];
  const kept = name.alias || last === name.name ? last : `${last} as ${name.name}`;
  const home = /^\.*$/.test(parent) && moved.startsWith(".") ? (/^\.+/.exec(moved)?.[0] ?? ".") : parent;
  if (home === written) return [replaced(name.tokens, kept)];
  if (names.length === 1) return home === "" ? [] : [replaced(module, home), replaced(name.tokens, kept)];
  if (home === "" || name.alias) return [];
  const end = line.at(-1)?.to ?? 0;
  const start = line[0]?.from ?? 0;
  const indent = order.source.text.slice(order.source.text.lastIndexOf("\n", start - 1) + 1, start);
  return [withoutName(line, name.tokens), { from: end, to: end, text: `\n${indent}from ${home} import ${kept}` }];
}

/** Removes a name from a list, with the comma after or before it. */
function withoutName(line: readonly Token[], tokens: readonly Token[]): Edit {
  const [first, last] = [tokens[0], tokens.at(-1)];
  const at = first === undefined ? -1 : line.indexOf(first);
  const behind = line[last === undefined ? -1 : line.indexOf(last) + 1];
  if (behind?.text === ",") {
    const next = line[line.indexOf(behind) + 1];
    return { from: first?.from ?? 0, to: next?.from ?? behind.to, text: "" };
  }
  return { from: line[at - 1]?.from ?? 0, to: last?.to ?? 0, text: "" };
}
