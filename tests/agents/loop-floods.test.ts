// Agents that print endless or malformed output: the loop's memory stays small, and their work still counts.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { LoopLab, peakMb } from "./loop-lab.ts";

let lab: LoopLab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

const megabyte = 1 << 20;
/** Far less than the output, and more than one run differs from the next. */
const moreMbMax = 40;

/** The work and the reply of a good agent, in plain JavaScript. */
const worker = `
import { mkdirSync, writeFileSync } from "node:fs";
const id = process.env.LOOP_FEATURE || "F001", name = id.toLowerCase();
const verifies = process.argv[2] === "verify";
if (!verifies) {
  mkdirSync("src", { recursive: true });
  writeFileSync("src/" + id + ".js", "export const " + name + ' = () => "' + id + '";\\n');
  writeFileSync("test/" + id + ".test.js", 'import assert from "node:assert/strict";\\nimport { ' + name + ' } from "../src/' + id + '.js";\\nassert.equal(' + name + '(), "' + id + '");\\n');
}
const criteria = [{ criterion: "C1", met: true, verification: "execution output", evidence: [{ command: "sh run-tests.sh" }] }];
const reply = verifies ? { verdict: "pass", summary: "seen", criteria } : { status: "done", summary: "done" };
if (process.env.LOOP_REPLY_FILE) writeFileSync(process.env.LOOP_REPLY_FILE, JSON.stringify({ ...reply, usage: { cost_usd: 0.01 } }));
else console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false, num_turns: 1, result: "Done.", structured_output: reply, session_id: "s-1", modelUsage: { "claude-sonnet-4-5": { inputTokens: 10, outputTokens: 5, costUSD: 0.01 } } }));
`;

const zeros = (bytes: number): string => `head -c ${bytes} /dev/zero`;
const endless = (line: string) => (bytes: number) => `yes '${line}' | head -c ${bytes}; echo`;

const floods: Readonly<Record<string, (bytes: number) => string>> = {
  lines: endless("a line of noise that goes on and on and on"),
  "one line": (bytes) => `${zeros(bytes)} | tr '\\000' x; echo`,
  "bytes that are no text": (bytes) => `${zeros(bytes)} | tr '\\000' '\\377'; echo`,
  "torn JSON": endless('{"type":"assistant","message":{"content":[{"text":"'),
  "events that mean nothing": endless('{"type":"assistant","message":[],"usage":-1}'),
};

/** Each kind prints a full GiB once; with LOOP_LONG=1, every time. A command's output is not parsed as events. */
const long = process.env["LOOP_LONG"] === "1";
const rows = [
  { kind: "command", flood: "lines", mb: 1024 },
  { kind: "command", flood: "one line", mb: long ? 1024 : 64 },
  { kind: "command", flood: "bytes that are no text", mb: long ? 1024 : 64 },
  { kind: "claude", flood: "lines", mb: long ? 1024 : 64 },
  { kind: "claude", flood: "one line", mb: 1024 },
  { kind: "claude", flood: "bytes that are no text", mb: long ? 1024 : 64 },
  { kind: "claude", flood: "torn JSON", mb: long ? 1024 : 64 },
  { kind: "claude", flood: "events that mean nothing", mb: long ? 1024 : 64 },
] as const;
/** Slow to parse, so there is less of it. */
const broken = endless('{"type":"result",}')(2 * megabyte);

/** A program that poses as claude and floods its output. */
const fakeClaude = (print: string, work: string): string => `#!/bin/sh
case "$1" in
  --version) echo "2.1.325 (Claude Code)"; exit 0;;
  auth) echo '{"loggedIn": true}'; exit 0;;
esac
echo '{"type":"system","subtype":"init","session_id":"s-1"}'
${print}
exec node ${work}
`;
const command = (print: string, work: string): string => `#!/bin/sh\n${print}\nexec node ${work}\n`;

type Kind = (typeof rows)[number]["kind"];

async function open(kind: Kind, print: string): Promise<LoopLab> {
  const agent = (role: "make" | "verify") => (here: LoopLab) => {
    const work = join(here.home, "worker.mjs");
    const program = join(here.home, role);
    writeFileSync(work, worker);
    const floods = role === "make" ? print : ":";
    writeFileSync(program, (kind === "claude" ? fakeClaude : command)(floods, `'${work}' ${role}`));
    chmodSync(program, 0o755);
    return kind === "claude" ? { kind, path: program } : { kind, command: [program] };
  };
  lab = await LoopLab.open({ maker: agent("make"), checker: agent("verify") });
  return lab;
}

/** Runs it to its end, with the most memory that the loop had. */
async function watched(here: LoopLab): Promise<{ peak: number; code: number | null; said: string }> {
  const { pid, end } = here.begin("run");
  let over = false;
  let peak = 0;
  const ended = end.finally(() => {
    over = true;
  });
  while (!over) {
    peak = Math.max(peak, peakMb(pid));
    await sleep(50);
  }
  const { code, stderr, stdout } = await ended;
  return { peak, code, said: stderr + stdout };
}

const quiet = new Map<Kind, number>();

/** As much as a run needs with an agent that prints next to nothing. */
async function quietPeak(kind: Kind): Promise<number> {
  const known = quiet.get(kind);
  if (known !== undefined) return known;
  const { peak, code, said } = await watched(await open(kind, ":"));
  expect(code, said).toBe(0);
  await lab?.close();
  quiet.set(kind, peak);
  return peak;
}

test.each(rows)(
  "an agent of kind $kind that prints $mb MB of $flood costs little memory",
  { timeout: 180_000 },
  async ({ kind, flood, mb }) => {
    const usual = await quietPeak(kind);
    const here = await open(kind, `${broken}; ${floods[flood]?.(mb * megabyte)}`);
    const { peak, code, said } = await watched(here);
    expect(code, said).toBe(0);
    expect(here.commits()).toEqual(["feat(F001): Add f001()"]);
    expect((await here.status()).spent).toMatchObject({ costUsd: 0.02, estimated: false });
    expect(usual).toBeGreaterThan(20);
    expect(peak - usual).toBeLessThan(moreMbMax);
  },
);
