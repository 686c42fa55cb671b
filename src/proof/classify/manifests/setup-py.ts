// Mixes setup.py. It is a program, so only arguments that are plain lists of strings are taken from the product.

type Argument = { readonly from: number; readonly to: number; readonly text: string };

const names = ["install_requires", "extras_require", "tests_require"] as const;

export function mixSetupPy(product: string, judge: string): string {
  const parts = names.flatMap((name) => {
    const [theirs, ours] = [argumentIn(product, name), argumentIn(judge, name)];
    return theirs === null || ours === null ? [] : [{ ...ours, text: theirs.text }];
  });
  const backwards = parts.toSorted((left, right) => right.from - left.from);
  return backwards.reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), judge);
}

/** Null: the argument is missing, is named more than once, or is anything but literals. */
function argumentIn(text: string, name: (typeof names)[number]): Argument | null {
  const found = [...text.matchAll(new RegExp(String.raw`\b${name}\s{0,20}=\s{0,20}(?=[[{])`, "g"))];
  const [only] = found;
  if (found.length !== 1 || only === undefined) return null;
  const from = only.index + only[0].length;
  const to = literalEnd(text, from);
  return to === null ? null : { from, to, text: text.slice(from, to) };
}

/** Strings without prefix, commas, colons, brackets, blanks and comments; nothing that Python would evaluate. */
function literalEnd(text: string, start: number): number | null {
  const token = /[\s,:]+|#[^\n]*|"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'|[[\]{}]/y;
  const open: string[] = [];
  for (let at = start; at < text.length; ) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return null;
    at += found.length;
    if (found === "[" || found === "{") open.push(found === "[" ? "]" : "}");
    else if ((found === "]" || found === "}") && open.pop() !== found) return null;
    if (open.length === 0) return at;
  }
  return null;
}
