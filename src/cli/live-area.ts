// A few lines at the bottom of a terminal that are redrawn in place: only those that changed, so that nothing flickers.
import { widthOf } from "./render/width.ts";

type Terminal = Pick<NodeJS.WriteStream, "write" | "columns"> & {
  /** Node's own: asks for the size now, and not only after the signal that says that it changed. */
  _refreshSize?(): void;
};

/** Other programs may write to the same terminal: every so many frames all lines are written again. */
const wholeEvery = 8;

const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : "");
const down = "\u001b[1B";
const eraseRest = "\u001b[K";
const eraseBelow = "\u001b[J";

export class LiveArea {
  readonly #out: Terminal;
  readonly #paint: (line: string) => string;
  /** The cursor is at the beginning of the last of these. */
  #drawn: readonly string[] = [];
  #columns = 0;
  #frame = 0;

  constructor(out: Terminal, paint: (line: string) => string) {
    this.#out = out;
    this.#paint = paint;
  }

  /** Each line is narrower than the terminal and has no control characters. */
  draw(lines: readonly string[]): void {
    this.#out._refreshSize?.();
    const before = this.#drawn;
    const isWhole = this.#frame++ % wholeEvery === 0;
    if (this.#columns !== this.#out.columns || lines.length !== before.length) {
      this.clear();
      this.#out.write(`${lines.map(this.#paint).join("\r\n")}\r`);
    } else if (isWhole || lines.some((line, at) => line !== before[at])) {
      const isSame = (line: string, at: number): boolean => !isWhole && line === before[at];
      const changed = lines.map((line, at) => (isSame(line, at) ? "" : `${this.#paint(line)}${eraseRest}\r`));
      this.#out.write(`${up(lines.length - 1)}${changed.join(down)}`);
    }
    this.#drawn = lines;
    this.#columns = this.#out.columns;
  }

  /** Also right after the terminal was resized: it has then wrapped the lines again. */
  clear(): void {
    if (this.#drawn.length === 0) return;
    const columns = Math.max(1, this.#out.columns);
    const above = this.#drawn
      .slice(0, -1)
      .reduce((rows, line) => rows + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
    this.#out.write(`\r${up(above)}${eraseBelow}`);
    this.#drawn = [];
  }
}
