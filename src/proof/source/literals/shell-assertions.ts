// Expected values in shell tests: `[ "$x" = "3" ]`, `assert_output "…"`, `grep -q …`, `expected=…`.
import type { Source } from "../lex/source.ts";
import type { Token } from "../lex/token.ts";
import type { Change } from "./alteration.ts";

const comparison = /^(?:={1,2}|!=|-eq|-ne)$/;
const assigned = /^(?:want|wanted|expect|expected|exp)\w*=(?=.)/i;

export function shellChanges(source: Source): readonly Change[] {
  return commandsOf(source).flatMap((command) => expectedIn(command).flatMap((token) => changeOf(token) ?? []));
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

function expectedIn(command: readonly Token[]): readonly Token[] {
  const name = command[0]?.text ?? "";
  const words = command.slice(1);
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
  if (/^-?\d{1,15}$/.test(text)) return { from, to, line, instead: String(Number(text) + 17) };
  const quoted = /^(.*)(["'])(\d{0,15})\2$/s.exec(text);
  if (quoted !== null && quoted[3] !== "") {
    return { from, to, line, instead: `${quoted[1]}${quoted[2]}${Number(quoted[3]) + 17}${quoted[2]}` };
  }
  const end = /["']$/.exec(text)?.index ?? text.length;
  return end === 0 ? null : { from, to, line, instead: `${text.slice(0, end)}q17${text.slice(end)}` };
}
