// Text as a terminal shows it: long lines wrapped between words, continuation lines aligned with the first word of the
// text, times in the time zone of the reader.
import { stripVTControlCharacters } from "node:util";
import { inReadersTime } from "./moment.ts";

const widthOf = (text: string): number => stripVTControlCharacters(text).length;

/** `columns` of 0 or undefined: not a terminal, so nothing is changed. */
export const wrapped = (text: string, columns: number | undefined): string =>
  columns === undefined || columns < columnsMin
    ? text
    : inReadersTime(text)
        .split("\n")
        .map((line) => wrappedLine(line, columns))
        .join("\n");

const columnsMin = 20;

function wrappedLine(line: string, columns: number): string {
  if (widthOf(line) <= columns || /^\s*[│╭╰|]/.test(stripVTControlCharacters(line))) return line;
  const indent = " ".repeat(Math.min(hangingAt(stripVTControlCharacters(line)), Math.floor(columns / 3)));
  const rows: string[] = [];
  let row = "";
  for (const word of line.split(/(?<=\S)(?= )/)) {
    if (row !== "" && widthOf(row) + widthOf(word) > columns && rows.length < rowsMax) {
      rows.push(row);
      row = indent + word.trimStart();
    } else row += word;
  }
  return [...rows, row].join("\n");
}

const rowsMax = 40;

/** Aligns with the text after a label (`  prove     test is green`), or slightly right of where the line begins. */
function hangingAt(line: string): number {
  const label = /^\s*(?:[✓✗·!?] )?\S+ {2,}(?=\S)/.exec(line)?.[0].length;
  return label ?? (/^ */.exec(line)?.[0].length ?? 0) + 2;
}
