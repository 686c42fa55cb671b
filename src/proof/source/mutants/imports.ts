// Which tokens of a file only import or re-export names.
import { logicalLines } from "../bodies/python-blocks.ts";
import { after, indexAt, type Source, textAt } from "../lex/source.ts";

/** One for each token of `code`: 1 where it is part of an import. */
export function importMarks(source: Source): Uint8Array {
  const marks = new Uint8Array(source.code.length);
  if (source.language === "python") markPython(source, marks);
  else if (source.language !== "shell") {
    for (let at = 0; at < source.code.length; ) {
      const end = startsStatement(source, at) ? importEnd(source, at) : null;
      if (end !== null) marks.fill(1, at, end);
      at = end === null || end <= at ? at + 1 : end;
    }
  }
  return marks;
}

function markPython(source: Source, marks: Uint8Array): void {
  for (const line of logicalLines(source)) {
    const [first] = line;
    if (first === undefined || !/^(?:import|from|__all__)$/.test(first.text)) continue;
    const at = indexAt(source, first.from);
    marks.fill(1, at, at + line.length);
  }
}

function startsStatement(source: Source, at: number): boolean {
  const [before, token] = [source.code[at - 1], source.code[at]];
  return before === undefined || /^[;{}]$/.test(before.text) || before.line < (token?.line ?? 0);
}

/** The index after an import that begins here. */
function importEnd(source: Source, at: number): number | null {
  switch (source.language) {
    case "javascript":
      return javascriptImport(source, at);
    case "rust": {
      const word = textAt(source, at) === "pub" ? at + 1 : at;
      return /^(?:use|mod|extern)$/.test(textAt(source, word)) ? behindSemicolon(source, word) : null;
    }
    case "go":
      if (textAt(source, at) === "package") return at + 2;
      return textAt(source, at) === "import" ? goImport(source, at + 1) : null;
    case "c-like":
      if (textAt(source, at) === "#") return behindLine(source, at);
      return /^(?:import|using|package|use|namespace)$/.test(textAt(source, at)) ? behindLine(source, at) : null;
    case "python":
    case "shell":
      return null;
  }
}

/** `import … from "a"`, `export … from "a"` and `const a = require("a")`; not `import("a")`. */
function javascriptImport(source: Source, at: number): number | null {
  const text = textAt(source, at);
  if (text === "export" && /^[{*]$/.test(textAt(source, at + 1))) return passedOn(source, at + 1);
  const isImport = text === "import" && !/^[(.]$/.test(textAt(source, at + 1));
  if (!isImport && !/^(?:const|let|var)$/.test(text)) return null;
  for (let index = at + 1; index < source.code.length && index < at + 400; index = after(source, index)) {
    if (isImport && source.code[index]?.kind === "string") return behindLine(source, index);
    if (!isImport && textAt(source, index) === "=") {
      const isRequire = textAt(source, index + 1) === "require" && source.code[index + 3]?.kind === "string";
      return isRequire && !/^[.([]$/.test(textAt(source, index + 5)) ? behindLine(source, index + 4) : null;
    }
    if (textAt(source, index) === ";") return null;
  }
  return null;
}

function passedOn(source: Source, at: number): number | null {
  const from = textAt(source, at) === "{" ? after(source, at) : textAt(source, at + 1) === "as" ? at + 3 : at + 1;
  const isFrom = textAt(source, from) === "from" && source.code[from + 1]?.kind === "string";
  return isFrom ? behindLine(source, from + 1) : null;
}

const goImport = (source: Source, at: number): number =>
  textAt(source, at) === "(" ? after(source, at) : behindLine(source, at);

function behindSemicolon(source: Source, from: number): number | null {
  for (let at = from; at < source.code.length && at < from + 400; at = after(source, at)) {
    if (textAt(source, at) === ";") return at + 1;
    if (textAt(source, at) === "{" && textAt(source, at - 1) !== "::" && textAt(source, from) !== "use") return null;
  }
  return null;
}

/** The index of the first token on another line. */
function behindLine(source: Source, from: number): number {
  let at = from;
  while (at < source.code.length && source.code[at]?.line === source.code[from]?.line) at++;
  return at;
}
