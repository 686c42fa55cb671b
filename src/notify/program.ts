// Messages through a program: the person's own, or the desktop's.
import { spawn } from "node:child_process";
import { ownPath, ownProgram } from "../host/own-programs.ts";
import { body, type Channel, headline, type Message } from "./channel.ts";
import { changedFile, type Prints } from "./named-files.ts";

/** It gets the message as JSON on standard input. `before`: the files that it names, as they were; null: as they are. */
export const commandChannel = (command: readonly string[], cwd: string, before: Prints | null): Channel => ({
  name: "command",
  send: async (message, signal) => {
    const changed = before === null ? null : changedFile(command, cwd, before);
    if (changed !== null) throw new Error(`It was not started: ${changed} has changed since the run began.`);
    const { buttons: _, ...said } = message;
    const [file = "", ...args] = command;
    return started(
      file,
      args,
      { cwd, env: process.env, input: `${JSON.stringify({ version: 1, ...said })}\n` },
      signal,
    );
  },
});

export const desktopChannel = (platform: NodeJS.Platform): Channel => ({
  name: "desktop",
  send: (message, signal) => {
    const [file = "", ...args] = platform === "darwin" ? osascript(message) : notifySend(message);
    return started(ownProgram(file), args, { cwd: "/", env: { ...process.env, PATH: ownPath() }, input: "" }, signal);
  },
});

const notifySend = (message: Message): string[] => [
  "notify-send",
  "--app-name=loop",
  ...(message.kind === "waits" ? ["--urgency=critical"] : []),
  "--",
  headline(message),
  body(message),
];

/** Never run by our tests: there is no macOS. The texts are arguments, so that nothing in them is run as a script. */
const osascript = (message: Message): string[] => [
  "osascript",
  ...["-e", "on run argv"],
  ...["-e", "display notification (item 2 of argv) with title (item 1 of argv)"],
  ...["-e", "end run"],
  headline(message),
  body(message),
];

function started(
  file: string,
  args: readonly string[],
  { cwd, env, input }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input: string },
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ["pipe", "ignore", "pipe"], signal, killSignal: "SIGKILL" });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(-300);
    });
    child.stdin.on("error", () => {}); // It need not read the message.
    child.stdin.end(input);
    child.once("error", reject);
    child.once("exit", (code, by) => {
      if (code === 0) resolve();
      else reject(new Error(`${file} ended ${by === null ? `with code ${code}` : `by ${by}`}. ${said}`.trim()));
    });
  });
}
