// A command agent that tries everything on a list, one after the other, and prints what succeeded. A coding agent runs it
// with a file for that.
import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

const [, , to] = process.argv;
const isFirst = to !== undefined || process.env.LOOP_ATTEMPT === "1";

const attempts = JSON.parse(readFileSync("attempts.json", "utf8"));
// Once is enough: the loop lets it try again.
for (const command of isFirst ? attempts : []) {
  const { status } = spawnSync("sh", ["-c", command], { timeout: 20_000, stdio: ["ignore", "ignore", 2] });
  const line = `${JSON.stringify({ command, isDone: status === 0 })}\n`;
  if (to === undefined) process.stdout.write(line);
  else appendFileSync(to, line);
}
if (to === undefined)
  writeFileSync(process.env.LOOP_REPLY_FILE, JSON.stringify({ status: "blocked", summary: "Tried everything." }));
