// Logins that are not in a file: claude asks a program of the person's for its key, codex asks the keyring.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { describeCli } from "../agents/lab.ts";
import { claude, LoopLab } from "../agents/loop-lab.ts";
import { walls } from "./rig.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const noKeys = { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined };
const timeout = 120_000;

/** A program in the home that prints the key. */
function withHelper({ home }: LoopLab): void {
  for (const folder of [".claude", "bin"]) fs.mkdirSync(join(home, folder));
  const helper = join(home, "bin", "key");
  fs.writeFileSync(helper, "#!/bin/sh\necho key-of-the-helper\n", { mode: 0o755 });
  fs.writeFileSync(join(home, ".claude", "settings.json"), JSON.stringify({ apiKeyHelper: helper }));
}

await describeCli("claude@2.1.325", (path) => {
  test.skipIf(!walls.works)(
    "refuses a run whose apiKeyHelper is not visible inside, with the fix",
    { timeout },
    async () => {
      lab = await LoopLab.open({ maker: () => claude(path), env: noKeys, yaml: { sandbox: "require" } });
      withHelper(lab);
      const { code, stderr } = await lab.loop("run");
      expect(code).toBe(1);
      expect(stderr.replace(/\s+/g, " ")).toMatch(/apiKeyHelper, \S+, is not visible inside walls.*home:/);
      expect(lab.runs()).toEqual([]);
    },
  );

  test.skipIf(!walls.works)("an apiKeyHelper that the agent may read gives its key inside", { timeout }, async () => {
    const keys = new Set<unknown>();
    lab = await LoopLab.open({
      maker: () => ({ ...claude(path), home: ["bin/key"] }),
      env: noKeys,
      yaml: { sandbox: "require" },
      twist: ({ headers }, good) => {
        keys.add(headers["x-api-key"]);
        return good;
      },
    });
    withHelper(lab);
    const { code, stderr } = await lab.loop("run");
    expect(code, stderr).toBe(0);
    expect([...keys]).toEqual(["key-of-the-helper"]);
  });
});

await describeCli("codex@0.166.0", (path) => {
  test.skipIf(!walls.works)(
    "loop init says that a login is in the keyring, and not that there is none",
    { timeout },
    async () => {
      const env = { ...noKeys, PATH: `${dirname(path)}:/usr/bin:/bin` };
      lab = await LoopLab.open({ maker: () => ({ kind: "codex", path }), env, yaml: { sandbox: "require" } });
      fs.mkdirSync(join(lab.home, ".codex"));
      fs.writeFileSync(join(lab.home, ".codex", "config.toml"), 'cli_auth_credentials_store = "keyring"\n');
      const { stdout, stderr } = await lab.loop("init", "--yes");
      expect((stdout + stderr).replace(/\s+/g, " ")).toMatch(
        /codex 0\.166\.0, not logged in: No program inside walls reaches the keyring \(loop doctor\)/,
      );
    },
  );

  test.skipIf(!walls.works).each(["keyring", "auto"])(
    "refuses a run whose login is looked for in the keyring (%s), with the fix",
    { timeout },
    async (store) => {
      lab = await LoopLab.open({ maker: () => ({ kind: "codex", path }), env: noKeys, yaml: { sandbox: "require" } });
      fs.mkdirSync(join(lab.home, ".codex"));
      fs.writeFileSync(join(lab.home, ".codex", "config.toml"), `cli_auth_credentials_store = "${store}"\n`);
      const { code, stderr } = await lab.loop("run");
      expect(code).toBe(1);
      expect(stderr.replace(/\s+/g, " ")).toMatch(
        /reaches the keyring\. Next: Set cli_auth_credentials_store = "file"/,
      );
    },
  );
});
