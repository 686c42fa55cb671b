// The names that a piece of code uses and does not define itself.

const keywords = new Set(
  "await async new typeof instanceof in of void delete function return throw if else for while do switch case break continue default class extends super this try catch finally const let var import from as yield true false null undefined NaN Infinity None True False and or not is lambda def with raise assert pass except del global nonlocal print self elif".split(
    " ",
  ),
);

const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
const word = /(?<![\w$.])[A-Za-z_$][\w$]*/g;

export function freeNames(code: string): readonly string[] {
  const bare = code
    .replace(quoted, (text) => (text.startsWith("`") ? (text.match(/\$\{[^}]*\}/g) ?? []).join(" ") : "0"))
    .replace(/\/\/.*$|(?<=^|\s)#.*$/gm, "")
    .replaceAll("...", " ");
  const defined = definedIn(bare);
  // A key of an object, or an argument of Python that is given by its name.
  const used = Array.from(bare.matchAll(word))
    .filter(({ 0: name, index }) => !/^\s*(?::(?!:)|=(?![=>]))/.test(bare.slice(index + name.length)))
    .map(([name]) => name);
  return [...new Set(used)].filter((name) => !keywords.has(name) && !defined.has(name));
}

function definedIn(code: string): ReadonlySet<string> {
  const lists = [
    ...code.matchAll(
      /\b(?:const|let|var)\s+([^=;\n]+?)(?==|;|\bof\b|\bin\b|$)|\(([^()]*)\)\s*(?:=>|\{)|([\w$]+)\s*=>|\bfunction\*?\s*(?:[\w$]+\s*)?\(([^)]*)\)|\bdef\s+\w+\s*\(([^)]*)\)|\blambda\s+([^:]*):|\bfor\s+([\w\s,]+?)\s+in\b|\bas\s+(\w+)|\b(?:class|function\*?|def)\s+([\w$]+)|^\s*([\w\s,]+?)\s*=(?![=>])/gm,
    ),
  ].flatMap(([, ...groups]) => groups);
  return new Set(lists.flatMap((list) => list?.match(/[A-Za-z_$][\w$]*/g) ?? []));
}

/** Something in it is given, and not only named: `slug(text)` shows a form. */
export const givesValues = (code: string): boolean =>
  /["'\d]|\b(?:true|false|null|undefined|None|True|False)\b/.test(code.replace(/[A-Za-z_$][\w$]*\d[\w$]*/g, ""));
