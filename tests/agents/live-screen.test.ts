// Real claude and real codex in a real terminal: the live area shows their tools, and the tokens and money of the log.
import { afterEach, expect, test } from "vitest";
import { thousands } from "../../src/cli/render/live.ts";
import { money } from "../../src/report/words/words.ts";
import { until } from "../support/project.ts";
import { masked, noTmux, Tmux } from "../support/tmux.ts";
import { describeCli } from "./lab.ts";
import { type AgentYaml, bill, claude, codex, isVerifier, LoopLab } from "./loop-lab.ts";

let lab: LoopLab | null = null;
let terminal: Tmux | null = null;
afterEach(async () => {
  terminal?.close();
  await until("the end of its processes", () => lab?.strays().length === 0);
  await lab?.close();
});

const golden = (name: string): string => new URL(`./golden/${name}.txt`, import.meta.url).pathname;

/** The maker's second answer is held back: by then its first tool has run, and its usage is in the log. */
async function watched(
  maker: (here: LoopLab) => AgentYaml,
): Promise<{ release(): void; billed: { tokens: number; costUsd: number } }> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let billed: { tokens: number; costUsd: number } | null = null;
  lab = await LoopLab.open({
    maker,
    twist: async (request, good) => {
      if (isVerifier(request) || request.rounds !== 1 || lab === null) return good;
      billed ??= bill(lab);
      await held;
      return good;
    },
  });
  terminal = new Tmux(lab, 100, 30, {
    ANTHROPIC_BASE_URL: lab.server.url,
    ANTHROPIC_API_KEY: "dummy",
    OPENAI_API_KEY: "dummy",
  });
  terminal.loop("run", "--yes", "--trust");
  await until("the second request", () => billed !== null, 60_000);
  return { release, billed: billed ?? { tokens: 0, costUsd: 0 } };
}

const shown = ({ tokens, costUsd }: { tokens: number; costUsd: number }): string =>
  `${thousands(tokens)} tokens · ${money(costUsd)} of $25`;

const skips = noTmux();
for (const [name, maker] of [
  ["claude@2.1.325", claude],
  ["codex@0.166.0", codex],
] as const) {
  await describeCli(name, (path) => {
    test.skipIf(skips !== null)(
      `its tool, tokens and money are on the screen${skips === null ? "" : ` (skipped: ${skips})`}`,
      { timeout: 120_000 },
      async () => {
        const made = maker(path);
        // Codex' own sandbox does not work below a folder for temporary files.
        const { release, billed } = await watched((here) => ({
          ...(typeof made === "function" ? made(here) : made),
          permissions: "bypass",
        }));
        await terminal?.shows(shown(billed));
        await terminal?.shows("test/F001.test.js");
        const screen = masked(terminal?.screen() ?? "", "F001 Add");
        await expect(screen.replace(/[\d.]+k tokens · \$[\d.]+ of/g, "N tokens · $N of")).toMatchFileSnapshot(
          golden(`live-${name.split("@")[0]}`),
        );
        release();
        await terminal?.shows("Next:");
      },
    );
  });
}
