// One sentence at L1, with a person at a real terminal: every gate is shown, and every answer takes effect.
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Project, until } from "../support/project.ts";
import { hasScript, typed } from "../support/terminal.ts";
import { sentence, sentenceProject } from "./sentence.ts";

vi.setConfig({ testTimeout: 300_000 });

let project: Project;
afterEach(() => project.remove());

const asked = "[l]ater";
const start = [
  ["What must not change", "\r"],
  ["Start? [y]es", "y\r"],
] as const;

describe.skipIf(!hasScript())("in a terminal (skipped without script of util-linux)", () => {
  test("a plan, three features, an audit with a gap and a follow-up, each with its gate", async () => {
    project = sentenceProject({ loopYaml: "autonomy: L1\n" });
    // G1, three iterations, the follow-up's iteration, and G3.
    const answers = Array.from({ length: 6 }, () => [asked, "y\r"] as const);
    const { code, seen } = await typed(project, ["run", sentence], [...start, ...answers]);
    expect(code, seen).toBe(0);
    const gates = [...seen.matchAll(/(G[123]) ·/g)].map(([, name]) => name);
    expect(gates).toEqual(["G1", "G2", "G2", "G2", "G2", "G3"]);
    expect(seen).toContain("A follow-up run works on this");
    expect(seen).toContain("SHIP");
    expect(project.git("log", "--format=%s")).toContain("feat(F004): README.md lists shout, count and reverse");
  });

  test("a no asks for the reason, and the feature is worked on again with it", async () => {
    project = sentenceProject({ loopYaml: "gates: [G2]\n" });
    const { code, seen } = await typed(
      project,
      ["run", sentence],
      [...start, [asked, "n\r"], ["Why not?", "It shouts too loud.\r"], [asked, "l\r"]],
    );
    expect(code, seen).toBe(6);
    expect(project.prompts("builder").at(-1)).toContain("It shouts too loud.");
    expect(seen).toContain("loop approve");
  });

  test("before building in a worktree, only a no with its reason is offered, and the planner reads it", async () => {
    project = sentenceProject({ loopYaml: "gates: [G1]\n" });
    const { code, seen } = await typed(
      project,
      ["run", "--worktree", sentence],
      [...start, [asked, "n\r"], ["Why not?", "Leave out reverse.\r"], [asked, "l\r"]],
    );
    expect(code, seen).toBe(6);
    expect(seen).toContain("To change it: say no, and why.");
    expect(seen).not.toContain("then answer");
    expect(project.prompts("planner").at(-1)).toContain("Leave out reverse.");
  });

  test("keys that were typed before a gate was shown do not pass it", async () => {
    project = sentenceProject({ loopYaml: "gates: [G2]\n" });
    const { code, seen } = await typed(project, ["run", sentence], [...start, ["baseline", "y\ry\r"], [asked, "l\r"]]);
    expect(code, seen).toBe(6);
    expect(seen.match(/G2 ·/g)).toHaveLength(1);
  });

  test("an answer from another terminal comes first, and ends the prompt", async () => {
    project = sentenceProject({ loopYaml: "gates: [G1]\n" });
    const here = typed(project, ["run", sentence], start);
    const ended = () => project.events().filter(({ type }) => type === "session-ended").length;
    await until("the plan and its verdict", () => ended() === 2, 60_000);
    const elsewhere = await project.loop("approve");
    expect(elsewhere.code, elsewhere.stderr).toBe(0);
    expect((await here).code).toBe(0);
  });
});
