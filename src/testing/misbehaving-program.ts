// A program that speaks our own protocol and behaves as its first argument says, for suites of agents that start one.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the program into the folder, and returns its path. */
export function misbehavingProgram(folder: string): string {
  const path = join(folder, "program.mjs");
  writeFileSync(path, program);
  return path;
}

const program = `
import { appendFileSync, writeFileSync, writeSync } from "node:fs";
import { execFileSync } from "node:child_process";
const deaf = () => { for (const s of ["SIGTERM", "SIGINT"]) process.on(s, () => {}); };
const hang = () => setInterval(() => {}, 1 << 30);
const reply = () => writeFileSync(process.env.LOOP_REPLY_FILE, JSON.stringify({ status: "done", summary: "ok" }));
const chunk = Buffer.alloc(1 << 20, "x");
const acts = {
  replies: reply,
  crashes: () => process.kill(process.pid, "SIGKILL"),
  "no-reply": () => {},
  hangs: () => { deaf(); appendFileSync("starts", "x\\n"); hang(); },
  chatters: () => setInterval(() => writeSync(1, "still here\\n"), 50),
  floods: () => { chunk[chunk.length - 1] = 10; for (let i = 0; i < 200; i += 1) writeSync(1, chunk); reply(); },
  garbage: () => { writeSync(1, Buffer.from([0xff, 0xfe, 0, 10, 0xc3, 10])); for (let i = 0; i < 6; i += 1) writeSync(1, chunk); reply(); },
  lingers: () => { reply(); hang(); },
  "leaves-daemon": () => { execFileSync("sh", ["-c", "setsid sh -c 'trap \\"\\" TERM; exec sleep 300' >/dev/null 2>&1 </dev/null &"]); reply(); },
  resumes: () => (process.env.LOOP_RESUME === "1" ? reply() : hang()),
};
const act = process.argv[2];
if (act !== "hangs") appendFileSync("starts", "x\\n");
acts[act]();
`;
