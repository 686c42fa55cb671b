// Completion for zsh: sourced, or as the file _loop in a folder of $fpath.
import { placeCases, stepCases, valueCases } from "./cases.ts";
import type { Place, Value } from "./words.ts";

export function zshScript(places: readonly Place[]): string {
  return `#compdef loop loopwright
# loop completion for zsh. In ~/.zshrc, after compinit:  source <(loop completion zsh)
_loop() {
  local cur=$words[CURRENT] prev=$words[CURRENT-1] at=loop
  local -i i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    case "$at $words[i]" in
${stepCases(places)}    esac
  done
  case "$at $prev" in
${valueCases(places, filled)}  esac
  case "$at" in
${placeCases(places, offered)}  esac
}
if [ "$funcstack[1]" = "_loop" ]; then _loop "$@"; else compdef _loop loop loopwright; fi
`;
}

function filled(value: Value): string {
  switch (value.is) {
    case "choice":
      return `found=(${value.words.map((word) => `'${word}'`).join(" ")}); _describe value found`;
    case "folder":
      return "_files -/";
    case "file":
      return "_files";
    default:
      return "_message value";
  }
}

function offered({ commands, options, argument }: Place): string {
  const flags = `found=(${options.map(({ name, help }) => entry(name, help)).join(" ")}); _describe -o option found`;
  const all = commands.flatMap(({ names, help }) => names.map((name) => entry(name, help)));
  const others = all.length > 0 ? `found=(${all.join(" ")}); _describe command found` : filled(argument);
  if (all.length === 0 && (argument.is === "nothing" || argument.is === "text")) return flags;
  return `if [[ $cur == -* ]]; then ${flags}; else ${others}; fi`;
}

/** `name:what it does`, in single quotes. */
const entry = (name: string, help: string): string => `'${name}:${help.replace(/'/g, "'\\''").replace(/:/g, "\\:")}'`;
