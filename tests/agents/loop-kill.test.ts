// kill -9 of the loop in the middle of a real agent's command: the agent ends too, and resuming pays nothing twice.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ensureCli } from "../../scripts/agent-clis.mjs";
import { until } from "../support/project.ts";
import { describeCli } from "./lab.ts";
import { bill, claude, codex, isResumed, isVerifier, LoopLab, launch, run, running } from "./loop-lab.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const { path: codexPath } = await ensureCli("codex@0.166.0");

/** Whose command hangs, and where the resumed launch names its conversation. */
const victims = [
  { who: "claude", api: "messages", role: "builder", named: (args: string[]) => args[args.indexOf("--resume") + 1] },
  { who: "codex", api: "responses", role: "evaluator", named: (args: string[]) => args.at(-2) },
] as const;

await describeCli("claude@2.1.325", (path) => {
  test.skipIf(codexPath === null).each(victims)(
    "killed in the middle of a command of $who, it resumes the same conversation with the same bill",
    { timeout: 120_000 },
    async ({ api, role, named }) => {
      const seconds = `1000.${process.pid}${Date.now() % 100_000}`;
      const here = await LoopLab.open({
        maker: () => claude(path),
        checker: codex(codexPath ?? ""),
        twist: (request, good) => {
          const hangs = request.api === api && isVerifier(request) === (role === "evaluator") && !isResumed(request);
          return hangs ? run(request, `exec sleep ${seconds}`) : good;
        },
      });
      lab = here;
      const first = here.begin("run");
      await until("the command", () => running("sleep", seconds).length > 0, 60_000);
      process.kill(first.pid, "SIGKILL");
      await first.end;
      await until("the leash", () => here.strays().length === 0 && running("sleep", seconds).length === 0, 5000);
      const before = here.sessions().length;

      const { code, stderr, stdout } = await here.loop("continue");
      expect(code, stderr + stdout).toBe(0);
      expect(here.commits()).toEqual(["feat(F001): Add f001()"]);
      const cut = here.sessions()[before - 1] ?? "";
      expect(cut).toContain(role);
      const conversation = conversationOf(cut);
      expect(conversation).toMatch(/^[0-9a-f-]{36}$/);
      expect(named(launch(cut, 2)?.args ?? [])).toBe(conversation);
      // The model was shown its request from before the cut.
      expect(here.server.log.some((entry) => entry.api === api && entry.lastPrompt.includes("cut short"))).toBe(true);
      // Two sessions began; the one that was cut in two still counts as one.
      const { spent } = await here.status();
      expect(spent).toMatchObject({ tokens: bill(here).tokens, estimated: false, sessions: 2, iterations: 1 });
      expect(Math.abs(spent.costUsd - bill(here).costUsd)).toBeLessThan(1.1e-6);
      expect(here.strays()).toEqual([]);
    },
  );
});

/** The agent's own id for the conversation, as its first process printed it. */
function conversationOf(session: string): string {
  const printed = readFileSync(join(session, "stdout-1"), "utf8");
  return /"(?:session_id|thread_id)":"([^"]+)"/.exec(printed)?.[1] ?? "";
}
