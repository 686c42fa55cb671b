// Reads a stream of server-sent events, as the standard has them: three kinds of line ends, data in several lines.
import { StringDecoder } from "node:string_decoder";
import { type Json, objectIn } from "./json.ts";

/** `text`: the event as it came, with plain line ends. */
export type OnEvent = (data: Json | null, text: string) => void;

/** An event that is longer is passed on and not read. */
const charsMax = 16 << 20;

export class Events {
  readonly #onEvent: OnEvent;
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  #lines: string[] = [];
  #chars = 0;

  constructor(onEvent: OnEvent) {
    this.#onEvent = onEvent;
  }

  push(chunk: Buffer): void {
    this.#read(this.#decoder.write(chunk), false);
  }

  /** A provider may leave out the empty line after its last event. */
  end(): void {
    this.#read(this.#decoder.end(), true);
    if (this.#rest !== "") this.#line(this.#rest);
    this.#rest = "";
    this.#emit();
  }

  #read(text: string, isLast: boolean): void {
    const all = this.#rest + text;
    // Of "\r\n" the second half may still come.
    const whole = !isLast && all.endsWith("\r") ? all.length - 1 : all.length;
    const lines = all.slice(0, whole).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? "") + all.slice(whole);
    if (this.#rest.length > charsMax) this.#drop();
    for (const line of lines) this.#line(line);
  }

  /** The beginning of an endless line. */
  #drop(): void {
    this.#chars += this.#rest.length;
    this.#rest = "";
  }

  #line(line: string): void {
    if (line === "") {
      this.#emit();
      return;
    }
    this.#chars += line.length;
    if (this.#chars <= charsMax) this.#lines.push(line.replace(/^\uFEFF/, ""));
  }

  #emit(): void {
    if (this.#lines.length === 0) return;
    const data = this.#lines.filter((line) => /^data(?::|$)/.test(line)).map((line) => line.replace(/^data:? ?/, ""));
    const text = this.#lines.join("\n");
    const isWhole = this.#chars <= charsMax;
    this.#lines = [];
    this.#chars = 0;
    this.#onEvent(isWhole ? objectIn(data.join("\n")) : null, text);
  }
}
