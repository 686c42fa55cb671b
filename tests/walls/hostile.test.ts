// A hostile agent inside walls, and the same one without. The table in docs/SECURITY.md is written from here.
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
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

async function play(sandbox: "require" | "off"): Promise<Played[]> {
  const at = new Targets(sampleFiles([], [feature("F001")]));
  targets = at;
  await at.start();
  const attempts = attemptsOn(at);
  const maker = { kind: "command", command: ["node", "hostile.mjs"], cost_usd: 0, network: "model" };
  const checks = [{ name: "test", run: "sh run-tests.sh", timeout_s: 60 }];
  at.project.write({
    "hostile.mjs": program,
    "attempts.json": JSON.stringify(attempts.map(({ command }) => command)),
    "loop.yaml": JSON.stringify({ version: 1, agents: { maker }, checks, sandbox }),
  });
  at.project.git("rm", "--quiet", "rehearsal.json");
  at.project.git("add", "--all");
  at.project.git("commit", "--quiet", "--message", "hostile");
  const { stderr } = await ended(at.project.start(["run"], at.env));
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
