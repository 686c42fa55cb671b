// Run V for what is started and not called: programs, with the command lines of the tests, simple variants of these and the words
// that the program knows; and functions of the shell, with the arguments of old tests. They run in order, in one checkout of the old
// product and in one of the new, and have to end with the same code and print the same. Of what goes to stderr only this counts:
// whether it is anything, and whether the program broke. A feature that changes a program is held to it only as far as it says what
// stays, and not for the options and words that it speaks of.
import { posix } from "node:path";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { changedCode } from "../sides.ts";
import { bodies, literalCalls } from "../source/index.ts";
import type { Meant } from "./answers/calls.ts";
import { printedBy } from "./answers/program.ts";
import { saysItStays, sentencesOf } from "./answers/words.ts";

const linesMax = 24;

/** A command line, and how people are shown it. `isMadeUp`: it gives a function of the shell what no test gives it. */
type Line = { readonly run: string; readonly shown: string; readonly isMadeUp?: true };

/** Command lines that end otherwise than before, in words for people. */
export async function compareRuns(c: Case, candidate: TreeId, meant: Meant): Promise<readonly string[]> {
  const old = changedCode(c.sides).filter(({ kind, isNew }) => kind === "modified" && !isNew);
  const lines = old.flatMap(({ path }) => [...programLines(c, path), ...shellCalls(c, path, meant)]).slice(0, linesMax);
  if (lines.length === 0 || c.cut.aborted) return [];
  const said = async (side: "base" | "candidate", shown: number | null, part = "programs"): Promise<string> => {
    const laid = await c.workspace.compose(side === "base" ? c.sides.base.id : candidate, [
      { path: "loopwright-programs.sh", content: scriptOf(lines) },
      { path: given, content: "one two\nthree\n" },
    ]);
    const run = `sh ./loopwright-programs.sh ${shown ?? "all"}`;
    const check = { name: "programs", run, must: "stay-green", timeoutMs: 60_000, tests: [] } as const;
    return printedBy(
      (await look(c, check, { run: side === "base" ? "base" : "D", tree: laid, judge: "old", part })).tail,
    );
  };
  const [was, is] = [(await said("base", null)).split("|"), (await said("candidate", null)).split("|")];
  if (was.length !== is.length) return [];
  // A function of the shell that complained was given what it does not take: text for a number, an option for a name.
  const isTaken = (at: number): boolean =>
    lines[at]?.isMadeUp !== true || !/^[1-9]\d*-(?:stderr|broken)-/.test(was[at] ?? "");
  const differing = lines.flatMap((_, at) => (was[at] !== is[at] && isTaken(at) ? [at] : []));
  if (differing.length === 0) return [];
  // What prints the time, or something else each time, cannot be compared.
  const again = (await said("base", null, "programs-again")).split("|");
  const at = differing.find((each) => was[each] === again[each]);
  if (at === undefined) return [];
  const [before, now] = [await said("base", at), await said("candidate", at)];
  return [`\`${lines[at]?.shown}\` ended with ${before.slice(0, shownMax)}, and ends with ${now.slice(0, shownMax)}`];
}

const shownMax = 80;
const given = "loopwright-given.txt";

/** Prints code and digests of all, or code and output of one: those before it run as well, since they may leave something for it. */
const scriptOf = (lines: readonly Line[]): string =>
  `dir=$(mktemp -d)
limit=$(command -v timeout) && limit="$limit 5"
all=
try() {
  $limit sh -c "$2" </dev/null >"$dir/out" 2>"$dir/err"
  code=$?
  said=quiet
  [ -s "$dir/err" ] && said=stderr
  grep -Eq '^Traceback|^ +at .*:[0-9]+:[0-9]+|not found' "$dir/err" && said=broken
  grep -iq usage "$dir/out" && echo usage >"$dir/out"
  if [ "$shown" = "$1" ]; then printf 'loopwright-answer code %s and "%s"\\n' "$code" "$(tr '\\n' ' ' <"$dir/out" | cut -c1-200 | sed 's/ *$//')"; fi
  all="$all$code-$said-$(cksum <"$dir/out" | cut -d' ' -f1)|"
}
shown=$1
${lines.map(({ run }, at) => `try ${at} ${quoted(run)}`).join("\n")}
[ "$shown" = all ] && printf 'loopwright-answer %s\\n' "$all"
exit 0
`;

const quoted = (text: string): string => (/^[\w.,:/=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const waits =
  /\.listen\(|createServer|http\.server|setInterval|readline|\binput\(|WebSocket|\bfetch\(|urllib|requests|\bsleep\b|process\.stdin|sys\.stdin|\bread\s+-?\w/;

/** What starts the file; null: it is no program, or one that waits for something. */
function starterOf({ sides }: Case, path: string): string | null {
  const [was, is] = [sides.base.text(path) ?? "", sides.candidate.text(path) ?? ""];
  if (waits.test(was) || waits.test(is)) return null;
  if (/\.[cm]?js$/.test(path)) return /^#!|\bprocess\.argv\b/.test(was) ? `node ./${path}` : null;
  if (path.endsWith(".py")) {
    const folder = posix.dirname(path);
    if (path.endsWith("/__main__.py"))
      return `PYTHONPATH=${posix.dirname(folder)} python3 -m ${posix.basename(folder)}`;
    return /^#!|__name__ == ["']__main__["']/m.test(was) ? `python3 ./${path}` : null;
  }
  return /^#!.*\b(?:ba|da|z)?sh\b/.test(was) ? `${/^#!.*bash/.test(was) ? "bash" : "sh"} ./${path}` : null;
}

function programLines(c: Case, path: string): readonly Line[] {
  const start = starterOf(c, path);
  if (start === null) return [];
  const { base, candidate, classes, changes } = c.sides;
  const own = base.text(path) ?? "";
  const words = [
    ...own.matchAll(/(?:===?|\bcase)\s*["']((?!__)\w[\w-]*)["']|(?:add_parser|command)\(\s*["'](\w[\w-]*)/g),
  ];
  const known = [...new Set(words.map(([, one, two]) => one ?? two ?? ""))];
  const tests = [
    ...base.paths.filter((test) => classes.of(test).isTest).map((test) => base.text(test) ?? ""),
    ...changes.filter(({ isTest }) => isTest).map((change) => candidate.text(change.path) ?? ""),
  ];
  const asked = tests.filter((text) => text.includes(posix.basename(path))).flatMap((text) => argumentsIn(text, path));
  const lists = [
    ...asked,
    ...known.map((word) => [word]),
    ...asked.map((args) => args.filter((arg) => !arg.startsWith("-"))),
    ...known.map((word) => [word, "milk"]),
    ...[[], [given], [given, "no-such-file", given], ["one two"]],
  ];
  const unique = [...new Map(lists.map((args) => [args.join("\n"), args])).values()];
  return unique
    .filter((args) => c.feature.kind === "keep" || mustStay(c.feature, args, known))
    .map((args) => [start, ...args.map(quoted)].join(" "))
    .map((run) => ({ run, shown: run }));
}

/** The literal words behind the program's path, and those that a helper around it is called with. */
function argumentsIn(text: string, path: string): readonly (readonly string[])[] {
  const name = posix.basename(path).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const lists = [
    ...text.matchAll(
      new RegExp(`${name}["'](?:\\)|\\])?((?:\\s*,\\s*(?:"[^"\\\\\\n]*"|'[^'\\\\\\n]*'))*)\\s*\\]`, "g"),
    ),
  ];
  const lines = [...text.matchAll(new RegExp(`["'\`][^"'\`\\n]*${name} ([\\w ./=-]+)["'\`]`, "g"))];
  const helpers = [...text.matchAll(new RegExp(`(?:const|function|def|let) (\\w+)[^]{0,300}?${name}`, "g"))].map(
    ([, helper = ""]) => helper,
  );
  return [
    ...lists.map(([, args = ""]) => textsOf(args)),
    ...lines.map(([, args = ""]) => args.trim().split(/\s+/)),
    ...literalCalls(text, helpers).map(({ args }) => args.flatMap((arg) => (/^["']/.test(arg) ? textsOf(arg) : []))),
  ];
}

const textsOf = (args: string): string[] =>
  Array.from(args.matchAll(/"([^"]*)"|'([^']*)'/g), ([, one, two]) => one ?? two ?? "");

const optionsIn = (text: string): readonly string[] => text.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [];

/** The feature says that this stays, and what it changes is something else. */
function mustStay(feature: Case["feature"], args: readonly string[], known: readonly string[]): boolean {
  const sentences = sentencesOf(feature).filter((each) => each.trim() !== "");
  const named = (sentence: string): readonly string[] =>
    known.filter((word) => new RegExp(`\\b${word}\\b`).test(sentence));
  const stays = sentences.filter(saysItStays);
  const isHeld = stays.some((each) => named(each).length === 0 || named(each).some((word) => args.includes(word)));
  const isChanged = sentences
    .filter((each) => !saysItStays(each))
    .some((each) => {
      const [options, words] = [optionsIn(each), named(each)];
      if (options.length > 0) return options.some((option) => args.includes(option));
      return words.length === 0 || words.some((word) => args.includes(word));
    });
  return isHeld && !isChanged;
}

/** Calls of old functions in old tests, and the same with parts that have spaces and signs in them. */
function shellCalls(
  { sides: { base, candidate, classes }, feature }: Case,
  path: string,
  meant: Meant,
): readonly Line[] {
  const own = base.text(path) ?? "";
  if (!/\.(?:sh|bash)$/.test(path) || waits.test(own)) return [];
  const all = bodies(path, own).map(({ name }) => name);
  // One that is gone was renamed or removed, which other rules are about.
  const left = new Set(bodies(path, candidate.text(path) ?? "").map(({ name }) => name));
  const names = all
    .filter((name) => left.has(name))
    .filter((name) => feature.kind === "keep" || !meant.changes(name) || meant.keeps(name, all));
  // Calls in tests that may change are still calls.
  const tests = base.paths.filter((test) => classes.of(test).isTest).map((test) => base.text(test) ?? "");
  const shell = path.endsWith(".bash") || /^#!.*bash/.test(own) ? "bash" : "sh";
  return names.flatMap((name) => {
    const calls = tests.flatMap((text) => [...text.matchAll(new RegExp(`\\$\\(${name} ([^$\`()|;&<>]*)\\)`, "g"))]);
    const lists = calls
      .slice(0, 2)
      .map(([, args = ""]) =>
        (args.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((arg) => arg.replace(/^(["'])(.*)\1$/, "$2")),
      );
    const others = lists.flatMap((args) =>
      args.flatMap((arg, at) => ["a b", `${arg} z`, "*", "-n"].map((other) => args.with(at, other))),
    );
    const lineOf = (args: readonly string[]): Line => {
      const call = [name, ...args].map(quoted).join(" ");
      return { run: `${shell} -c '. ./${path}; "$@"' ${shell} ${call}`, shown: call };
    };
    return [...lists.map(lineOf), ...others.map((args) => ({ ...lineOf(args), isMadeUp: true as const }))];
  });
}
