// Probing the real programs: their version and whether they are logged in, without spending a token.
import { expect, test } from "vitest";
import { lookInside } from "../../src/project/agents/agent-to-probe.ts";
import { walls } from "../walls/rig.ts";
import { claudeIn, codexIn, describeCli, openLab } from "./lab.ts";

for (const name of ["claude@2.1.325", "claude@2.1.197", "codex@0.166.0"]) {
  await describeCli(name, (path) => {
    test("finds its version, and whether it has a key", async () => {
      const lab = await openLab(() => "unseen");
      try {
        const agentIn = name.startsWith("claude") ? claudeIn : codexIn;
        const version = name.slice(name.indexOf("@") + 1);
        expect(await agentIn(lab, path).probe()).toMatchObject({ found: true, path, version, login: "yes" });
        if (walls.works) {
          const inside = { ...lab, machine: { ...lab.machine, look: lookInside(walls.confine) } };
          expect(await agentIn(inside, path).probe()).toMatchObject({ found: true, path, version, login: "yes" });
        }
        const env = { ...lab.machine.env, ANTHROPIC_API_KEY: undefined, LAB_KEY: undefined };
        const without = { ...lab, machine: { ...lab.machine, env } };
        expect(await agentIn(without, path).probe()).toMatchObject({ found: true, login: "no" });
        expect(lab.server.log).toEqual([]);
      } finally {
        await lab.close();
      }
    });
  });
}
