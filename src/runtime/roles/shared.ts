// Parts of prompts that several roles share.
import type { Contract } from "../../core/contract.ts";
import type { Reply } from "../../core/event.ts";
import type { FeatureId } from "../../core/ids.ts";
import type { Pair, Run } from "../../core/run.ts";
import type { ProducerReply, ReplyProblem } from "../../formats/reply/reply.ts";
import type { ReviewReply } from "../../formats/reply/reply-review.ts";
import { rules } from "../../intake/workflow.ts";
import type { RunFiles } from "../ports.ts";
import { shapeSource } from "../records/paths.ts";
import { quoted } from "./text.ts";

export const theRequest = ({ contract }: Run, charactersMax = 1500): string =>
  quoted("What the user asked for, to the letter:", contract.request, charactersMax);

/** What a person wrote into SHAPE.md: criteria for the whole run, independent of its features. */
export function shapeOf(files: RunFiles): string | null {
  const text = files.read(shapeSource);
  return text === null
    ? null
    : quoted("What the user wrote about its shape (criteria, must-nots, verification):", text, 3000);
}

/** The first rule for this kind of work: it prevents the most common mistakes. */
export function workRule({ intake, notes = [] }: Contract, feature?: FeatureId): string | null {
  const workflow = notes.find((note) => note.feature === feature)?.workflow ?? intake?.workflow;
  return workflow === undefined ? null : `This is work of the kind "${workflow}". ${rules[workflow]}`;
}

export function decisions(run: Run): string | null {
  const recent = run.decisions
    .slice(-5)
    .map(({ question, answer, source }) => `- ${question} → ${answer}${source === "supposition" ? " (supposed)" : ""}`);
  return recent.length === 0 ? null : quoted("Decided:", recent.join("\n"), 1500);
}

/** The verifier's findings from the previous round. */
export function objections(pair: Pair | null): string | null {
  if (pair === null || pair.findings.length === 0) return null;
  const lines = pair.findings.map(({ id, blocking, text }) => `${id} (${blocking ? "blocking" : "minor"}): ${text}`);
  return quoted(
    "Your last answer was not accepted. Answer each of these points, or say why it does not hold:",
    lines.join("\n"),
    3000,
  );
}

const testsMax = 50;

export function madeOf(parsed: ProducerReply | ReplyProblem): Reply | ReplyProblem {
  if ("problem" in parsed) return parsed;
  const summary = parsed.summary.slice(0, 2000);
  if (parsed.status === "needs-permission") {
    const tests = (parsed.permission?.tests ?? []).slice(0, testsMax).map((test) => test.trim().slice(0, 300));
    return {
      kind: "made",
      status: parsed.status,
      tests,
      reason: (parsed.permission?.reason ?? summary).slice(0, 2000),
    };
  }
  if (parsed.status !== "question") return { kind: "made", status: parsed.status, summary };
  return questionOf(parsed.question?.text ?? parsed.summary, parsed.question?.bestSupposition ?? "");
}

export const questionOf = (question: string, supposition: string): Reply => ({
  kind: "made",
  status: "question",
  question: question.slice(0, 2000),
  supposition: supposition.slice(0, 2000),
});

const findingsMax = 20;

export function reviewedOf(parsed: ReviewReply | ReplyProblem): Reply | ReplyProblem {
  if ("problem" in parsed) return parsed;
  const findings = parsed.findings.slice(0, findingsMax).map(({ id, severity, summary }) => ({
    id: id.slice(0, 20),
    blocking: severity === "blocking",
    text: summary.slice(0, 500),
  }));
  return { kind: "reviewed", pass: parsed.verdict === "pass", summary: parsed.summary.slice(0, 2000), findings };
}

export const reviewFormat = `Reply with JSON: {"verdict": "pass" | "fail", "summary": "…", "findings": [{"id": "1", "severity": "blocking" | "minor", "summary": "…", "evidence": ["…"]}]}. Number the findings. Blocking is only what must change before this can go on; a matter of taste is minor.`;
