// The built command line in a real terminal of a given size: tmux keeps the screen, so that a test can look at it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Project, until } from "./project.ts";

/** Null: it is here. Otherwise why it is not, for the title of what is skipped. */
export const noTmux = (): string | null => (spawnSync("tmux", ["-V"]).status === 0 ? null : "tmux is not installed");

const cli = new URL("../../dist/cli/main.js", import.meta.url).pathname;
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

export class Tmux {
  readonly #project: Project;
  readonly #socket: string;

  /** A shell in the project's folder. The prompt is always the same. */
  constructor(project: Project, columns: number, rows: number, env: Readonly<Record<string, string>> = {}) {
    this.#project = project;
    this.#socket = join(project.dir, "tmux");
    const shell = [
      "env",
      "-i",
      ...Object.entries({ ...project.env, TERM: "screen-256color", PS1: "$ ", ...env }).map((pair) => pair.join("=")),
      "sh",
    ];
    this.#tmux(
      "new-session",
      "-d",
      "-x",
      String(columns),
      "-y",
      String(rows),
      "-c",
      project.root,
      shell.map(quoted).join(" "),
    );
    this.#tmux("set-option", "-g", "status", "off");
    this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** Types a line into the shell. */
  line(text: string): void {
    this.#tmux("send-keys", "-l", text);
    this.#tmux("send-keys", "Enter");
  }

  loop(...args: string[]): void {
    this.line(
      [process.execPath, cli, ...args].map((word) => (/^[\w./&-]+$/.test(word) ? word : quoted(word))).join(" "),
    );
  }

  key(name: string): void {
    this.#tmux("send-keys", name);
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** What is on the screen now, without the spaces at the ends of lines. */
  screen(): string {
    return this.#tmux("capture-pane", "-p")
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
  }

  /** With what has scrolled away. */
  history(): string {
    return this.#tmux("capture-pane", "-p", "-S", "-").trimEnd();
  }

  title(): string {
    return this.#tmux("display-message", "-p", "#{pane_title}").trim();
  }

  /** Keeps everything that is written to the terminal from now on. */
  record(file: string): void {
    this.#tmux("pipe-pane", "-o", `cat > ${quoted(file)}`);
  }

  async shows(text: string | RegExp): Promise<string> {
    const has = (): boolean => (typeof text === "string" ? this.screen().includes(text) : text.test(this.screen()));
    await until(`${text} on the screen`, has, 60_000).catch((error: Error) => {
      throw new Error(`${error.message}, which shows:\n${this.screen()}`);
    });
    return this.screen();
  }

  close(): void {
    spawnSync("tmux", ["-S", this.#socket, "kill-server"]);
  }

  #tmux(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync("tmux", ["-S", this.#socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { ...this.#project.env, TERM: "screen-256color" },
    });
    if (status !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  }
}

/** From the line with this text on. Times differ between runs and machines; so do hashes and the spinner. */
export const masked = (screen: string, from: string): string =>
  screen
    .slice(screen.indexOf(from))
    .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "⠋")
    .replace(/\b\d+(?:\.\d+)? (?:s|min)\b(?: \d+ s)?/g, "N s")
    .replace(/N s to N s/g, "N s")
    .replace(/\b[0-9a-f]{10}\b/g, "HASH");
