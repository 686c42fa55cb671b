// Finds where a text stops being JSON. The engine's message often does not say.

type Expects = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end";

const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const space = /[ \t\r\n]*/y;

/** The offset of the first token that JSON does not allow there, or the text's length if it only ends too early. */
export function jsonErrorAt(text: string): number {
  const open: ("{" | "[")[] = [];
  let expects: Expects = "value";
  let at = skip(space, text, text.startsWith("\uFEFF") ? 1 : 0);
  while (at < text.length) {
    const letter = text[at] ?? "";
    const inside = open.at(-1);
    const done: Expects = "comma-or-end";
    const wantsValue: boolean = expects === "value" || expects === "value-or-end";
    const wantsKey: boolean = expects === "key" || expects === "key-or-end";
    let end = at + 1;
    if (wantsValue && (letter === "{" || letter === "[")) {
      open.push(letter);
      expects = letter === "{" ? "key-or-end" : "value-or-end";
    } else if (inside !== undefined && letter === (inside === "{" ? "}" : "]") && /end$/.test(expects)) {
      open.pop();
      expects = done;
    } else if (letter === "," && expects === "comma-or-end" && inside !== undefined) {
      expects = inside === "{" ? "key" : "value";
    } else if (letter === ":" && expects === "colon") {
      expects = "value";
    } else if (letter === '"' && (wantsValue || wantsKey)) {
      const string = readString(text, at);
      if (!string.ok) return string.at;
      end = string.at;
      expects = wantsKey ? "colon" : done;
    } else {
      end = wantsValue ? skip(scalar, text, at) : at;
      if (end === at) return at;
      expects = done;
    }
    at = skip(space, text, end);
  }
  return text.length;
}

/** Where the pattern stops matching from `at` on. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function readString(text: string, start: number): { ok: boolean; at: number } {
  for (let at = start + 1; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (letter === '"') return { ok: true, at: at + 1 };
    if (letter < " ") return { ok: false, at };
    if (letter !== "\\") continue;
    const known = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6));
    if (known === null) return { ok: false, at };
    at += known[0].length;
  }
  return { ok: false, at: text.length };
}
