// Completion for fish.
import { leads, withValues } from "./cases.ts";
import type { Place, Value } from "./words.ts";

export function fishScript(places: readonly Place[]): string {
  return `# loop completion for fish. Once:  loop completion fish > ~/.config/fish/completions/loop.fish
function __loop_at
    set -l at loop
    set -l skip 0
    set -l typed (commandline -opc)
    for word in $typed[2..]
        if test $skip = 1
            set skip 0
            continue
        end
        switch "$at $word"
${withValues(places)
  .map(({ path, name }) => `            case '${path} ${name}'\n                set skip 1\n`)
  .join("")}${leads(places)
  .map(({ from, word, to }) => `            case '${from} ${word}'\n                set at '${to}'\n`)
  .join("")}        end
    end
    test "$at" = "$argv[1]"
end
complete -c loop -f
complete -c loopwright -w loop
${places.flatMap((place) => linesOf(place)).join("\n")}
`;
}

function linesOf({ path, commands, options, argument }: Place): string[] {
  const here = `complete -c loop -n "__loop_at '${path}'"`;
  return [
    ...commands.flatMap(({ names, help }) => names.map((name) => `${here} -a ${name} -d ${quoted(help)}`)),
    ...(commands.length > 0 ? [] : filled(argument).map((what) => `${here} ${what}`)),
    ...options.map(({ name, help, value }) => {
      const takes = value.is === "nothing" ? "" : ` -r ${filled(value).join(" ")}`;
      return `${here} -l ${name.slice(2)}${takes} -d ${quoted(help)}`;
    }),
  ];
}

function filled(value: Value): string[] {
  switch (value.is) {
    case "choice":
      return [`-f -a '${value.words.join(" ")}'`];
    case "folder":
      return ["-f -a '(__fish_complete_directories)'"];
    case "file":
      return ["-F"];
    default:
      return [];
  }
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
