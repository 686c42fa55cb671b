// The ACP adapter with real ACP agents, which drive the real claude and the real codex, on a scripted model.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { ensureCli } from "../../scripts/agent-clis.mjs";
import { readLaunch } from "../../src/agents/session/session-folder.ts";
import { type FailureClass, noUsage } from "../../src/core/session.ts";
import { rounds, type Script, type Step } from "../../src/testing/model/index.ts";
import { acpIn, acpKinds, describeCli, failure, killMidway, type Lab, openLab, tokens } from "./lab.ts";
import { peakMb } from "./loop-lab.ts";

const reply = { status: "done", summary: "It is done." };
const answer: Step = { text: `All of it is done.\n\`\`\`json\n${JSON.stringify(reply)}\n\`\`\`` };

const labs: Lab[] = [];
const lab = async (script: Script): Promise<Lab> => {
  const made = await openLab(script);
  labs.push(made);
  return made;
};
afterEach(async () => {
  for (const each of labs.splice(0)) await each.close();
});

const status = (code: number, message: string): Step => ({ fault: { status: code, message } });
const faults: { fault: string; step: Step | string; is: FailureClass | "replied" }[] = [
  { fault: "529", step: status(529, "overloaded"), is: "transient" },
  { fault: "401", step: status(401, "invalid key"), is: "authentication" },
  { fault: "404", step: status(404, "model: nothing"), is: "misconfigured" },
  { fault: "no answer", step: { fault: { hang: true } }, is: "silent" },
  { fault: "words for a reply", step: "All done!", is: "no-result" },
];
const ofClaude: typeof faults = [
  { fault: "no credit", step: status(400, "Your credit balance is too low to access the API."), is: "billing" },
  { fault: "too long", step: status(400, "prompt is too long: 210000 tokens > 200000 maximum"), is: "context-full" },
  { fault: "a refusal", step: { text: "No.", stop: "refusal" }, is: "refused" },
];
const ofCodex: typeof faults = [
  {
    fault: "a limit of the plan",
    step: { fault: { status: 429, body: { error: { type: "usage_limit_reached", message: "x", plan_type: "plus" } } } },
    is: "limited",
  },
];

for (const kind of acpKinds) {
  const native = await ensureCli(kind.native);
  await describeCli(kind.name, (path) => {
    const driven = (here: Lab, changes: Parameters<typeof acpIn>[4] = {}) =>
      acpIn(here, kind, path, native.path ?? "", changes);

    test("finds the reply in the agent's text, edits, and counts the tokens that the model reported", async () => {
      const here = await lab((request) =>
        rounds([kind.write(here.workspace, "new.txt"), kind.run("cat new.txt"), answer])(request),
      );
      const result = await here.run(driven(here), here.request());
      expect(result).toMatchObject({ how: "replied", reply, parts: 1, strays: 0 });
      expect(readFileSync(join(here.workspace, "new.txt"), "utf8")).toBe("new\n");
      expect(result.editsMax).toEqual({ path: join(here.workspace, "new.txt"), times: 1 });
      expect(result.usage).toMatchObject(tokens(here.server.used(), kind.api));
      expect(result.usage.costUsd).toBeGreaterThan(0.05);
      expect(result.contextUsed).toBeGreaterThan(1000);
    });

    test("a session that must not write is refused an edit, and may read and run", async () => {
      const here = await lab((request) => {
        // In codex a refusal ends the turn, and the next turn begins with our prompt.
        const told = request.prompts.at(-1)?.includes("That was refused") === true;
        const tries = told ? [] : [kind.write(here.workspace, "new.txt")];
        return rounds([...tries, kind.run("cat hello.txt; touch in.txt"), answer])(request);
      });
      const result = await here.run(driven(here), here.request({ mayWrite: false }));
      expect(result.how).toBe("replied");
      expect(existsSync(join(here.workspace, "new.txt"))).toBe(false);
      // A verifier is expected to be denied writing, so no person is asked about it.
      expect(result.refused).toEqual([]);
      expect(here.server.log.some(({ lastToolResult }) => lastToolResult.includes("hello"))).toBe(true);
    });

    test("killed with -9 in the middle of a command, it resumes the same conversation", async () => {
      const once = "if [ ! -e started ]; then touch started; sleep 100; fi";
      const here = await lab(rounds([kind.run(once), answer]));
      const agent = driven(here);
      const request = here.request();
      await killMidway(here, agent, request);
      const result = await here.run(agent, request);
      expect(result).toMatchObject({ how: "replied", reply, parts: 2 });
      expect(readFileSync(join(request.folder, "stdout-1"), "utf8")).toContain(`"id":"${result.nativeId}"`);
      expect(here.server.log.at(-1)?.lastPrompt).toContain("cut short");
      // The usage of the killed part is unknown.
      expect(result.usage.costUsd).toBe(null);
    });

    const own = kind.api === "messages" ? ofClaude : ofCodex;
    test.concurrent.each([...faults, ...own])("$fault: $is", async ({ step, is }) => {
      const here = await openLab(rounds([step]));
      try {
        const result = await here.run(driven(here), here.request({ timeoutMs: 40_000, silenceMs: 8000 }));
        expect({ is: failure(result), result }).toMatchObject({ is });
        // A request that no model answered costs nothing.
        if (is === "authentication" || is === "misconfigured") expect(result.usage).toEqual(noUsage);
      } finally {
        await here.close();
      }
    });

    // The remaining tests are about the bridge, which is the same for every agent.
    if (kind.api === "responses") return;

    test("a push is refused", async () => {
      const here = await lab(rounds([kind.run("git push --force origin main"), answer]));
      const request = here.request();
      const result = await here.run(driven(here), request);
      expect(result.how).toBe("replied");
      const why = "Pushing is left to the person who runs the loop.";
      expect(result.refused).toEqual([{ command: "git push --force origin main", why }]);
    });

    test("output outside the protocol is skipped and takes little memory", async () => {
      const here = await lab(rounds([answer]));
      const program = join(here.folder, "noisy");
      const noise = "printf '\\377\\000 hello {\\n[]\\n{\"broken\\n'; head -c 200000000 /dev/zero | tr '\\000' x; echo";
      writeFileSync(program, `#!/bin/sh\n${noise}\nexec '${process.execPath}' '${path}'\n`);
      chmodSync(program, 0o755);
      const request = here.request();
      let result: Awaited<ReturnType<Lab["run"]>> | null = null;
      const running = here.run(driven(here, { config: { command: [program] } }), request).then((ended) => {
        result = ended;
      });
      let peak = 0;
      while (result === null) {
        peak = Math.max(peak, peakMb(readLaunch(request.folder, 1)?.process?.pid ?? 0));
        await sleep(50);
      }
      await running;
      expect(result).toMatchObject({ how: "replied", reply });
      expect(peak).toBeGreaterThan(20);
      expect(peak).toBeLessThan(150);
    });

    test("reports a missing program, library or key", async () => {
      const here = await lab(() => "unseen");
      expect(await driven(here).probe()).toMatchObject({ found: true, path: process.execPath });
      const nowhere = driven(here, { config: { command: ["/nowhere/agent"] } });
      expect(await nowhere.probe()).toMatchObject({ found: false });
      expect(failure(await here.run(nowhere, here.request()))).toBe("misconfigured");
      const keyless = driven(here, { env: { ANTHROPIC_API_KEY: undefined } });
      expect(failure(await here.run(keyless, here.request()))).toBe("authentication");
      const modelless = driven(here, { config: { model: "no-such-model" } });
      expect(failure(await here.run(modelless, here.request()))).toBe("misconfigured");
      expect(here.server.log).toEqual([]);
    });
  });
}
