// What is seen of real claude and real codex while they work, against the log of the scripted model.
import { afterEach, expect, test } from "vitest";
import type { Agent, Sign } from "../../src/agents/agent.ts";
import { costOf, priceOf } from "../../src/agents/prices.ts";
import { addUsage } from "../../src/agents/session/session-result.ts";
import { noUsage, type Usage } from "../../src/core/session.ts";
import { rounds, type Script, type Step } from "../../src/testing/model/index.ts";
import { until } from "../support/project.ts";
import { claudeIn, codexIn, describeCli, type Lab, openLab, tokens } from "./lab.ts";

let lab: Lab | null = null;
afterEach(async () => {
  await lab?.close();
  lab = null;
});

type Seen = { readonly sign: Sign; readonly requests: number };
const seen: Seen[] = [];
const endedCalls = (): number => seen.filter(({ sign }) => sign.sign === "tool-ended").length;

/** The model answers once the end of the call before was seen: no agent is quicker than its watcher. */
const inStep =
  (steps: () => readonly Step[]): Script =>
  async (request) => {
    await until(`call ${request.rounds}`, () => endedCalls() >= request.rounds);
    return rounds(steps())(request);
  };

async function seenOf(here: Lab, agent: Agent, requests: number): Promise<Seen[]> {
  seen.length = 0;
  const onSign = (sign: Sign): void => void seen.push({ sign, requests: here.server.log.length });
  const result = await here.run(agent, here.request(), { onSign });
  expect(result).toMatchObject({ how: "replied" });
  expect(here.server.log.length).toBe(requests);
  return seen;
}

const total = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number =>
  inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;

/** What the first requests of the log used. */
function billed(here: Lab, requests: number): Usage {
  return here.server.log
    .slice(0, Math.max(0, requests))
    .map(({ usage, api, model }): Usage => {
      const used = tokens(usage, api);
      return { ...used, costUsd: costOf(used, priceOf(model)) };
    })
    .reduce(addUsage, noUsage);
}

/** Every usage that was seen is that of the log, at most one request behind; the last is the whole log. */
function expectTicking(here: Lab, seen: readonly Seen[]): void {
  const usages = seen.flatMap(({ sign, requests }) => (sign.sign === "usage" ? [{ usage: sign.usage, requests }] : []));
  const totals = usages.map(({ usage }) => total(usage));
  expect(new Set(totals).size).toBeGreaterThanOrEqual(3);
  expect(totals).toEqual(totals.toSorted((one, other) => one - other));
  for (const { usage, requests } of usages) {
    // The log has a request from its beginning, and its answer may still be on the way.
    expect(total(usage)).toBeGreaterThanOrEqual(total(billed(here, requests - 2)));
    expect(total(usage)).toBeLessThanOrEqual(total(billed(here, requests)));
    expect(usage.costUsd).toBeGreaterThanOrEqual((billed(here, requests - 2).costUsd ?? 0) - 1e-9);
    expect(usage.costUsd).toBeLessThanOrEqual((billed(here, requests).costUsd ?? 0) + 1e-9);
  }
  const last = usages.at(-1)?.usage ?? noUsage;
  expect(total(last)).toBe(total(billed(here, here.server.log.length)));
  expect(last.costUsd).toBeCloseTo(billed(here, here.server.log.length).costUsd ?? 0, 6);
}

const shown = (seen: readonly Seen[]): string[] =>
  seen.flatMap(({ sign }) => {
    if (sign.sign === "tool") return [`${sign.name} ${sign.argument}`];
    if (sign.sign === "tool-ended") return [sign.failed ? "failed" : "ended"];
    if (sign.sign === "said") return [`says ${sign.text}`];
    return sign.sign === "edit" ? [`edits ${sign.path}`] : [];
  });

await describeCli("claude@2.1.325", (path) => {
  test("shows its tools, words, edits, tokens and money as they come", { timeout: 60_000 }, async () => {
    let workspace = "";
    const steps = (): Step[] => [
      { text: "I look first.", tools: [{ name: "Bash", input: { command: "cat hello.txt", description: "look" } }] },
      { tools: [{ name: "Write", input: { file_path: `${workspace}/src/new.txt`, content: "new\n" } }] },
      { tools: [{ name: "StructuredOutput", input: { status: "done", summary: "ok" } }] },
    ];
    const here = await openLab(inStep(steps));
    lab = here;
    workspace = here.workspace;
    const seen = await seenOf(here, claudeIn(here, path), 3);
    expect(shown(seen).slice(0, 6)).toEqual([
      "says I look first.",
      "Bash cat hello.txt",
      "ended",
      "Write src/new.txt",
      "edits src/new.txt",
      "ended",
    ]);
    expectTicking(here, seen);
  });
});

await describeCli("codex@0.166.0", (path) => {
  test("shows its tools, words, edits, tokens and money as they come", { timeout: 60_000 }, async () => {
    const patch = "*** Begin Patch\n*** Add File: src/new.txt\n+new\n*** End Patch";
    const here = await openLab(
      inStep(() => [
        { text: "I look first.", tools: [{ name: "exec_command", input: { cmd: "cat hello.txt" } }] },
        { tools: [{ name: "apply_patch", input: patch }] },
        { tools: [{ name: "exec_command", input: { cmd: "ls" } }] },
        { text: '{"status":"done","summary":"ok"}' },
      ]),
    );
    lab = here;
    const seen = await seenOf(here, codexIn(here, path), 4);
    expect(shown(seen).slice(0, 8)).toEqual([
      "says I look first.",
      "shell cat hello.txt",
      "ended",
      "edit src/new.txt",
      "ended",
      "edits src/new.txt",
      "shell ls",
      "ended",
    ]);
    expectTicking(here, seen);
  });
});
