// Rules of a Makefile: which command lines a target runs, without what only make can know.
import type { RunnerUse } from "../runner.ts";
import { enter, inDir, type Place, type ReadLine, textAt } from "./place.ts";

type Rule = { readonly needs: readonly string[]; readonly lines: readonly string[] };
type Makefile = { readonly rules: ReadonlyMap<string, Rule>; readonly first: string | null };

export function makeUses(words: readonly string[], place: Place, read: ReadLine): readonly RunnerUse[] {
  const [, ...args] = words;
  const after = (flag: string): string | undefined => {
    const at = args.findIndex((word) => word.startsWith(flag));
    return at < 0 ? undefined : (args[at] ?? "").slice(flag.length) || args[at + 1];
  };
  const here = inDir(place, after("-C") ?? "");
  const names = [after("-f") ?? "GNUmakefile", "makefile", "Makefile"];
  const text = names.map((name) => textAt(here, name)).find((found) => found !== null);
  if (text === undefined || text === null) return [];
  const makefile = parse(text);
  const targets = args.filter((word, at) => !/^-|=/.test(word) && !/^-[CfjlIo]$/.test(args[at - 1] ?? ""));
  return (targets.length > 0 ? targets : [makefile.first ?? ""]).flatMap((target) =>
    ruleUses(target, makefile, here, read),
  );
}

function ruleUses(target: string, makefile: Makefile, place: Place, read: ReadLine): readonly RunnerUse[] {
  const rule = makefile.rules.get(target);
  const inside = rule === undefined ? null : enter(place, place.dir, `make ${target}`);
  if (rule === undefined || inside === null) return [];
  return [
    ...rule.needs.flatMap((need) => ruleUses(need, makefile, inside, read)),
    ...rule.lines.flatMap((line) => read(line, inside)),
  ];
}

function parse(text: string): Makefile {
  const rules = new Map<string, { needs: string[]; lines: string[] }>();
  const variables = new Map<string, string>([["MAKE", "make"]]);
  let first: string | null = null;
  let open: { needs: string[]; lines: string[] }[] = [];
  for (const raw of text.replace(/\\\r?\n[ \t]*/g, " ").split(/\r?\n/)) {
    const recipe = /^\t[@+-]*\s*(.*)$/.exec(raw);
    const assigned = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*(?:::?|\?|\+)?=\s*(.*)$/.exec(raw);
    const heading = /^([^\s#=:][^=:#]*)::?(?!=)([^=;#]*)(?:;(.*))?/.exec(raw);
    if (recipe !== null) for (const rule of open) rule.lines.push(expanded(recipe[1] ?? "", variables));
    else if (assigned !== null) variables.set(assigned[1] ?? "", assigned[2] ?? "");
    else if (heading !== null) {
      const targets = expanded(heading[1] ?? "", variables)
        .trim()
        .split(/\s+/);
      open = targets.map((target) => rules.get(target) ?? { needs: [], lines: [] });
      for (const [at, rule] of open.entries()) {
        rule.needs.push(
          ...expanded(heading[2] ?? "", variables)
            .trim()
            .split(/\s+/),
        );
        if (heading[3] !== undefined) rule.lines.push(expanded(heading[3], variables));
        rules.set(targets[at] ?? "", rule);
      }
      first ??= targets.find((target) => !target.startsWith(".")) ?? null;
    }
  }
  return { rules, first };
}

const expansionsMax = 20;

function expanded(text: string, variables: ReadonlyMap<string, string>): string {
  let whole = text;
  for (let round = 0; round < expansionsMax && whole.length < 10_000; round += 1) {
    const next = whole.replace(/\$[({]([\w.-]+)[)}]/g, (all, name: string) => variables.get(name) ?? all);
    if (next === whole) break;
    whole = next;
  }
  return whole.replaceAll("$$", "$");
}
