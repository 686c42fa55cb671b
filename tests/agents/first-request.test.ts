// What a session costs before it does anything: the size of each real program's first request, apart from our prompt.
import { afterEach, expect, test } from "vitest";
import type { Agent } from "../../src/agents/agent.ts";
import { replySchema } from "../../src/formats/reply/reply-schema.ts";
import { claudeIn, codexIn, describeCli, type Lab, openLab } from "./lab.ts";

let lab: Lab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

type Config = { permissions: "core"; prompt?: "short" };
const agents: {
  cli: string;
  make: (here: Lab, path: string, config: Config) => Agent;
  most: [number, number, number];
}[] = [
  { cli: "claude@2.1.325", make: claudeIn, most: [8500, 4500, 5000] },
  { cli: "claude@2.1.197", make: claudeIn, most: [8500, 4500, 5000] },
  { cli: "codex@0.166.0", make: codexIn, most: [7500, 7500, 2500] },
];

for (const { cli, make, most } of agents) {
  await describeCli(cli, (path) => {
    test.each([
      { who: "a maker", mayWrite: true, config: {}, tokensMax: most[0] },
      { who: "a verifier", mayWrite: false, config: {}, tokensMax: most[1] },
      {
        who: "a maker with short instructions",
        mayWrite: true,
        config: { prompt: "short" } as const,
        tokensMax: most[2],
      },
    ])("$who begins with at most $tokensMax tokens", async ({ mayWrite, config, tokensMax }) => {
      lab = await openLab(() => '{"status":"done","summary":"x"}');
      const schema = replySchema(mayWrite ? "producer" : "verdict");
      const request = lab.request({ mayWrite, replySchema: schema, prompt: "x" });
      await lab.run(make(lab, path, { permissions: "core", ...config }), request);
      const { usage, tools } = lab.server.log.find(({ side }) => !side) ?? { usage: null, tools: [] };
      expect(usage).not.toBe(null);
      const { input = 0, cacheRead = 0, cacheWrite = 0 } = usage ?? {};
      expect(input + cacheRead + cacheWrite).toBeLessThanOrEqual(tokensMax);
      // A builder still has its tools.
      const needed = cli.startsWith("codex")
        ? ["exec_command", "apply_patch"]
        : ["Read", "Edit", "Write", "Bash", "Grep", "Glob"];
      if (mayWrite) expect(tools).toEqual(expect.arrayContaining(needed));
    });
  });
}
