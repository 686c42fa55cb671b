#!/usr/bin/env node
// The entry point: runs a command and turns the result into an exit code and a sentence.
import { machineTrouble } from "../core/errors.ts";
import { version } from "../version.ts";
import { printable, printableJson } from "./terminal.ts";

// A reader that closes the pipe (loop show | head) is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = explain(error);
}

/** `loop status` and the hooks run often and must answer immediately: only what they need is loaded. */
async function run(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv;
  if (command === "status" && rest.every((flag) => ["--json", "--no-color", "--trust"].includes(flag))) {
    const { status } = await import("./commands/status.ts");
    return status({ json: rest.includes("--json"), color: !rest.includes("--no-color") });
  }
  if (command === "hook" && (rest[0] === "stop" || rest[0] === "prompt")) {
    const { answerHook } = await import("./commands/hook-answer.ts");
    return answerHook(rest[0], rest.slice(1));
  }
  return (await import("./program.ts")).runProgram(argv);
}

function explain(error: unknown): number {
  const trouble = machineTrouble(error);
  if (trouble !== null) {
    const { code, what, why, next, exitCode } = trouble;
    process.stderr.write(printable(`${what}\n${why}\nNext: ${next}\n`));
    // Whoever asked for JSON gets JSON, whatever happens.
    if (process.argv.includes("--json"))
      process.stdout.write(
        printableJson(
          `${JSON.stringify({ version: 1, exit_code: exitCode, error: { code, what, why, next } }, null, 2)}\n`,
        ),
      );
    return exitCode;
  }
  process.stderr.write(
    `A bug in Loopwright ${version}. The journal is whole; to go on: loop continue\n${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return 70;
}
