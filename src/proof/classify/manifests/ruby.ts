// Mixes a Gemfile or gemspec. It is a program, so only lines that plainly name one gem are taken from the product.

/** `gem "rails", "~> 7.0", require: false` with literals only; a string that Ruby would interpolate does not match. */
const literal = String.raw`(?:"[^"#\\\n]*"|'[^'\\\n]*'|:\w+|true|false|nil|[\d.]+)`;
const value = String.raw`(?:${literal}|\[\s*${literal}(?:\s*,\s*${literal})*\s*\])`;
const argument = String.raw`(?:\w+:\s*|:\w+\s*=>\s*|"\w+"\s*=>\s*)?${value}`;
const gemLine = new RegExp(
  String.raw`^([ \t]*)(gem|\w+\.add(?:_runtime|_development)?_dependency)([ \t]+|\(\s*)["']([\w.-]+)["']((?:\s*,\s*${argument}){0,12})\s*\)?[ \t]*(?:#[^\n]*)?$`,
);

type Gem = { readonly name: string; readonly line: string };

const gemOf = (line: string): Gem | null => {
  const found = line.length > 1000 ? null : gemLine.exec(line);
  return found === null ? null : { name: found[4] ?? "", line: line.trim() };
};

export function mixRuby(product: string, judge: string): string {
  const wanted = new Map(
    product
      .split(/\r?\n/)
      .flatMap((line) => gemOf(line) ?? [])
      .map((gem) => [gem.name, gem.line]),
  );
  const named = new Set<string>();
  const kept = judge.split("\n").flatMap((line) => {
    const gem = gemOf(line.replace(/\r$/, ""));
    if (gem === null) return [line];
    const theirs = wanted.get(gem.name);
    named.add(gem.name);
    if (theirs === undefined) return [];
    return [theirs === gem.line ? line : (/^[ \t]*/.exec(line)?.[0] ?? "") + theirs];
  });
  const added = [...wanted].filter(([name]) => !named.has(name)).map(([, line]) => line);
  return added.length === 0 ? kept.join("\n") : withAdded(kept, added);
}

/** A gemspec names its gems inside a block, so new ones go after the last; a Gemfile takes them at the end. */
function withAdded(kept: readonly string[], added: readonly string[]): string {
  const inBlock = added.filter((line) => !line.startsWith("gem"));
  const last = kept.findLastIndex((line) => gemOf(line) !== null || /^\s*\w+\.(?:name|version|files)\s*=/.test(line));
  const indent = /^[ \t]*/.exec(kept[last] ?? "")?.[0] ?? "";
  const inner = last < 0 ? [] : inBlock.map((line) => indent + line);
  const body = [...kept.slice(0, last + 1), ...inner, ...kept.slice(last + 1)].join("\n");
  const outer = added.filter((line) => line.startsWith("gem"));
  return outer.length === 0 ? body : `${body.replace(/\n?$/, "\n")}${outer.join("\n")}\n`;
}
