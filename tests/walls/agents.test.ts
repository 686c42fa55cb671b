// Real agents inside walls: the same commits, the same tokens and the same cost as outside.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ensureCli } from "../../scripts/agent-clis.mjs";
import { describeCli } from "../agents/lab.ts";
import { bill, claude, codex, isVerifier, LoopLab, run } from "../agents/loop-lab.ts";
import { walls } from "./rig.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const { path: codexPath } = await ensureCli("codex@0.166.0");

const commits = ["feat(F001): Add f001()", "feat(F002): Add f002()", "feat(F003): Add f003()"];

await describeCli("claude@2.1.325", (path) => {
  test.skipIf(!walls.works || codexPath === null).each([
    { network: "model", claudeSays: "only its model", codexSays: "only its model" },
    { network: "open", claudeSays: "only its model", codexSays: "open" },
  ])(
    "claude makes and codex checks inside walls, with the network of codex $network: three features, every token in the bill",
    { timeout: 180_000 },
    async ({ network, claudeSays, codexSays }) => {
      const program = codexPath ?? "";
      let base = "";
      const plainCodex = ({ server }: LoopLab) => {
        base = `${server.url}/v1`;
        return { kind: "codex", path: program, model: "gpt-5.5" };
      };
      lab = await LoopLab.open({
        features: 3,
        maker: () => claude(path),
        // With a provider in its own flags, codex reaches it by itself.
        checker: network === "open" ? codex(program) : plainCodex,
        env: () => (base === "" ? {} : { OPENAI_BASE_URL: base }),
        yaml: { sandbox: "require" },
      });
      const { code, stderr, stdout } = await lab.loop("run");
      expect(code, stderr + stdout).toBe(0);
      expect(stderr).toContain(`claude: the workspace alone, network: ${claudeSays}`);
      expect(stderr).toContain(`codex: the workspace alone, network: ${codexSays}`);
      expect(lab.commits()).toEqual(commits);
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
      expect((await lab.loop("report")).stdout).toContain("claude: the workspace alone");
    },
  );

  test.skipIf(!walls.works || codexPath === null).each(["claude", "codex"])(
    "the shell of %s sees neither the person's key nor their home nor their services",
    { timeout: 120_000 },
    async (who) => {
      const seen: string[] = [];
      const keys = new Set<string>();
      const look = [
        'cat "$HOME/.ssh/id"; env; cat /proc/*/environ | tr "\\0" "\\n"; ls -a "$HOME"',
        'node -e \'require("net").connect(Number(process.argv[1]), "127.0.0.1").on("connect", () => console.log("reached")).on("error", () => console.log("no way"))\' PORT',
        "git commit --quiet --allow-empty --message x || echo cannot commit",
      ];
      let base = "";
      const maker = ({ server }: LoopLab) => {
        base = server.url;
        return who === "claude" ? claude(path) : { kind: "codex", path: codexPath ?? "", model: "gpt-5.5" };
      };
      const here = await LoopLab.open({
        maker,
        env: () => ({
          ANTHROPIC_API_KEY: "the-real-key",
          OPENAI_API_KEY: "the-real-key",
          OPENAI_BASE_URL: `${base}/v1`,
        }),
        yaml: { sandbox: "require" },
        twist: (request, good) => {
          const { headers } = request;
          keys.add(String(headers["x-api-key"] ?? headers["authorization"]).replace("Bearer ", ""));
          if (isVerifier(request)) return good;
          const [last] = request.toolResults.slice(-1);
          if (last !== undefined) seen.push(last.text);
          const command = look[request.rounds]?.replace("PORT", String(here.server.port));
          return command === undefined ? { text: "I give up." } : run(request, command);
        },
      });
      lab = here;
      fs.mkdirSync(join(here.home, ".ssh"));
      fs.writeFileSync(join(here.home, ".ssh", "id"), "a private key");
      await here.loop("run", "--iterations", "1");
      const said = seen.join("\n");
      expect(said).toContain("loopwright-holds-the-key");
      expect(said).not.toContain("the-real-key");
      expect(said).not.toContain("a private key");
      expect(said).toContain("no way");
      expect(said).not.toContain("reached");
      expect(said).toContain("cannot commit");
      expect([...keys]).toEqual(["the-real-key"]);
    },
  );
});
