// Modules of Python: imports, relative imports, uses of a dotted name, and strings such as those of `patch`.
import { logicalLines } from "../bodies/python-blocks.ts";
import type { Edit } from "../edit.ts";
import { indexAt, type Source, textAt } from "../lex/source.ts";
import type { Token } from "../lex/token.ts";
import { fromImport } from "./python-from.ts";
import { type Module, movedModules, namesIn } from "./python-names.ts";
import type { Repointing } from "./repointing.ts";

export function pythonModules(order: Repointing): readonly Edit[] {
  const { source } = order;
  const modules = movedModules(order);
  const imports = logicalLines(source).filter(([first]) => /^(?:import|from)$/.test(first?.text ?? ""));
  const inImports = new Set(imports.flat());
  const edits = imports.flatMap((line) =>
    line[0]?.text === "import" ? plainImport(line, modules) : fromImport(order, line, modules),
  );
  return [...edits, ...uses(source, modules, inImports), ...namesInStrings(source, modules, inImports)];
}

/** `import a.b`, `import a as c, d.e`. */
function plainImport(line: readonly Token[], modules: readonly Module[]): readonly Edit[] {
  return namesIn(line.slice(1)).flatMap(({ tokens, name, alias }) => {
    const module = modules.find(({ from }) => from === name);
    const [first, last] = [tokens[0], tokens.at(-1)];
    if (module === undefined || first === undefined || last === undefined) return [];
    // Code uses a name without dots directly, so the name has to stay.
    const kept = alias || name.includes(".") || module.to === name ? "" : ` as ${name}`;
    return [{ from: first.from, to: last.to, text: module.to + kept }];
  });
}

/** `a.b.f()` after `import a.b`. */
function uses(source: Source, modules: readonly Module[], skip: ReadonlySet<Token>): readonly Edit[] {
  const dotted = modules.filter(({ from }) => from.includes("."));
  return source.code.flatMap((token, index) => {
    if (
      token.kind !== "word" ||
      skip.has(token) ||
      textAt(source, index - 1) === "." ||
      textAt(source, index + 1) !== "."
    )
      return [];
    for (const { from, to } of dotted) {
      const count = 2 * from.split(".").length - 1;
      const chain = source.code.slice(index, index + count);
      if (chain.map((part) => part.text).join("") === from)
        return [{ from: token.from, to: chain.at(-1)?.to ?? token.to, text: to }];
    }
    return [];
  });
}

/** `patch("a.b.f")`, `import_module("a.b")`. */
function namesInStrings(source: Source, modules: readonly Module[], skip: ReadonlySet<Token>): readonly Edit[] {
  return source.code.flatMap((token) => {
    const found =
      token.kind === "string" && !skip.has(token) ? /^([rRuU]?["'])([A-Za-z_][\w.]*)["']$/.exec(token.text) : null;
    const [, quote = "", name = ""] = found ?? [];
    const isArgument = /^[(,[]$/.test(textAt(source, indexAt(source, token.from) - 1));
    const module = modules.find(({ from }) => from.includes(".") && (name === from || name.startsWith(`${from}.`)));
    if (module === undefined || !isArgument) return [];
    const from = token.from + quote.length;
    return [{ from, to: from + module.from.length, text: module.to }];
  });
}
