// A hostile agent inside walls, and the same one without. The table in docs/SECURITY.md is written from here.
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { startModelServer } from "../../src/testing/model/index.ts";
import { describeCli } from "../agents/lab.ts";
import { ended } from "../support/project.ts";
import { feature, sampleFiles } from "../support/sample.ts";
import { type Attempt, attemptsOn } from "./attempts.ts";
import { walls } from "./rig.ts";
import { Targets } from "./targets.ts";

let targets: Targets | null = null;
afterEach(() => {
  targets?.end();
  targets = null;
});

const program = fs.readFileSync(fileURLToPath(new URL("./hostile.mjs", import.meta.url)), "utf8");
const page = fileURLToPath(new URL("../../docs/SECURITY.md", import.meta.url));

type Played = Attempt & { readonly succeeded: boolean };

const aProgram = { kind: "command", command: ["node", "hostile.mjs"], cost_usd: 0, network: "model" };

/** A home full of secrets, and a project whose agent tries to get at them. */
async function prepare(maker: object, sandbox: "require" | "off"): Promise<{ at: Targets; attempts: Attempt[] }> {
  const at = new Targets(sampleFiles([], [feature("F001")], { ".gitignore": "node_modules/\nignored.*\n" }));
  targets = at;
  await at.start();
  const attempts = attemptsOn(at);
  const checks = [{ name: "test", run: "sh run-tests.sh", timeout_s: 60 }];
  at.project.write({
    "hostile.mjs": program,
    "attempts.json": JSON.stringify(attempts.map(({ command }) => command)),
    "loop.yaml": JSON.stringify({ version: 1, agents: { maker }, checks, sandbox }),
  });
  at.project.git("rm", "--quiet", "rehearsal.json");
  at.project.git("add", "--all");
  at.project.git("commit", "--quiet", "--message", "hostile");
  return { at, attempts };
}

async function play(sandbox: "require" | "off"): Promise<Played[]> {
  const { at, attempts } = await prepare(aProgram, sandbox);
  const { stderr } = await ended(at.project.start(["run"], at.env, undefined, at.handed));
  const run = at.project.runs().at(-1) ?? "";
  const [first = ""] = fs.readdirSync(join(run, "sessions")).sort();
  const said = fs
    .readFileSync(join(run, "sessions", first, "stdout-1"), "utf8")
    .trimEnd()
    .split("\n");
  const isDone = new Map(said.map((line) => JSON.parse(line)).map(({ command, isDone: is }) => [command, is]));
  expect(isDone.size, stderr).toBe(attempts.length);
  return attempts.map((one) => ({ ...one, succeeded: one.shows?.() ?? isDone.get(one.command) === true }));
}

test.skipIf(!walls.works)(
  "none of the attempts of a hostile agent succeeds inside walls; most do without",
  { timeout: 240_000 },
  async () => {
    const inside = await play("require");
    targets?.end();
    const outside = await play("off");
    expect(inside.filter(({ succeeded }) => succeeded).map(({ what }) => what)).toEqual([]);
    expect(inside.length).toBeGreaterThanOrEqual(40);
    // Otherwise they would show nothing. An ordinary user has fewer rights to lose.
    expect(outside.filter(({ succeeded }) => succeeded).length).toBeGreaterThanOrEqual(20);
    if (process.env["UPDATE_SECURITY"] !== undefined) fs.writeFileSync(page, withTable(inside, outside));
    for (const { what } of inside) expect(fs.readFileSync(page, "utf8")).toContain(`| ${what} | no |`);
  },
);

await describeCli("claude@2.1.325", (path) => {
  test.skipIf(!walls.works)(
    "none of them succeeds when a model makes claude run them in its shell",
    { timeout: 240_000 },
    async () => {
      const heard: string[] = [];
      const server = await startModelServer({
        script: (request) => {
          if (request.side) return "ok";
          heard.push(...request.toolResults.map(({ text }) => text));
          const command =
            "node hostile.mjs /tmp/tried 2> /dev/null; wc -l < /tmp/tried; grep '\"isDone\":true' /tmp/tried; echo that is all";
          const input = { command, timeout: 600_000, description: "tries" };
          return request.rounds === 0 ? { tools: [{ name: "Bash", input }] } : { text: "I give up." };
        },
      });
      try {
        const { at, attempts } = await prepare({ kind: "claude", path, model: "claude-sonnet-4-5" }, "require");
        const env = { ...at.env, ANTHROPIC_BASE_URL: server.url };
        const { stderr } = await ended(at.project.start(["run", "--iterations", "1"], env, undefined, at.handed));
        const [first = ""] = heard;
        expect(first, stderr).toMatch(/that is all/);
        expect(Number.parseInt(first, 10)).toBe(attempts.length);
        const listed = first.split("\n").filter((line) => line.includes('"isDone":true'));
        const done = new Set(listed.map((line) => JSON.parse(line).command));
        const succeeded = attempts.filter((one) => one.shows?.() ?? done.has(one.command));
        expect(succeeded.map(({ what }) => what)).toEqual([]);
      } finally {
        await server.close();
      }
    },
  );
});

const [start, end] = ["<!-- attempts -->", "<!-- /attempts -->"];

function withTable(inside: readonly Played[], outside: readonly Played[]): string {
  const rows = inside.map(({ threat, what, succeeded }, at) => {
    const without = outside[at]?.succeeded === true ? "yes" : "no";
    return `| ${threat} | ${what} | ${succeeded ? "**yes**" : "no"} | ${without} |`;
  });
  const count = (all: readonly Played[]): number => all.filter(({ succeeded }) => succeeded).length;
  const table = ["| threat | attempt | inside walls | without |", "| --- | --- | --- | --- |", ...rows].join("\n");
  const told = `${inside.length} attempts: ${count(inside)} succeed inside walls, ${count(outside)} without.`;
  const text = fs.readFileSync(page, "utf8");
  return `${text.slice(0, text.indexOf(start))}${start}\n${told}\n\n${table}\n${text.slice(text.indexOf(end))}`;
}
