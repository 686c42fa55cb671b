// Shims: programs that come before the real ones on PATH, ask for a report, and then run the real ones.
import type { Shim } from "../rooms/room.ts";

/**
 * Every shim finds the real program the same way: the one that a room moved aside for it, or the next one on PATH that is
 * not a shim of this run. The second line of a shim is the mark by which others recognize it.
 */
export function shim(name: string, mark: string, body: string): Shim {
  const script = `#!/bin/sh
# ${mark}
real=
find_real() {
  set -f; IFS=:
  for dir in $PATH; do
    found=\${dir:-.}/$1
    if [ -f "$found" ] && [ -x "$found" ]; then
      second=
      { read -r second; read -r second; } 2>/dev/null < "$found"
      if [ "$second" != ${quoted(`# ${mark}`)} ]; then real=$found; return; fi
      if [ -x "$found.loop-real" ]; then real=$found.loop-real; return; fi
    fi
  done
}
if [ -x "$0.loop-real" ]; then real=$0.loop-real; else old_ifs=$IFS; find_real ${quoted(name)}; set +f; IFS=$old_ifs; fi
if [ -z "$real" ]; then echo ${quoted(`${name}: not found`)} >&2; exit 127; fi
${body}
exec "$real" "$@"
`;
  return { name, script };
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Sets a variable again that the command line, or a tool that passes few variables on, has removed. */
const setAgain = (name: string, value: string): string => `${name}=${quoted(value)}; export ${name}`;

export type NodeOptions = {
  /** Loads the hook. */
  readonly hook: string;
  /** The two reporters, for people and for us; and ours alone, for a command that names its own. Null: not asked. */
  readonly reporters: readonly [both: string, ours: string] | null;
};

/**
 * A script may set NODE_OPTIONS itself, as Jest's documentation advises for modules. node also requires one destination
 * per reporter, so a reporter that the command names without a destination gets stdout, its default.
 */
export function nodeShim(mark: string, names: string, options: NodeOptions): Shim {
  const { hook, reporters } = options;
  const [both, ours] = reporters ?? ["", ""];
  const own = `tests=; own=; destination=
for arg; do case $arg in
  --test) tests=1;; --test-reporter|--test-reporter=*) own=1;; --test-reporter-destination*) destination=1;;
esac; done
if [ -n "$tests" ] && [ -n "$own" ]; then
  if [ -z "$destination" ]; then set -- --test-reporter-destination=stdout "$@"; fi
  add=${quoted(ours)}
fi`;
  const body = `add=${quoted(both)}
${reporters === null ? "" : own}
options=$NODE_OPTIONS
for ours in ${[hook, both, ours]
    .filter((text) => text !== "")
    .map(quoted)
    .join(" ")}; do
  case $options in *"$ours"*) options="\${options%%"$ours"*}\${options#*"$ours"}";; esac
done
NODE_OPTIONS="$options "${quoted(hook)}" $add"; export NODE_OPTIONS
${setAgain("LOOP_NAMES", names)}`;
  return shim("node", mark, body);
}

/** `PYTHONPATH=src pytest` is common, and leaves our folder out. */
export function pythonShim(program: string, mark: string, names: string, folder: string): Shim {
  const body = `case :$PYTHONPATH: in
  *:${quoted(folder)}:*) ;;
  *) PYTHONPATH=${quoted(folder)}\${PYTHONPATH:+:$PYTHONPATH}; export PYTHONPATH;;
esac
${setAgain("LOOP_NAMES", names)}`;
  return shim(program, mark, body);
}

/** Only `go test` has a report, and no variable asks for it without breaking other commands. */
export function goShim(mark: string, names: string, node: string, program: string): Shim {
  const body = `if [ "$1" = test ]; then
  plain=
  for arg; do case $arg in -c|--c|-c=*|-n|-list|-list=*|-h|-help|--help) plain=1;; -args|--args) break;; esac; done
  if [ -z "$plain" ]; then exec ${[node, program].map(quoted).join(" ")} "$real" ${quoted(names)} "$@"; fi
fi`;
  return shim("go", mark, body);
}

/** A quiet cargo prints a dot for each test, and names tests nowhere else. */
export function cargoShim(mark: string): Shim {
  const body = `case $1 in
  test|t|+*) for arg; do shift; case $arg in -q|--quiet) ;; *) set -- "$@" "$arg";; esac; done;;
esac`;
  return shim("cargo", mark, body);
}

/** bats has this report since 1.3; an older one is left alone. Its usual TAP output names no files. */
export function batsShim(mark: string, to: string): Shim {
  const body = `case " $* " in
  *" --report-formatter "*|*" -h "*|*" --help "*|*" -v "*|*" --version "*|*" -c "*|*" --count "*) ;;
  *) if "$real" --help 2>/dev/null | grep -q -e --report-formatter; then
      report=${quoted(to)}-bats-$$
      if mkdir "$report" 2>/dev/null; then
        printf '{"runner":"bats","report":"%s"}\\n' "\${report##*/}/report.xml" > "$report.jsonl"
        set -- --report-formatter junit --output "$report" "$@"
      fi
    fi;;
esac`;
  return shim("bats", mark, body);
}
