// Inputs in tables: rows of `test.each`, `parametrize` and Go's lists of cases.
import { partsIn, type Source, type Span, textAt } from "../lex/source.ts";
import { literalsIn } from "./leaves.ts";

const expected = /^(?:want|wanted|expect|expected|exp|output|result|name|title|description)/i;

/** Indices of literals in rows: all columns but the last; of named columns, those that are not expectations. */
export function tableInputs(source: Source): readonly number[] {
  return tablesIn(source).flatMap((open) => partsIn(source, open).flatMap((row) => rowInputs(source, row)));
}

/** The brackets that hold rows. */
function tablesIn(source: Source): readonly number[] {
  return source.code.flatMap((token, index) => {
    if (/^(?:each|parametrize|for|cases)$/.test(token.text) && textAt(source, index + 1) === "(") {
      return partsIn(source, index + 1).flatMap(({ from }) => (textAt(source, from) === "[" ? [from] : []));
    }
    // `[]struct{ … }{ rows }`
    const isGo = source.language === "go" && token.text === "struct" && textAt(source, index + 1) === "{";
    const rows = isGo ? (source.partner[index + 1] ?? -1) + 1 : 0;
    return rows > 0 && textAt(source, rows) === "{" ? [rows] : [];
  });
}

function rowInputs(source: Source, row: Span): readonly number[] {
  const open = source.code[row.from]?.kind === "open" ? row.from : -1;
  const columns = open < 0 ? [] : partsIn(source, open);
  const isNamed = columns.some((column) => textAt(source, column.from + 1) === ":");
  const inputs = isNamed
    ? columns.filter((column) => !expected.test(textAt(source, column.from)))
    : columns.slice(0, -1);
  return inputs.flatMap(({ from, to }) => literalsIn(source, { from: isNamed ? from + 2 : from, to }));
}
