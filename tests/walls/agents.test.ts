// Real agents inside walls: the same commits, the same tokens and the same cost as outside.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ensureCli } from "../../scripts/agent-clis.mjs";
import { describeCli } from "../agents/lab.ts";
import { bill, claude, codex, LoopLab } from "../agents/loop-lab.ts";
import { walls } from "./rig.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const { path: codexPath } = await ensureCli("codex@0.166.0");

await describeCli("claude@2.1.325", (path) => {
  test.skipIf(!walls.works || codexPath === null)(
    "claude makes and codex checks inside walls: three features, and every token in the bill",
    { timeout: 180_000 },
    async () => {
      const checker = codex(codexPath ?? "");
      lab = await LoopLab.open({ features: 3, maker: () => claude(path), checker, yaml: { sandbox: "require" } });
      const { code, stderr, stdout } = await lab.loop("run");
      expect(code, stderr + stdout).toBe(0);
      expect(stderr).toContain("walls     bubblewrap ");
      expect(lab.commits()).toEqual(["feat(F001): Add f001()", "feat(F002): Add f002()", "feat(F003): Add f003()"]);
      expect(lab.git("status", "--porcelain")).toBe("");
      const { spent } = await lab.status();
      expect(spent).toMatchObject({ tokens: bill(lab).tokens, estimated: false, sessions: 6, iterations: 3 });
      expect(Math.abs(spent.costUsd - bill(lab).costUsd)).toBeLessThan(3.1e-6);
      expect(lab.strays()).toEqual([]);
      // No session left anything in the person's home, only the look at the login did.
      expect(fs.existsSync(join(lab.home, ".claude", "projects"))).toBe(false);
      expect(fs.existsSync(join(lab.home, ".codex", "sessions"))).toBe(false);
      const vault = join(lab.runs().at(-1) ?? "", "../..");
      expect(fs.readdirSync(join(vault, "agents")).sort()).toEqual(["claude", "codex"]);
    },
  );
});
