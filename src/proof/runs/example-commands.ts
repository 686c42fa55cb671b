// Command lines of a feature's text, run as a shell runs them: programs of the project and plain utilities, nothing else.
import { posix } from "node:path";
import type { Sides } from "../sides.ts";
import type { CommandExample } from "../source/index.ts";
import { mark, type Program } from "./example-programs.ts";

const utilities = new Set(
  "echo printf cat true false head tail sort uniq wc grep tr cut sed seq test diff rev nl tac paste".split(" "),
);

/** Null: it can be run. */
export function whyNotRun(sides: Pick<Sides, "candidate">, command: string): string | null {
  const bare = command.replace(/'[^']*'|"[^"$`\\]*(?:\\.[^"$`\\]*)*"/g, (text) => "Q".repeat(text.length));
  if (/[`$\\()]|(?:^|[^&])&(?!&)|<</.test(bare)) return "it is more than a pipe of programs";
  const { candidate } = sides;
  const parts = bare.split(/\|\|?|&&|;/).map((part) => part.trim());
  const read = parts.flatMap((part) => [...part.matchAll(/<\s*([\w./-]+)/g)].map(([, path = ""]) => path));
  const lacking = read.find((path) => !candidate.has(posix.normalize(path)));
  if (lacking !== undefined) return `there is no file ${lacking}`;
  const kinds = parts.map((part) =>
    kindOf(sides, part.replace(/[<>]{1,2}\s*[\w./-]+/g, "").replace(/^(?:[A-Z_]+=\S*\s+)+/, "")),
  );
  if (kinds.includes("other")) return "it starts a program that is not the project's";
  return kinds.includes("project") ? null : "it starts no program of the project";
}

function kindOf({ candidate }: Pick<Sides, "candidate">, part: string): "project" | "utility" | "other" {
  const [, by, path = ""] = /^(?:(node|python3?|sh|bash)\s+)?(?:\.\/)?(\w[\w./-]*)(?:\s|$)/.exec(part) ?? [];
  if (path !== "" && !path.split("/").includes("..") && candidate.has(path) && (by !== undefined || isPath(part)))
    return "project";
  const module = /^python3?\s+-m\s+([\w.]+)/.exec(part)?.[1]?.replaceAll(".", "/");
  if (module !== undefined && [`${module}.py`, `${module}/__main__.py`].some((file) => candidate.has(file)))
    return "project";
  if (by === undefined && binOf({ candidate }, path) !== null) return "project";
  return by === undefined && utilities.has(path) && !part.startsWith("./") ? "utility" : "other";
}

const isPath = (part: string): boolean => part.startsWith("./");

/** The file of a program that the package installs under this name. */
function binOf({ candidate }: Pick<Sides, "candidate">, name: string): string | null {
  const text = candidate.text("package.json") ?? "";
  const found = new RegExp(`"bin"\\s*:\\s*\\{[^}]*"${name}"\\s*:\\s*"(?:\\./)?([^"]+)"`).exec(text)?.[1];
  return /^[\w-]+$/.test(name) && found !== undefined && candidate.has(found) ? found : null;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const told = ({ command, gives }: CommandExample): string =>
  `${command} ${"prints" in gives ? `prints ${gives.prints}${gives.on === "stderr" ? " on stderr" : ""}` : `exits with ${gives.exits}`}`.replace(
    /[\t\r\n]+/g,
    " ",
  );

type Line =
  | { readonly at: number; readonly example: CommandExample }
  | { readonly at: number; readonly start: string; readonly isProgram: boolean };

export function commandProgram(sides: Pick<Sides, "candidate">, lines: readonly Line[]): readonly Program[] {
  if (lines.length === 0) return [];
  const say = `say() { printf '${mark}\\t%s\\t%s\\t%s\\n' "$1" "$2" "$(printf %s "$3" | tr '\\n\\t' '  ' | cut -c1-100)"; }`;
  const names = new Set(
    lines.flatMap((line) => ("example" in line ? (line.example.command.match(/[\w-]+/g) ?? []) : [])),
  );
  const programs = [...names].flatMap((name) => {
    const path = binOf(sides, name);
    return path === null ? [] : [{ name, path }];
  });
  const installed =
    programs.length === 0
      ? []
      : [
          'bin=$(mktemp -d); PATH="$bin:$PATH"',
          ...programs.map(
            ({ name, path }) =>
              `printf '#!/bin/sh\\nexec "%s" "$@"\\n' "$PWD/${path}" > "$bin/${name}"; chmod +x "$bin/${name}" "./${path}"`,
          ),
        ];
  return [
    {
      path: "loopwright-examples.sh",
      run: "sh ./loopwright-examples.sh",
      text: `${[say, ...installed, ...lines.map(lineOf)].join("\n")}\n`,
    },
  ];
}

/** As a shell runs it, without input of its own. */
function lineOf(line: Line): string {
  if ("start" in line) return canBeStarted(line);
  const { at, example } = line;
  const { command, gives } = example;
  if ("exits" in gives)
    return `sh -c ${quote(command)} >/dev/null 2>&1 </dev/null; code=$?; [ "$code" = ${gives.exits} ] && say ${at} holds || say ${at} differs "it exits with $code"`;
  const streams = gives.on === "stderr" ? "2>&1 >/dev/null" : "2>/dev/null";
  return `got=$(sh -c ${quote(command)} ${streams} </dev/null); [ "$got" = ${quote(gives.prints)} ] && say ${at} holds || say ${at} differs "it prints $got"`;
}

/** A text without `#!` is started by some shells only, as a program of theirs. */
const canBeStarted = ({ at, start, isProgram }: Extract<Line, { start: string }>): string =>
  isProgram
    ? `[ -x ${quote(start)} ] && say ${at} holds || say ${at} differs "the file is not executable"`
    : `say ${at} differs "the file does not begin with #! and the program that runs it"`;
