// Single keys while a run is shown. The terminal must then hand over every key, Ctrl-C and Ctrl-Z included.
import { isForeground } from "../host/process/foreground.ts";

type Handlers = {
  onKey(key: string): void;
  /** Before the shell gets the terminal back. */
  onLeave(): void;
};

export class Keys {
  readonly #handlers: Handlers;
  #isOn = false;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  /** Does nothing if no person is there, or if this is a job in the background. */
  start(): void {
    if (this.#isOn || process.stdin.isTTY !== true || !isForeground()) return;
    this.#isOn = true;
    process.stdin.setRawMode(true);
    process.stdin.on("data", this.#take).resume();
    process.on("SIGCONT", this.#again);
  }

  stop(): void {
    if (!this.#isOn) return;
    process.off("SIGCONT", this.#again);
    this.#release();
  }

  readonly #take = (typed: Buffer): void => {
    for (const key of typed.toString("latin1")) {
      if (key === "\u0003") process.kill(process.pid, "SIGINT");
      else if (key === "\u001a") this.#leave("SIGTSTP");
      else if (key === "\u001c") this.#leave("SIGQUIT");
      else this.#handlers.onKey(key);
    }
  };

  /** The shell gets the terminal as it was. */
  #leave(signal: NodeJS.Signals): void {
    this.#handlers.onLeave();
    this.#release();
    process.kill(process.pid, signal);
  }

  #release(): void {
    this.#isOn = false;
    process.stdin.off("data", this.#take).pause();
    process.stdin.setRawMode(false);
  }

  readonly #again = (): void => {
    process.off("SIGCONT", this.#again);
    this.start();
  };
}
