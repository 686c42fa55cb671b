// Expected values in shell tests: `[ "$x" = "3" ]`, `assert_output "…"`, `grep -q …`, `expected=…`, `case "$x" in 3)`, what goes into
// `diff`, and what is passed to a function of the file that compares its parameters.
import { shellBodies } from "../bodies/shell.ts";
import type { Source } from "../lex/source.ts";
import type { Token } from "../lex/token.ts";
import type { Change } from "./alteration.ts";

const comparison = /^(?:={1,2}|!=|-eq|-ne)$/;
const assigned = /^(?:want|wanted|expect|expected|exp)\w*=(?=.)/i;

export function shellChanges(source: Source): readonly Change[] {
  const own = comparing(source);
  const inCommands = commandsOf(source).flatMap((command) => expectedIn(command, own));
  return [...inCommands, ...comparedTexts(source), ...casePatterns(source)].flatMap((token) => changeOf(token) ?? []);
}

/** Functions of the file that compare their parameters, and which: `check() { [ "$2" = "$3" ] || fail "$1"; }`. */
function comparing(source: Source): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, ReadonlySet<number>>();
  for (const { name, from, to } of shellBodies(source)) {
    const body = source.text.slice(from, to);
    const given = new Map(
      [...body.matchAll(/\b(\w+)=["']?\$\{?(\d)\}?["']?(?=[\s;]|$)/g)].map(([, to_ = "", at]) => [to_, Number(at)]),
    );
    const compared = [...body.matchAll(/(?:\[\[?|\btest)\s[^\n;|&]*|\bcase\s[^\n;]*|\b(?:grep|diff|cmp)\s[^\n;]*/g)];
    const names = compared.flatMap(([part]) => [...part.matchAll(/\$\{?(\w+)/g)].map(([, word = ""]) => word));
    const places = names.flatMap((word) => (/^\d$/.test(word) ? [Number(word)] : (given.get(word) ?? [])));
    if (places.length > 0) found.set(name, new Set(places));
  }
  return found;
}

/** The first pattern of each `case`. */
const casePatterns = ({ tokens }: Source): readonly Token[] =>
  tokens.flatMap(({ text }, at) => {
    if (text !== "case" || tokens[at + 2]?.text !== "in") return [];
    const pattern = tokens.slice(at + 3).find(({ kind }) => kind !== "newline" && kind !== "comment");
    return pattern !== undefined && isPlain(pattern) ? [pattern] : [];
  });

/** Here-documents and quoted words on lines that compare whole outputs, or that write what is expected. */
function comparedTexts(source: Source): readonly Token[] {
  const lines: Token[][] = [[]];
  for (const token of source.tokens) {
    if (token.kind !== "newline") lines.at(-1)?.push(token);
    // A here-document begins behind the line that it belongs to.
    if (token.kind === "newline") lines.push([]);
  }
  return lines.flatMap((line, at) => {
    const words = line.map(({ text }) => text);
    const isCompared =
      words.some((word) => /^(?:diff|cmp)$/.test(word)) ||
      words.some((word, index) => /^>/.test(words[index - 1] ?? "") && /want|expect/i.test(word));
    if (!isCompared) return [];
    const here = words.some((word) => word.includes("<<")) ? (lines[at + 1] ?? []).slice(0, 1) : [];
    const printed = words.findIndex((word) => /^(?:echo|printf)$/.test(word));
    const last =
      printed < 0 ? undefined : line.slice(printed + 1).findLast((token) => /^["']/.test(token.text) && isPlain(token));
    return [...here.filter(({ kind }) => kind === "text"), ...(last === undefined ? [] : [last])];
  });
}

/** The words of each command. */
export function commandsOf(source: Source): readonly (readonly Token[])[] {
  const commands: Token[][] = [[]];
  for (const token of source.tokens) {
    const isWord = token.kind === "word" || token.kind === "string" || token.kind === "number";
    if (isWord && !/^(?:if|then|else|elif|while|until|do|!)$/.test(token.text)) commands.at(-1)?.push(token);
    else if (token.kind !== "comment" || !isWord) commands.push([]);
  }
  return commands.filter((command) => command.length > 0);
}

function expectedIn(command: readonly Token[], own: ReadonlyMap<string, ReadonlySet<number>>): readonly Token[] {
  const name = command[0]?.text ?? "";
  const words = command.slice(1);
  const places = own.get(name);
  if (places !== undefined) return words.filter((word, at) => places.has(at + 1) && isPlain(word));
  if (/^(?:\[{1,2}|test)$/.test(name)) {
    const at = words.findIndex((word) => comparison.test(word.text));
    return at < 0
      ? []
      : words.slice(Math.max(0, at - 1), at + 2).filter((word) => isPlain(word) && !comparison.test(word.text));
  }
  if (/^assert/i.test(name) && !/not|fail|refute/i.test(name))
    return words.filter((word) => isPlain(word) && !word.text.startsWith("-"));
  if (/^grep$/.test(name) && words.some((word) => /^-\w*q/.test(word.text))) {
    return words.filter((word) => isPlain(word) && !word.text.startsWith("-")).slice(0, 1);
  }
  return command.filter((word) => assigned.test(word.text) && isPlain(word));
}

/** A literal that the shell would not expand. */
export const isPlain = (token: Token): boolean => !/[$`*?\]]/.test(token.text);

export function changeOf(token: Token): Change | null {
  const { from, to, line, text } = token;
  if (token.kind === "text") return { from, to: from, line, instead: "q17\n" };
  if (/^-?\d{1,15}$/.test(text)) return { from, to, line, instead: String(Number(text) + 17) };
  const quoted = /^(.*)(["'])(\d{0,15})\2$/s.exec(text);
  if (quoted !== null && quoted[3] !== "") {
    return { from, to, line, instead: `${quoted[1]}${quoted[2]}${Number(quoted[3]) + 17}${quoted[2]}` };
  }
  const end = /["']$/.exec(text)?.index ?? text.length;
  return end === 0 ? null : { from, to, line, instead: `${text.slice(0, end)}q17${text.slice(end)}` };
}
