// Every place where text from outside becomes a value, each with a name.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acpAgent } from "../../src/agents/acp/acp.ts";
import type { Agent, SessionRequest } from "../../src/agents/agent.ts";
import { claudeAgent } from "../../src/agents/claude/claude.ts";
import { codexAgent } from "../../src/agents/codex/codex.ts";
import { readLimit } from "../../src/agents/limits/limits.ts";
import { rehearsalAgent } from "../../src/agents/rehearsal/rehearsal.ts";
import { readScript } from "../../src/agents/rehearsal/script.ts";
import { findReply } from "../../src/agents/reply/reply.ts";
import { runId, sessionId } from "../../src/core/ids.ts";
import { parseEvent } from "../../src/engines/local/events.ts";
import { parseLoopYaml } from "../../src/formats/config/loop-yaml.ts";
import { setInbox } from "../../src/formats/contract/inbox.ts";
import { readLoopMd } from "../../src/formats/contract/loop-md.ts";
import { readShapeMd } from "../../src/formats/contract/shape-md.ts";
import { importFeatures, importFormats } from "../../src/formats/import/index.ts";
import { parseMemory } from "../../src/formats/kept/memory-json.ts";
import { parseFeaturesJson } from "../../src/formats/queue/features-json.ts";
import { parseReply } from "../../src/formats/reply/reply.ts";
import { parsePlan } from "../../src/formats/reply/reply-plan.ts";
import { parseReview } from "../../src/formats/reply/reply-review.ts";
import { findStatusBlock } from "../../src/formats/reply/status-block.ts";
import { countTests, readReport } from "../../src/formats/test-report/index.ts";
import { readCommand } from "../../src/hook/commands.ts";
import { readExitSignal } from "../../src/hook/exit-signal.ts";
import { parseHold } from "../../src/hook/hold.ts";
import { readHookInput } from "../../src/hook/input.ts";
import { intake } from "../../src/intake/intake.ts";
import { readChain } from "../../src/journal/chain.ts";
import { decodeLine, firstLink } from "../../src/journal/line.ts";

const folder = mkdtempSync(join(tmpdir(), "loop-fuzz-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const machine = { env: { HOME: folder }, isRoot: false, now: () => 0, zone: "UTC" };
const request: SessionRequest = {
  ...{ run: runId("run"), session: sessionId("one"), role: "builder", feature: null, attempt: 1, prompt: "x" },
  ...{ replySchema: {}, cwd: folder, mayWrite: true, folder, part: 1, nativeId: null },
  ...{ costUsdMax: null, timeoutMs: 1000, silenceMs: 1000, handoverPercent: 100 },
};

/** An agent's whole output: each line, then its end, with the same text as the reply and the tails. */
function session(agent: Agent, text: string): void {
  for (const exit of [{ code: 0, signal: null }, { code: 1, signal: null }, null]) {
    const reader = agent.reader(request);
    for (const line of text.split("\n")) {
      reader.line(line, false);
      reader.errorLine?.(line, true);
    }
    reader.end(exit, { reply: text, stdoutTail: text, stderrTail: text });
  }
}

/** The parsed value if it is JSON, otherwise the text itself. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function fromFile(text: string, read: (file: string) => unknown): void {
  const file = join(folder, "text");
  writeFileSync(file, text);
  read(file);
}

export const parsers: Record<string, (text: string) => unknown> = {
  "a journal line": (text) => decodeLine(Buffer.from(text), firstLink("run")),
  "a whole journal": (text) => readChain(Buffer.from(text), firstLink("run")),
  "an event": (text) => parseEvent(jsonOrText(text)),
  "a status block": findStatusBlock,
  "LOOP.md": readLoopMd,
  "the inbox of LOOP.md": (text) => setInbox(text, [text.slice(0, 200)]),
  "SHAPE.md": readShapeMd,
  "FEATURES.json": (text) => parseFeaturesJson(text, "FEATURES.json"),
  "loop.yaml": (text) => parseLoopYaml(text, "loop.yaml"),
  "what was learned": parseMemory,
  "a producer's reply": (text) => parseReply("producer", jsonOrText(text)),
  "a verdict": (text) => parseReply("verdict", jsonOrText(text)),
  "an audit": (text) => parseReply("audit", jsonOrText(text)),
  "a plan": (text) => parsePlan(jsonOrText(text), 1),
  "a review": (text) => parseReview(jsonOrText(text)),
  "a reply among words": (text) => findReply(text, text),
  "a usage limit": (text) => readLimit(text, 0, "UTC"),
  "claude's stream": (text) => session(claudeAgent({}, machine), text),
  "codex's stream": (text) => session(codexAgent({ model: "gpt-5.5" }, machine), text),
  "an ACP agent's stream": (text) => session(acpAgent({ kind: "acp", command: ["x"] }, machine), text),
  "the rehearsal agent's stream": (text) => session(rehearsalAgent({ kind: "rehearsal", act: "honest" }), text),
  "a rehearsal script": (text) => fromFile(text, readScript),
  "what a test run printed": countTests,
  "a test report": readReport,
  ...Object.fromEntries(
    [...importFormats, null].map((format) => [
      `an import as ${format ?? "whatever it is"}`,
      (text: string) => importFeatures("prd.md", text, format),
    ]),
  ),
  "an import that is JSON": (text) => importFeatures("prd.json", text, null),
  "what a hook is told": (text) => readHookInput(text, {}, folder),
  "a held session's state": parseHold,
  "a session's last words": (text) => readExitSignal(text, ["C1"]),
  "a typed command": readCommand,
  "a request": (text) => intake(text),
};
