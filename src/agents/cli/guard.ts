// Stops the agent before it pushes, publishes, rewrites history or deletes outside its workspace.
//
// A hook that fails lets the call through, so this is only guidance too.
import { join } from "node:path";
import { destructive, outside } from "./destructive.ts";

export const guardFile = (folder: string): string => join(folder, "guard.mjs");

/** A separate program, since the agent starts it: reads the hook's input; exits with 2 and a message to refuse. */
export function guardScript(): string {
  return `// Written by Loopwright for one session: refuses what a session must not do.
import { isAbsolute, relative, resolve } from "node:path";
import { homedir, tmpdir } from "node:os";
const rules = ${JSON.stringify(destructive)};
const workspace = process.argv[2] ?? process.cwd();
let text = "";
for await (const piece of process.stdin) text += piece;
let input = {};
try { input = JSON.parse(text); } catch {}
const command = String(input?.tool_input?.command ?? "");
const refuse = (why) => { process.stderr.write(why + "\\n"); process.exit(2); };
for (const { pattern, why } of rules) if (new RegExp(pattern).test(command)) refuse(why);
const inside = (path, folder) => { const to = relative(folder, path); return to !== "" && !to.startsWith("..") && !isAbsolute(to); };
for (const [, words] of command.matchAll(/(?:^|[|;&(\\n]|\\bsudo\\s|\\bxargs\\s)\\s*(?:rm|rmdir|shred|unlink)\\s([^|;&\\n)]*)/g)) {
  for (const word of words.split(/\\s+/)) {
    const bare = word.replace(/["']/g, "").replace(/^\\$\\{?HOME\\}?|^~(?=\\/|$)/, homedir());
    if (bare === "" || bare.startsWith("-")) continue;
    const path = resolve(String(input?.cwd ?? workspace), bare.replace(/\\*.*$/, "x"));
    const home = homedir();
    const theirs = !inside(path, tmpdir()) || path === home || inside(path, home) || inside(home, path);
    if (!inside(path, workspace) && theirs) refuse(${JSON.stringify(outside)} + word);
  }
}
`;
}

/** The hook that makes an agent call the guard before each shell command; claude and codex use the same format. */
export function guardHook(folder: string, workspace: string) {
  const command = [process.execPath, guardFile(folder), workspace].map(quoted).join(" ");
  return { matcher: "Bash", hooks: [{ type: "command", command, timeout: 10 }] } as const;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
