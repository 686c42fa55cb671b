// A whole loop of three features by real agents, inside walls and outside: the same commits, the same bill.
import { afterEach, expect, test } from "vitest";
import { ensureCli } from "../../scripts/agent-clis.mjs";
import { walls } from "../walls/rig.ts";
import { describeCli } from "./lab.ts";
import { bill, claude, codex, LoopLab } from "./loop-lab.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const { path: codexPath } = await ensureCli("codex@0.166.0");
const commits = ["feat(F001): Add f001()", "feat(F002): Add f002()", "feat(F003): Add f003()"];
/** The same for each answer: agents tell their model where they are, and the length of that differs. */
const usage = { input: 1003, output: 107, cacheRead: 211, cacheWrite: 0 };

type Who = "claude" | "codex";

/** Runs the loop, compares its ledger with the log of the model's server, and returns what must not depend on walls. */
async function play(sandbox: "require" | "off", maker: Who, checker: Who, paths: Readonly<Record<Who, string>>) {
  let base = "";
  // Inside, codex finds the provider through the gateway; outside, in its own flags.
  const inside = ({ server }: LoopLab) => {
    base = `${server.url}/v1`;
    return { kind: "codex", path: paths.codex, model: "gpt-5.5" };
  };
  const agents = { claude: () => claude(paths.claude), codex: sandbox === "require" ? inside : codex(paths.codex) };
  const opened = await LoopLab.open({
    features: 3,
    maker: agents[maker],
    checker: agents[checker],
    env: () => (base === "" ? {} : { OPENAI_BASE_URL: base }),
    twist: (_, good) => ({ ...good, usage }),
  });
  lab = opened;
  const { code, stderr, stdout } = await opened.loop("run", "--sandbox", sandbox);
  expect(code, stderr + stdout).toBe(0);
  for (const who of [maker, checker])
    expect(stderr.includes(`${who}: the workspace alone, network: only its model`)).toBe(sandbox === "require");
  expect(opened.strays()).toEqual([]);
  const { spent } = await opened.status();
  const charged = bill(opened);
  expect(spent).toMatchObject({ tokens: charged.tokens, estimated: false, sessions: 6, iterations: 3 });
  expect(Math.abs(spent.costUsd - charged.costUsd)).toBeLessThan(3.1e-6);
  const hashes = opened.git("log", "--reverse", "--format=%H", "--grep=^feat").split("\n");
  // loop.yaml names the port of the scripted model.
  const trees = hashes.map((hash) => opened.git("ls-tree", "-r", hash).replace(/^.*\tloop\.yaml$/m, ""));
  const subjects = opened.commits();
  await opened.close();
  lab = null;
  return { subjects, trees, tokens: spent.tokens, costUsd: spent.costUsd.toFixed(5) };
}

await describeCli("claude@2.1.325", (path) => {
  test.skipIf(!walls.works || codexPath === null).each([
    { maker: "claude", checker: "codex" },
    { maker: "codex", checker: "claude" },
  ] as const)(
    "$maker makes and $checker checks: the same commits, tokens and cost inside walls and outside",
    { timeout: 300_000 },
    async ({ maker, checker }) => {
      const paths = { claude: path, codex: codexPath ?? "" };
      const outside = await play("off", maker, checker, paths);
      expect(outside.subjects).toEqual(commits);
      expect(await play("require", maker, checker, paths)).toEqual(outside);
    },
  );
});
