// What an agent is seen to do, for processes that only watch: a small file that is begun again when it is full. Nothing
// depends on it.
import * as fs from "node:fs";
import { join } from "node:path";
import { liveLine } from "../../formats/kept/run-files.ts";
import type { SessionSign } from "../../runtime/ports.ts";

const bytesMax = 256 << 10;
const noteMax = 300;
const flushMs = 100;
/** More than anybody can read in that time. */
const linesMax = 50;
const liveFile = (runDir: string): string => join(runDir, "live.jsonl");

export class LiveWriter {
  readonly #path: string;
  readonly #seen: SessionSign[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(runDir: string) {
    this.#path = liveFile(runDir);
  }

  write(seen: SessionSign): void {
    this.#seen.push(seen);
    if (this.#seen.length > linesMax) this.#seen.shift();
    this.#timer ??= setTimeout(() => this.flush(), flushMs).unref();
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const lines = this.#seen.splice(0).map((seen) => JSON.stringify(shortened(seen)));
    if (lines.length === 0) return;
    try {
      const isFull = (fs.statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) > bytesMax;
      fs.writeFileSync(this.#path, `${lines.join("\n")}\n`, { flag: isFull ? "w" : "a" });
    } catch {
      // Only live progress is lost.
    }
  }
}

function shortened({ session, role, sign }: SessionSign): SessionSign {
  const cut = (text: string): string => (text.length <= noteMax ? text : text.slice(0, noteMax));
  if (sign.sign === "progress" && sign.note !== undefined)
    return { session, role, sign: { ...sign, note: cut(sign.note) } };
  // The end of what it says is shown.
  if (sign.sign === "said") return { session, role, sign: { ...sign, text: sign.text.slice(-noteMax) } };
  if (sign.sign === "output") return { session, role, sign: { ...sign, text: cut(sign.text) } };
  if (sign.sign === "tool") return { session, role, sign: { ...sign, argument: cut(sign.argument) } };
  return { session, role, sign };
}

/** What the last session is doing now was seen before anybody looked: the last sign of each kind says it. */
function latest(signs: readonly SessionSign[]): SessionSign[] {
  const session = signs.at(-1)?.session;
  const last = new Map<string, SessionSign>();
  for (const seen of signs) {
    if (seen.session !== session) continue;
    last.delete(seen.sign.sign);
    last.set(seen.sign.sign, seen);
  }
  return [...last.values()];
}

/** Reads on from what was there at the first look. */
export class LiveReader {
  readonly #path: string;
  #offset: number | null = null;
  #rest = "";

  constructor(runDir: string) {
    this.#path = liveFile(runDir);
  }

  read(): SessionSign[] {
    const isFirst = this.#offset === null;
    const lines = `${this.#rest}${this.#since()}`.split("\n");
    this.#rest = lines.pop() ?? "";
    const signs = lines.flatMap((line) => liveLine.parseIfPossible<SessionSign>(line) ?? []);
    return isFirst ? latest(signs) : signs;
  }

  #since(): string {
    try {
      const bytes = fs.readFileSync(this.#path);
      if (bytes.length < (this.#offset ?? 0)) {
        this.#offset = 0;
        this.#rest = "";
      }
      const text = bytes.subarray(this.#offset ?? 0).toString("utf8");
      this.#offset = bytes.length;
      return text;
    } catch {
      this.#offset ??= 0; // It will be a new file, all of which is news.
      return "";
    }
  }
}
