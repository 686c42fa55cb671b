// The whole loop with real agents: the built command line, real claude and real codex, a scripted model.
import { afterEach, expect, test } from "vitest";
import { ensureCli } from "../../scripts/agent-clis.mjs";
import { type AcpKind, acpKinds, describeCli } from "./lab.ts";
import { bill, claude, codex, LoopLab, type LoopLabOptions } from "./loop-lab.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});
const open = async (options: LoopLabOptions): Promise<LoopLab> => {
  lab = await LoopLab.open(options);
  return lab;
};

const { path: codexPath } = await ensureCli("codex@0.166.0");

await describeCli("claude@2.1.325", (path) => {
  test.skipIf(codexPath === null)(
    "claude makes and codex checks: three features, three commits, and every token in the bill",
    { timeout: 120_000 },
    async () => {
      const here = await open({ features: 3, maker: () => claude(path), checker: codex(codexPath ?? "") });
      const { code, stderr, stdout } = await here.loop("run");
      expect(code, stderr + stdout).toBe(0);
      expect(here.commits()).toEqual(["feat(F001): Add f001()", "feat(F002): Add f002()", "feat(F003): Add f003()"]);
      expect(here.git("status", "--porcelain")).toBe("");
      const { spent, done } = await here.status();
      expect(done).toBe(3);
      expect(spent).toMatchObject({ tokens: bill(here).tokens, estimated: false, sessions: 6, iterations: 3 });
      // Each session is rounded to a millionth of a dollar.
      expect(Math.abs(spent.costUsd - bill(here).costUsd)).toBeLessThan(3.1e-6);
      expect(here.strays()).toEqual([]);
    },
  );
});

await describeCli("claude@2.1.197", (path) => {
  test("makes and checks alone", { timeout: 120_000 }, async () => {
    const here = await open({ maker: () => claude(path) });
    const { code, stderr, stdout } = await here.loop("run");
    expect(code, stderr + stdout).toBe(0);
    expect(here.commits()).toEqual(["feat(F001): Add f001()"]);
    const { spent } = await here.status();
    expect(spent).toMatchObject({ tokens: bill(here).tokens, estimated: false, sessions: 2 });
    expect(Math.abs(spent.costUsd - bill(here).costUsd)).toBeLessThan(1.1e-6);
  });
});

// Over ACP everything is text: replies, edits and, where the agent reports them, costs.
const [overClaude, overCodex] = acpKinds;
const natives = await Promise.all(acpKinds.map(({ native }) => ensureCli(native)));
const { path: overCodexPath } = await ensureCli(overCodex.name);
await describeCli(overClaude.name, (path) => {
  test.skipIf(overCodexPath === null)("an ACP agent makes, and another one checks", { timeout: 120_000 }, async () => {
    let env: Record<string, string> = {};
    const acp = (kind: AcpKind, program: string, native: string) => (here: LoopLab) => {
      const own = kind.env(here.server.url, native);
      env = { ...env, ...own };
      return { kind: "acp", command: [process.execPath, program], env: Object.keys(own) };
    };
    const here = await open({
      maker: acp(overClaude, path, natives[0]?.path ?? ""),
      checker: acp(overCodex, overCodexPath ?? "", natives[1]?.path ?? ""),
      env: () => env,
      spoken: true,
    });
    const { code, stderr, stdout } = await here.loop("run");
    expect(code, stderr + stdout).toBe(0);
    expect(here.commits()).toEqual(["feat(F001): Add f001()"]);
    const { spent } = await here.status();
    expect(spent).toMatchObject({ tokens: bill(here).tokens, estimated: false, sessions: 2 });
    expect(Math.abs(spent.costUsd - bill(here).costUsd)).toBeLessThan(1.1e-6);
  });
});
