// Asked by an agent before each shell command: exits with 2 and a message to refuse it. Started with the workspace and our
// words; a hook that fails lets the call through, so this is only guidance too.
import { homedir, tmpdir } from "node:os";
import { refusalOf } from "./refusals.mjs";

const [workspace = process.cwd(), words = "{}"] = process.argv.slice(2);
let text = "";
for await (const piece of process.stdin) text += piece;
let input = {};
try {
  input = JSON.parse(text);
} catch {}
const command = String(input?.tool_input?.command ?? "");
const cwd = String(input?.cwd ?? workspace);
const why = refusalOf(command, { cwd, workspace, home: homedir(), temp: tmpdir(), why: JSON.parse(words) });
if (why !== null) {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
