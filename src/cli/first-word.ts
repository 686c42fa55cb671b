// Whether the first word is a command or the beginning of a request. A mistyped command must never become paid work.
import * as fs from "node:fs";
import { resolve } from "node:path";
import type { Command, Option } from "commander";
import { UserError } from "../core/errors.ts";
import { nearest } from "../formats/text/nearest.ts";
import { isVerbOfWork } from "../intake/deeds.ts";

/** Words as they were typed, without options. */
export type Operands = { readonly words: readonly string[]; readonly options: ReadonlySet<string> };

/** `defaults`: the command that is meant where none is named, so its options may come first. */
export function operandsOf(argv: readonly string[], program: Command, defaults: Command): Operands {
  const words: string[] = [];
  const options = new Set<string>();
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "--") return { words: [...words, ...argv.slice(at + 1)], options };
    if (!word.startsWith("-")) {
      words.push(word);
      continue;
    }
    const [name = word] = word.split("=");
    options.add(name);
    const command = program.commands.find(
      (each) => each.name() === words[0] || each.aliases().includes(words[0] ?? ""),
    );
    const option = [...program.options, ...(command ?? defaults).options].find(
      ({ long, short }) => name === long || name === short,
    );
    if (option !== undefined && !word.includes("=")) at += valuesOf(option, argv.slice(at + 1));
  }
  return { words, options };
}

function valuesOf(option: Option, rest: readonly string[]): number {
  if (!option.required && !option.optional) return 0;
  const end = rest.findIndex((word) => word.startsWith("-"));
  return option.variadic ? (end === -1 ? rest.length : end) : Math.min(1, rest.length);
}

/** Refuses words that are meant as a command and are none. */
export function refuseMistypedCommand({ words, options }: Operands, program: Command): void {
  const [word = "", ...more] = words;
  const names = program.commands.flatMap((each) => [each.name(), ...each.aliases()]);
  if (word === "help") {
    const [topic = "help"] = more;
    if (topic === "help" || names.includes(topic)) return;
    throw unknownCommand(topic, words, nearest(topic, names), "loop help ");
  }
  if (names.includes(word) || options.has("--prd") || !isOneWord(word)) return;
  const meant = nearest(word, names);
  if (more.length > 0 && (meant === null || isVerbOfWork(word))) return;
  throw unknownCommand(word, words, meant, "loop ");
}

function unknownCommand(word: string, words: readonly string[], meant: string | null, before: string): UserError {
  const more = words.slice(1);
  const asWork = `To ask for it as work: loop run ${quoted(words)}`;
  return new UserError("unknown-command", {
    what: "Nothing was started.",
    why: `There is no command ${word}.`,
    next:
      meant === null
        ? `loop --help. ${asWork}`
        : meant === "run" && more.length > 0
          ? `Did you mean: ${before}run ${quoted(more)}?`
          : `Did you mean: ${before}${meant}? ${asWork}`,
  });
}

/** Refuses a request that is only the path of a file: there is nothing in it to do. `folders`: where it may be. */
export function refusePathAlone(request: string, folders: readonly string[]): void {
  if (!looksLikePath(request)) return;
  if (folders.some((folder) => fs.existsSync(resolve(folder, request))))
    throw new UserError("usage", {
      what: "Nothing was started.",
      why: `${request} is a path, and does not say what to do with it.`,
      next: `loop run "In ${request}, …". To build the features of a file: loop run --prd ${request}`,
    });
  throw new UserError("file-not-found", {
    what: "Nothing was started.",
    why: `File not found: ${request}.`,
    next: 'To build the features of a file: loop run --prd FILE. To ask for work, say it in words: loop run "Create …"',
  });
}

/** One word with a slash or an extension. Some languages write whole sentences without spaces. */
const looksLikePath = (text: string): boolean =>
  /^[\p{Script=Latin}\d_.~@+/\\-]+$/u.test(text.normalize()) && /[/\\]|[^.]\.[a-z][a-z\d]{0,9}$/i.test(text);

const isOneWord = (word: string): boolean => /^[\p{L}][\p{L}\d_-]*$/u.test(word);

/** As it can be typed again. */
export const quoted = (words: readonly string[]): string => `"${words.join(" ").replace(/["\\$`]/g, "\\$&")}"`;
