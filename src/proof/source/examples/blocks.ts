// Code blocks: each line that says what it gives is a check, and the lines above it prepare it.
import { type Check, checksOf, type Example, type ExampleLanguage } from "./example.ts";
import { assertion, checksIn } from "./prose.ts";
import type { Block } from "./sentences.ts";

const languages: Readonly<Record<string, ExampleLanguage>> = {
  ...{ js: "javascript", javascript: "javascript", mjs: "javascript", ts: "javascript", typescript: "javascript" },
  ...{ py: "python", python: "python", python3: "python", pycon: "python" },
};

export const isConsole = ({ language, text }: Block): boolean =>
  /^(?:sh|shell|bash|console|terminal|text|)$/.test(language) && /^[ \t]*\$ /m.test(text);

export function exampleIn(block: Block): Example | null {
  if (isConsole(block)) return null;
  const steps = statementsIn(block.text).map((code) => checkOf(code) ?? ({ is: "setup", code } as const));
  const example: Example = { language: languages[block.language] ?? null, steps };
  return checksOf(example).length === 0 ? null : example;
}

/** Lines, joined as long as a bracket is open or the next one is indented further. */
function statementsIn(text: string): readonly string[] {
  const lines = text.replace(/\r/g, "").split("\n");
  const indent = Math.min(
    ...lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0),
  );
  const found: string[] = [];
  for (const line of lines.map((each) => each.slice(indent))) {
    const last = found.at(-1);
    if (line.trim() === "" || /^(?:\/\/|#)/.test(line) || imports.test(line)) continue;
    if (last !== undefined && (/^[ \t]|^[)\]}]/.test(line) || depth(last) > 0))
      found[found.length - 1] = `${last}\n${line}`;
    else found.push(line.trimEnd());
  }
  return found;
}

/** The names come from the modules that export them. */
const imports = /^(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\s+[^=]+=\s*(?:await\s+)?(?:require|import)\()/;

const depth = (code: string): number => {
  const bare = code.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?:\/\/|#).*$/gm, "");
  return (bare.match(/[([{]/g) ?? []).length - (bare.match(/[)\]}]/g) ?? []).length;
};

function checkOf(statement: string): Check | null {
  const claim = assertion(statement);
  if (claim !== null) return { is: "check", text: statement, code: claim[0], expects: claim[1] };
  if (/^(?:const|let|var|function|class|def|for|while|if|with|async)\b|^\w+\s*=(?!=)/.test(statement)) return null;
  // What is printed is what the call in the brackets gives.
  const printed = /^(?:console\.log|print)\((.*)\)(;?\s*(?:\/\/|#).*)$/s.exec(statement);
  const line = printed === null ? statement : `${printed[1]}${printed[2]}`;
  return checksIn({ text: line.replaceAll("\n", " "), isConditional: false })[0] ?? null;
}
