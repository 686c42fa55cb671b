// The example agent passes the agent suite, and the examples run as documented.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { describeAgent } from "../../src/testing/agent-suite.ts";
import { misbehavingProgram } from "../../src/testing/misbehaving-program.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const { ownAgent } = await import(join(examples, "own-agent.mjs"));

describeAgent("example", {
  make: (behaviour, folder) => ownAgent([process.execPath, misbehavingProgram(folder), behaviour]),
});

test.each(["own-agent.mjs", "own-check.mjs", "library.mjs"])(
  "examples/%s runs to a good end",
  { timeout: 180_000 },
  (name) => {
    const home = mkdtempSync(join(tmpdir(), "loop-example-"));
    try {
      const env = { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: home };
      const said = execFileSync(process.execPath, [join(examples, name)], { env, encoding: "utf8" });
      expect(said).toContain("success: true");
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
);
