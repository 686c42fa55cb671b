// Splits a shell command line far enough to see which programs it starts. It is only read here, never run or rebuilt.

/** One program with its arguments, without preceding variables. */
export type SimpleCommand = readonly string[];

const keywords = new Set([
  "if",
  "then",
  "elif",
  "else",
  "fi",
  "do",
  "done",
  "while",
  "until",
  "!",
  "{",
  "}",
  "time",
  "exec",
]);
const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/;

export function simpleCommands(line: string): readonly SimpleCommand[] {
  const commands: string[][] = [[]];
  for (const token of tokens(line)) {
    if (token.is === "end") commands.push([]);
    else commands.at(-1)?.push(token.text);
  }
  return commands.map(commandOf).filter((words) => words.length > 0);
}

function commandOf(words: readonly string[]): SimpleCommand {
  const at = words.findIndex((word) => !assignment.test(word) && !keywords.has(word));
  return at < 0 ? [] : words.slice(at);
}

type Token = { readonly is: "word"; readonly text: string } | { readonly is: "end" };

/** A word, an operator that ends a command, or a redirection, whose target is not an argument. */
function* tokens(line: string): Generator<Token> {
  let at = 0;
  let skipsWord = false;
  while (at < line.length) {
    const rest = line.slice(at);
    const blank = /^(?:[ \t\r]|\\\r?\n)+|^#[^\n]*/.exec(rest);
    const redirection = /^\d*(?:>>|>&|<&|<<<|<<-?|>\||>|<)(?:&?\d+|&?-)?/.exec(rest);
    const operator = /^(?:&&|\|\||;;?|\|&?|&|\n|\(|\))/.exec(rest);
    if (blank !== null) at += blank[0].length;
    else if (redirection !== null) {
      at += redirection[0].length;
      skipsWord = !/[\d-]$/.test(redirection[0]);
    } else if (operator !== null) {
      at += operator[0].length;
      yield { is: "end" };
    } else {
      const { text, length } = wordAt(rest);
      at += length;
      if (!skipsWord) yield { is: "word", text };
      skipsWord = false;
    }
  }
}

/** Without its quotes. A substitution stays in the text, since its result is unknown. */
function wordAt(rest: string): { text: string; length: number } {
  let text = "";
  let at = 0;
  while (at < rest.length) {
    const part =
      /^'([^']*)'?|^"((?:\\[\s\S]|[^"\\])*)"?|^\\([\s\S])|^(\$\([^()]*\))|^(`[^`]*`?)|^([^\s'"\\;&|()<>`$]+|\$)/.exec(
        rest.slice(at),
      );
    if (part === null || part[0] === "") break;
    const [whole, single, double, escaped, ...others] = part;
    text +=
      single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? others.find((other) => other !== undefined) ?? "";
    at += whole.length;
  }
  // A character that starts no token is skipped, so that the scan always ends.
  return at === 0 ? { text: rest.slice(0, 1), length: 1 } : { text, length: at };
}
