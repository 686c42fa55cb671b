// Reads the text of a shell script: its simple commands in order, each with its words, redirects and heredoc, and the
// parentheses around them. Plain JavaScript, because it also runs in the processes that agents ask before a command.

/**
 * @typedef {{ text: string, how: "bare" | "double" | "literal" }} Part
 * @typedef {{ text: string, parts: Part[], scripts: Step[][], isBare: boolean }} Word `isBare`: nothing of it was quoted.
 * @typedef {{ text: string | null, isOpen: boolean, delimiter: string, isTabbed: boolean }} Heredoc
 * @typedef {{ is: "open" } | { is: "close" } | { is: "command", words: Word[],
 *   redirects: { op: string, target: Word }[], heredoc: Heredoc | null, isPiped: boolean }} Step
 */

const charsMax = 200_000;
const depthMax = 20;

/** @param {string} text @returns {Step[]} */
export const stepsIn = (text) => new Script(text.slice(0, charsMax), 0, 0).read(false);

/** The scripts in `$(…)` and backticks of a text that is otherwise data. @returns {Step[][]} */
export function scriptsIn(text) {
  const script = new Script(text.slice(0, charsMax), 0, 0);
  return script.substitutions();
}

const redirect = /(\d*|&)(>>|>\||>&|>|<<<|<<-?|<>|<&|<)/y;
const separator = /;;&?|;&|&&|\|\||\|&|[;&|]/y;

class Script {
  #text;
  #at;
  #depth;
  /** @type {Step[]} */
  #steps = [];
  /** Heredocs whose text begins at the next line. @type {Heredoc[]} */
  #waiting = [];
  #command = empty(false);

  constructor(text, at, depth) {
    this.#text = text;
    this.#at = at;
    this.#depth = depth;
  }

  /** To the end of the text, or to the parenthesis that closes the script. */
  read(isInside) {
    let open = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === ")" && isInside && open === 0) break;
      if (char === "(" || char === ")") {
        open += char === "(" ? 1 : -1;
        this.#end(false);
        this.#steps.push({ is: char === "(" ? "open" : "close" });
        this.#at += 1;
      } else this.#next(char);
    }
    this.#end(false);
    return this.#steps;
  }

  substitutions() {
    const found = [];
    while (this.#at < this.#text.length) {
      if (this.#isSubstitution()) found.push(this.#substitution());
      else this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    }
    return found;
  }

  #next(char) {
    if (char === " " || char === "\t" || char === "\r") this.#at += 1;
    else if (this.#text.startsWith("\\\n", this.#at)) this.#at += 2;
    else if (char === "#") this.#at = this.#lineEnd();
    else if (char === "\n") this.#line();
    else if (!this.#redirect() && !this.#separator()) this.#command.words.push(this.#word());
  }

  #end(isPipe) {
    const { words, redirects } = this.#command;
    if (words.length > 0 || redirects.length > 0 || this.#command.heredoc !== null) this.#steps.push(this.#command);
    this.#command = empty(isPipe);
  }

  #line() {
    this.#end(false);
    this.#at += 1;
    for (const heredoc of this.#waiting.splice(0)) this.#take(heredoc);
  }

  /** Reads the lines up to its delimiter. */
  #take(heredoc) {
    const lines = [];
    while (this.#at < this.#text.length) {
      const line = this.#text.slice(this.#at, this.#lineEnd());
      this.#at = this.#lineEnd() + 1;
      const shown = heredoc.isTabbed ? line.replace(/^\t+/, "") : line;
      if (shown === heredoc.delimiter) break;
      lines.push(shown);
    }
    heredoc.text = lines.join("\n");
  }

  #redirect() {
    redirect.lastIndex = this.#at;
    const [whole, , op] = redirect.exec(this.#text) ?? [];
    // `<(…)` and `>(…)` are words.
    if (whole === undefined || (/^[<>]$/.test(whole) && this.#text[this.#at + 1] === "(")) return false;
    this.#at += whole.length;
    while (/[ \t]/.test(this.#text[this.#at] ?? "")) this.#at += 1;
    const target = this.#word();
    if (op.startsWith("<<") && op !== "<<<") {
      const heredoc = { text: null, isOpen: target.isBare, delimiter: target.text, isTabbed: op === "<<-" };
      this.#command.heredoc = heredoc;
      this.#waiting.push(heredoc);
      // To another stream, such as `2>&1`, writes no file.
    } else if (!(op.endsWith("&") && /^[\d-]+$/.test(target.text))) this.#command.redirects.push({ op, target });
    return true;
  }

  #separator() {
    separator.lastIndex = this.#at;
    const [found] = separator.exec(this.#text) ?? [];
    if (found === undefined) return false;
    this.#end(found === "|" || found === "|&");
    this.#at += found.length;
    return true;
  }

  /** Takes at least one character. */
  #word() {
    const from = this.#at;
    const word = { text: "", parts: [], scripts: [], isBare: true };
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (/[\s;&|()]/.test(char) || (/[<>]/.test(char) && this.#text[this.#at + 1] !== "(")) break;
      this.#piece(char, word);
    }
    this.#at = Math.max(this.#at, from + 1);
    word.text = word.parts.map(({ text }) => text).join("");
    return word;
  }

  #piece(char, word) {
    if (char === "\\") {
      word.isBare = false;
      if (this.#text[this.#at + 1] !== "\n") add(word, this.#text[this.#at + 1] ?? "", "literal");
      this.#at += 2;
    } else if (char === "'" || this.#text.startsWith("$'", this.#at)) {
      word.isBare = false;
      const from = this.#at + (char === "$" ? 2 : 1);
      const end = this.#text.indexOf("'", from);
      add(word, this.#text.slice(from, end === -1 ? undefined : end), "literal");
      this.#at = end === -1 ? this.#text.length : end + 1;
    } else if (char === '"') this.#quoted(word);
    else if (this.#isSubstitution()) this.#substituted(word);
    else {
      add(word, char, "bare");
      this.#at += 1;
    }
  }

  #quoted(word) {
    word.isBare = false;
    add(word, "", "double");
    this.#at += 1;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const char = this.#text[this.#at];
      const next = this.#text[this.#at + 1] ?? "";
      if (char === "\\" && /["\\$`\n]/.test(next)) {
        if (next !== "\n") add(word, next, "literal");
        this.#at += 2;
      } else if (this.#isSubstitution() && !/[<>]/.test(char)) this.#substituted(word);
      else {
        add(word, char, "double");
        this.#at += 1;
      }
    }
    this.#at += 1;
  }

  #isSubstitution() {
    const char = this.#text[this.#at];
    return this.#depth < depthMax && (char === "`" || (/[$<>]/.test(char) && this.#text[this.#at + 1] === "("));
  }

  #substituted(word) {
    word.scripts.push(this.#substitution());
    // What it prints is not known.
    add(word, "x", "literal");
  }

  #substitution() {
    if (this.#text[this.#at] === "`") {
      const end = this.#text.indexOf("`", this.#at + 1);
      const inner = this.#text.slice(this.#at + 1, end === -1 ? undefined : end);
      this.#at = end === -1 ? this.#text.length : end + 1;
      return new Script(inner, 0, this.#depth + 1).read(false);
    }
    const inner = new Script(this.#text, this.#at + 2, this.#depth + 1);
    const steps = inner.read(true);
    this.#at = inner.#at + 1;
    return steps;
  }

  #lineEnd() {
    const end = this.#text.indexOf("\n", this.#at);
    return end === -1 ? this.#text.length : end;
  }
}

const empty = (isPiped) => ({ is: "command", words: [], redirects: [], heredoc: null, isPiped });

function add(word, text, how) {
  const last = word.parts.at(-1);
  if (last?.how === how) last.text += text;
  else word.parts.push({ text, how });
}
