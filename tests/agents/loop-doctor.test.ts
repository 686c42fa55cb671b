// `loop doctor` on a machine with both agents: their versions and whether they are logged in, at no cost.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ensureCli } from "../../scripts/agent-clis.mjs";
import { describeCli } from "./lab.ts";
import { LoopLab } from "./loop-lab.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

type Findings = { findings: { what: string; is: "good" | "bad" | "note"; says: string }[] };

const { path: codexPath } = await ensureCli("codex@0.166.0");

await describeCli("claude@2.1.325", (path) => {
  const examine = async (env: Record<string, string | undefined>) => {
    const bin = fs.mkdtempSync(join(tmpdir(), "loop-bin-"));
    fs.symlinkSync(path, join(bin, "claude"));
    fs.symlinkSync(codexPath ?? "", join(bin, "codex"));
    const onPath = { ...env, PATH: `${bin}:${process.env["PATH"]}` };
    lab = await LoopLab.open({ maker: () => ({ kind: "claude" }), checker: () => ({ kind: "codex" }), env: onPath });
    const { code, stdout, stderr } = await lab.loop("doctor", "--json");
    expect(stderr).toBe("");
    const found = (JSON.parse(stdout) as Findings).findings;
    const named = (what: string) => found.find((finding) => finding.what === what);
    expect(lab.server.log).toEqual([]);
    expect(lab.git("status", "--porcelain")).toBe("");
    fs.rmSync(bin, { recursive: true });
    return { code, maker: named("maker"), checker: named("checker") };
  };

  test.skipIf(codexPath === null)("names both with their versions when they are logged in", async () => {
    const { code, maker, checker } = await examine({});
    expect(code).toBe(0);
    expect(maker).toMatchObject({ is: "good", says: expect.stringMatching(/^claude 2\.1\.325 \(.*\), logged in \(/) });
    expect(checker).toMatchObject({
      is: "good",
      says: expect.stringMatching(/^codex 0\.166\.0 \(.*\), logged in \(OPENAI_API_KEY is set\)/),
    });
    const context = "context: compacted at 75 %, handed over to a fresh session at 90 %";
    for (const says of [maker?.says, checker?.says]) expect(says).toContain(context);
    expect(`${maker?.says} ${checker?.says}`).not.toContain("not logged in");
  });

  test.skipIf(codexPath === null)("reports each that is not logged in, and fails", async () => {
    const { code, maker, checker } = await examine({ ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined });
    expect(code).toBe(1);
    expect(maker).toMatchObject({ is: "bad", says: expect.stringContaining("not logged in") });
    expect(checker).toMatchObject({ is: "bad", says: expect.stringContaining("not logged in") });
  });
});
