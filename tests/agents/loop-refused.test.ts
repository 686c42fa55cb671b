// An agent that tries something destructive is refused; the run reports it and pauses until a person resumes it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ensureCli } from "../../scripts/agent-clis.mjs";
import type { Step } from "../../src/testing/model/index.ts";
import { describeCli } from "./lab.ts";
import { type AgentYaml, bill, claude, codex, isVerifier, LoopLab, type Twist } from "./loop-lab.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const command = "git push --force origin main";
const pushes: Record<string, Step> = {
  messages: { tools: [{ name: "Bash", input: { command, description: "x" } }] },
  responses: { tools: [{ name: "exec_command", input: { cmd: command } }] },
};

/** Once, in its first session, instead of what a good agent does. */
function pushing(who: "maker" | "checker"): Twist {
  let pushed = false;
  return (request, good) => {
    if (pushed || isVerifier(request) !== (who === "checker")) return good;
    pushed = true;
    return pushes[request.api] ?? good;
  };
}

// The step that the push replaced is played when the conversation continues.
const agents: { name: string; cli: string; maker: (path: string) => (here: LoopLab) => AgentYaml }[] = [
  { name: "claude", cli: "claude@2.1.325", maker: (path) => () => claude(path) },
  { name: "codex", cli: "codex@0.166.0", maker: (path) => codex(path) },
];

for (const { name, cli, maker } of agents) {
  const { path } = await ensureCli(cli);
  await describeCli(cli, () => {
    test.each(["maker", "checker"] as const)(
      `${name} as %s: a refused push pauses the run, is in the records, and costs no work`,
      { timeout: 120_000 },
      async (who) => {
        lab = await LoopLab.open({ maker: maker(path ?? ""), twist: pushing(who) });
        const here = lab;
        const first = await here.loop("run");
        expect(first.code, first.stderr + first.stdout).toBe(4);
        expect(first.stdout).toContain(command);
        expect(first.stdout).toContain("Pushing is left to the person");
        expect(first.stdout).toContain("Next: loop continue");
        const log = readFileSync(join(here.root, "docs", "loop-run-log.md"), "utf8");
        expect(log).toContain(`refused-destructive: The ${who === "maker" ? "builder" : "evaluator"} tried`);
        const report = (await here.loop("report")).stdout;
        expect(report).toContain(`tried: ${command}`);
        const before = (await here.status()).spent.sessions;

        const { code, stderr, stdout } = await here.loop("continue");
        expect(code, stderr + stdout).toBe(0);
        expect(here.commits()).toEqual(["feat(F001): Add f001()"]);
        const { spent } = await here.status();
        // The session that pushed is not run again. A maker that pushed wrote no test, so it gets one more session.
        expect(spent.sessions - before).toBe(who === "maker" ? 2 : 0);
        const rounds = who === "maker" ? 2 : 1;
        expect(spent).toMatchObject({
          sessions: rounds + 1,
          iterations: rounds,
          tokens: bill(here).tokens,
          estimated: false,
        });
      },
    );

    test(`${name}: with on_destructive: note, the run continues and mentions it in the report`, {
      timeout: 120_000,
    }, async () => {
      const yaml = { scope: { on_destructive: "note" } };
      lab = await LoopLab.open({ maker: maker(path ?? ""), twist: pushing("maker"), yaml });
      const { code, stderr, stdout } = await lab.loop("run");
      expect(code, stderr + stdout).toBe(0);
      expect(stdout).toContain(`The builder tried: ${command}`);
    });
  });
}
