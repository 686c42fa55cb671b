// Command lines in a feature's text, with what they print or how they end.
import { isConsole } from "./blocks.ts";
import { blocksIn, sentencesIn } from "./sentences.ts";

/** `node bin/todo.js count` prints `2`; `./check.sh x` exits with 3. */
export type CommandExample = {
  readonly command: string;
  readonly gives: { readonly prints: string; readonly on: "stdout" | "stderr" } | { readonly exits: number };
};

export const commandsIn = (texts: readonly string[]): readonly CommandExample[] =>
  [
    ...sentencesIn(texts).flatMap(({ text, isConditional }) =>
      isConditional
        ? []
        : [
            ...Array.from(text.matchAll(printing), ([, command = "", code, quoted, stream]) => ({
              command,
              gives: {
                prints: code ?? quoted ?? "",
                on: stream === undefined ? ("stdout" as const) : ("stderr" as const),
              },
            })),
            ...Array.from(text.matchAll(ending), ([, command = "", code]) => ({
              command,
              gives: { exits: Number(code) },
            })),
          ],
    ),
    ...blocksIn(texts)
      .filter(isConsole)
      .flatMap(({ text }) => sessions(text)),
  ].filter(({ command, gives }) => !isForm(command) && !("prints" in gives && /[<>…\\]|\.\.\./.test(gives.prints)));

const said = "\\s+(?:should |must |will )?";
const printing = new RegExp(
  `\`(?:\\$ )?([^\`\\n]+)\`(?:${said}(?:prints?|outputs?|writes?)|\\s+(?:->|→|=>))\\s+(?:\`([^\`\\n]+)\`|"([^"\\n]+)")(\\s+(?:on|to) (?:stderr|(?:the )?standard error))?(?=\\s*(?:$|[.;,]|and\\b))`,
  "g",
);
const ending = new RegExp(
  `\`(?:\\$ )?([^\`\\n]+)\`${said}(?:exits?|ends?|fails?) with (?:(?:the )?(?:exit )?(?:code|status) )?\`?(\\d{1,3})\`?(?=\\s*(?:$|[.;,]))`,
  "g",
);

/** `FILE` and `<id>` stand for something else. In quotes they are data. A word alone is a name, and `f(x)` is a call. */
const isForm = (command: string): boolean =>
  /<\w[\w -]*>|[…$\\]|\.\.\.|\b[A-Z]{2,}\b|\[|^[\w.$]+\(|^[\w$-]+$/.test(command.replace(/"[^"$]*"|'[^']*'/g, "0"));

/** `$ node bin/count.js a b`, and below it what it prints. */
function sessions(text: string): CommandExample[] {
  return text
    .split(/^[ \t]*\$ /m)
    .slice(1)
    .map((part) => part.split("\n"))
    .map(([command = "", ...lines]) => ({
      command: command.trim(),
      gives: { prints: lines.join("\n").trim(), on: "stdout" as const },
    }))
    .filter(({ gives }) => gives.prints !== "");
}

/** Programs that are started by their path: `./bin/words FILE`. A module's path may be meant for an import. */
export const startedIn = (texts: readonly string[]): readonly string[] => [
  ...new Set(
    sentencesIn(texts)
      .filter(({ isConditional }) => !isConditional)
      .flatMap(({ text }) => Array.from(text.matchAll(starting), ([, path = ""]) => path)),
  ),
];

const starting = /`(?:\$ )?\.\/((?:[\w-]+\/)+[\w-]+(?:\.sh)?|[\w-]+(?:\.sh)?(?= )|[\w-]+\.sh)(?:\s[^`\n]*)?`/g;
