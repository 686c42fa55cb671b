#!/usr/bin/env node
// The entry point: runs a command and turns the result into an exit code and a sentence.
import { machineTrouble } from "../core/errors.ts";
import { version } from "../version.ts";
import { printError, printSaid } from "./json/print.ts";
import { columnsOf } from "./render/columns.ts";
import { wrapped } from "./render/wrap.ts";
import { printable } from "./terminal.ts";

// A reader that closes the pipe (loop show | head) is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/** After "--" it is a word of the request. */
const isJson = process.argv.slice(2).some((word, at, all) => word === "--json" && !all.slice(0, at).includes("--"));

try {
  process.exitCode = await run(process.argv.slice(2));
  if (isJson) printSaid(process.exitCode);
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
  if (command === "hook" && (rest[0] === "stop" || rest[0] === "prompt") && !rest.includes("--help")) {
    const { answerHook } = await import("./commands/hook-answer.ts");
    return answerHook(rest[0], rest.slice(1));
  }
  return (await import("./program.ts")).runProgram(argv);
}

function explain(error: unknown): number {
  const trouble = machineTrouble(error);
  if (trouble !== null) {
    const { what, why, next, exitCode } = trouble;
    if (isJson) printError(trouble);
    else process.stderr.write(wrapped(printable(`${what}\n${why}\nNext: ${next}\n`), columnsOf(process.stderr)));
    return exitCode;
  }
  process.stderr.write(
    `A bug in Loopwright ${version}. The journal is whole; to go on: loop continue\n${error instanceof Error ? error.stack : String(error)}\n`,
  );
  const why = error instanceof Error ? error.message : String(error);
  const what = `A bug in Loopwright ${version}.`;
  if (isJson) printError({ code: "bug", what, why, next: "loop continue", exitCode: 70 });
  return 70;
}
