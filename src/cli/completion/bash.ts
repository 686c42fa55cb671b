// Completion for bash 3.2 and later, without the bash-completion package.
import { placeCases, stepCases, valueCases } from "./cases.ts";
import type { Place, Value } from "./words.ts";

export function bashScript(places: readonly Place[]): string {
  return `# loop completion for bash. In ~/.bashrc:  eval "$(loop completion bash)"
_loop() {
  local IFS=$'\\n' cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at=loop i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
${stepCases(places)}    esac
  done
  COMPREPLY=()
  case "$at $prev" in
${valueCases(places, filled)}  esac
  case "$at" in
${placeCases(places, offered)}  esac
}
complete -F _loop loop loopwright
`;
}

const files = "compopt -o filenames 2>/dev/null; ";

function filled(value: Value): string {
  switch (value.is) {
    case "choice":
      return words(value.words);
    case "folder":
      return `${files}COMPREPLY=($(compgen -d -- "$cur"))`;
    case "file":
      return `${files}COMPREPLY=($(compgen -f -- "$cur"))`;
    default:
      return ":";
  }
}

/** Options are offered after a dash, and where there is nothing else. */
function offered({ commands, options, argument }: Place): string {
  const flags = words(options.map(({ name }) => name));
  const others = commands.length > 0 ? words(commands.flatMap(({ names }) => names)) : filled(argument);
  if (others === ":") return flags;
  return `if [[ $cur == -* ]]; then ${flags}; else ${others}; fi`;
}

const words = (all: readonly string[]): string => `COMPREPLY=($(compgen -W $'${all.join("\\n")}' -- "$cur"))`;
