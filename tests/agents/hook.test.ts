// The Stop hook in the real claude: unmet criteria keep it going, met ones let it stop, and it never stops silently.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { afterEach, expect, test } from "vitest";
import { done, right } from "../hook/held.ts";
import { isThorough } from "../support/thorough.ts";
import { HookLab, plugin, shell } from "./hook-lab.ts";
import { describeCli } from "./lab.ts";

let lab: HookLab;
afterEach(() => lab.close());

for (const cli of ["claude@2.1.325", "claude@2.1.197"])
  await describeCli(cli, (path) => {
    const say = "Done, all tests pass.";
    // Behaviour that could differ between versions is tested in both; the rest of the older one runs in npm run faults.
    const also = cli === "claude@2.1.325" || isThorough ? test : test.skip;

    test("a false claim is blocked with the reason, and the fixed file lets it stop", async () => {
      lab = await HookLab.open();
      await lab.loop("hook", "install");
      await lab.loop("hook", "start", "Make add() add.");
      const { code, told } = await lab.claude(path, "Make add() add.", ({ block, rounds }) => {
        if (block === 0) return say;
        if (block === 1) return rounds === 0 ? shell(`printf '${right}' > src/add.js`) : say;
        return done;
      });
      expect(code).toBe(0);
      const [first, second, ...rest] = lab.blocks();
      expect(first).toMatch(/iteration 1 of 10[\s\S]*test \(node test\/add\.test\.js\) fails[\s\S]*-1 !== 3/);
      expect(second).toMatch(/iteration 2 of 10[\s\S]*work is proved[\s\S]*EXIT_SIGNAL: true/);
      expect(rest).toEqual([]);
      expect(await lab.hookStatus()).toMatchObject({ held: [], lastEnded: { ending: "met" } });
      if (cli === "claude@2.1.325") expect(told).toMatch(/Loopwright: met\./); // The older version does not print it with -p.
    });

    test("a state that breaks during the session neither lets it stop silently nor holds it forever", async () => {
      lab = await HookLab.open({ "src/add.js": right });
      await lab.loop("hook", "install");
      await lab.loop("hook", "start", "Make add() add.");
      const { code, told } = await lab.claude(path, "Make add() add.", ({ block, rounds }) => {
        if (block > 0 || rounds > 0) return done;
        return shell(`for f in "${lab.holds}"/active/*.json; do echo '{"exit_signal": true}' > "$f"; done`);
      });
      expect(code).toBe(0);
      expect(lab.blocks()).toHaveLength(3);
      expect(lab.blocks()[0]).toMatch(/cannot be read[\s\S]*loop hook release/);
      expect(fs.readdirSync(`${lab.holds}/broken`)).toHaveLength(1);
      if (cli === "claude@2.1.325") expect(told).toMatch(/NOTHING WAS PROVED/);
    });

    also("an agent that edits its state, changes folder and tries to release itself is still held", async () => {
      lab = await HookLab.open();
      await lab.loop("hook", "install");
      await lab.loop("hook", "start", "Make add() add.");
      const main = new URL("../../dist/cli/main.js", import.meta.url).pathname;
      const tricks = `sed -i s/false/true/ .loop/hook/state.json; '${process.execPath}' '${main}' hook release; cd src`;
      await lab.claude(path, "Make add() add.", ({ block, rounds }) =>
        block === 0 && rounds === 0 ? shell(tricks) : done,
      );
      expect(lab.blocks()[0]).toMatch(/state\.json was edited[\s\S]*fails/);
      expect((await lab.hookStatus()).lastEnded).toMatchObject({ ending: "breaker" });
    });

    also("an agent that never changes anything is let go, and reported as unmet", async () => {
      lab = await HookLab.open();
      await lab.loop("hook", "install");
      await lab.loop("hook", "start", "Make add() add.");
      const { code, told } = await lab.claude(path, "Make add() add.", () => done);
      expect(code).toBe(0);
      expect(lab.blocks()).toHaveLength(1);
      expect((await lab.hookStatus()).lastEnded).toMatchObject({ ending: "breaker" });
      if (cli === "claude@2.1.325") expect(told).toMatch(/NOT MET/);
    });

    also("another session in the same folder is untouched, and asks the model once", async () => {
      lab = await HookLab.open();
      await lab.loop("hook", "install");
      await lab.loop("hook", "start", "Make add() add.", "--session", "00000000-0000-4000-8000-000000000000");
      const { code } = await lab.claude(path, "What is this?", () => say);
      expect(code).toBe(0);
      expect(lab.requests).toHaveLength(1);
      expect((await lab.hookStatus()).held).toMatchObject([{ iteration: 0 }]);
    });

    also("when Loopwright is gone, claude works on", async () => {
      lab = await HookLab.open();
      await lab.loop("hook", "install");
      await lab.loop("hook", "start", "Make add() add.");
      const settings = lab.read(".claude/settings.local.json");
      lab.write({ ".claude/settings.local.json": settings.replaceAll("main.js", "gone.js") });
      const { code } = await lab.claude(path, "Hello", () => say);
      expect({ code, asked: lab.requests.length }).toEqual({ code: 0, asked: 1 });
    });

    test("the plugin's command holds the session, its hook keeps it going, and its skill is available", async () => {
      lab = await HookLab.open();
      const args = ["--plugin-dir", plugin];
      const { code, events } = await lab.claude(
        path,
        "/loopwright:loop Make add() add.\n- negatives work",
        ({ block, rounds }) => {
          if (block === 0) return done;
          return rounds === 0
            ? shell(`printf '${right}' > src/add.js`)
            : done.replace("---END", 'CRITERIA: {"negatives work": true}\n---END');
        },
        { args },
      );
      expect(code).toBe(0);
      expect(lab.requests[0]?.tail).toMatch(/Loopwright holds this session[\s\S]*CRITERIA: \{"negatives work": true\}/);
      expect(lab.blocks()).toHaveLength(1);
      expect(lab.blocks()[0]).toMatch(/fails[\s\S]*not ticked[^\n]*negatives work/);
      expect((await lab.hookStatus()).lastEnded).toMatchObject({ ending: "met" });
      const init = events.find(({ subtype }) => subtype === "init") as unknown as {
        slash_commands: string[];
        skills?: string[];
      };
      expect(init.slash_commands).toEqual(expect.arrayContaining(["loopwright:loop", "loopwright:loop-release"]));
      expect(init.skills ?? init.slash_commands).toContain("loopwright:loopwright");
    });

    also("the status and release commands that a person types reach no model", async () => {
      lab = await HookLab.open();
      const args = ["--plugin-dir", plugin];
      await lab.loop("hook", "start", "Make add() add.", "--session", "s-1");
      for (const command of ["loop-status", "loop-release"]) {
        await lab.claude(path, `/loopwright:${command}`, () => say, { args });
        expect(lab.requests).toEqual([]);
      }
      expect(await lab.hookStatus()).toMatchObject({ held: [], lastEnded: { ending: "released" } });
    });
  });

await describeCli("claude@2.1.325", (path) => {
  test("respects the CLI's own block cap: the hold ends with a message before the CLI ends it silently", async () => {
    lab = await HookLab.open();
    await lab.loop("hook", "install");
    await lab.loop("hook", "start", "Make add() add.");
    const play = ({ rounds, block }: { rounds: number; block: number }) =>
      block === 0 && rounds === 0 ? shell("echo '// one' >> src/add.js") : done;
    const { told } = await lab.claude(path, "Make add() add.", play, { env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "1" } });
    expect(lab.blocks()).toHaveLength(1);
    expect(told).toMatch(/NOT MET[\s\S]*after 1 block in a row/);
  });

  test("claude finds nothing wrong with the plugin", async () => {
    lab = await HookLab.open();
    const validate = (...args: string[]) =>
      execFileSync(path, ["plugin", "validate", ...args, plugin], { env: lab.env, encoding: "utf8" });
    expect(validate("--strict")).toMatch(/Validation passed/);
    expect(validate("--profile", "directory")).toMatch(/Validation passed/);
  });
});
