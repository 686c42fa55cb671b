// Types into the real command line in a real terminal, with `script` from util-linux.
import { spawn, spawnSync } from "node:child_process";
import { agreed, type Ended, ended, type Project, until } from "./project.ts";

export const hasScript = (): boolean => spawnSync("script", ["--version"]).status === 0;

/** Types each answer once its question appears; a question counts once. */
export async function typed(
  of: Pick<Project, "root" | "env">,
  args: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
  { agree = true }: { agree?: boolean } = {},
): Promise<Ended & { readonly seen: string }> {
  const cli = new URL("../../dist/cli/main.js", import.meta.url).pathname;
  const command = [process.execPath, cli, ...(agree ? agreed(args) : args)]
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(" ");
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: of.root,
    env: { ...of.env, TERM: "xterm" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let seen = "";
  let from = 0;
  child.stdout.on("data", (chunk) => (seen += chunk));
  const end = ended(child);
  for (const [question, answer] of answers) {
    await until(question, () => seen.indexOf(question, from) !== -1, 120_000).catch((error: Error) => {
      child.kill();
      throw new Error(`${error.message}, after:\n${seen.slice(-3000)}`);
    });
    from = seen.indexOf(question, from) + question.length;
    child.stdin.write(answer);
  }
  return { ...(await end), seen };
}
