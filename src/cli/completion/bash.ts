// Completion for bash 3.2 and later, without the bash-completion package.
import type { Place, Value } from "./words.ts";

export function bashScript(places: readonly Place[]): string {
  return `# loop completion for bash. In ~/.bashrc:  eval "$(loop completion bash)"
_loop() {
  local IFS=$'\\n' cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at=loop i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
${withValues(places)
  .map(({ path, name }) => `      "${path} ${name}") ((i++)) ;;\n`)
  .join("")}${leads(places)
  .map(({ from, word, to }) => `      "${from} ${word}") at="${to}" ;;\n`)
  .join("")}    esac
  done
  COMPREPLY=()
  case "$at $prev" in
${withValues(places)
  .map(({ path, name, value }) => `    "${path} ${name}") ${filled(value)}; return ;;\n`)
  .join("")}  esac
  case "$at" in
${places.map((place) => `    "${place.path}") ${offered(place)} ;;\n`).join("")}  esac
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

export const withValues = (places: readonly Place[]) =>
  places.flatMap(({ path, options }) =>
    options.filter(({ value }) => value.is !== "nothing").map(({ name, value, help }) => ({ path, name, value, help })),
  );

export const leads = (places: readonly Place[]) =>
  places.flatMap(({ path, commands }) =>
    commands.flatMap(({ names, leadsTo }) => names.map((word) => ({ from: path, word, to: leadsTo }))),
  );
