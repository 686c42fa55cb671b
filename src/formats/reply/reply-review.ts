// The reply of a plan or audit verifier, or of the skeptic: objections, each with a severity.
import { z } from "zod";
import { choice, findingsOf, optional, problemOf, type ReplyProblem, readObject } from "./reply-parts.ts";

export type ReviewReply = {
  verdict: "pass" | "fail";
  summary: string;
  findings: readonly { id: string; severity: "blocking" | "minor"; summary: string; evidence: readonly string[] }[];
};

const review = z.object({
  verdict: choice({ pass: "pass", passed: "pass", fail: "fail", failed: "fail" }),
  summary: optional,
  findings: findingsOf,
});

/** A pass with a blocking finding is a fail; a fail without reasons is one too. */
export function parseReview(answer: unknown): ReviewReply | ReplyProblem {
  return readObject(answer, (value) => {
    const parsed = review.safeParse(value);
    if (!parsed.success) return problemOf(parsed.error);
    const { verdict, summary } = parsed.data;
    const findings = parsed.data.findings.map((each, at) => ({ ...each, id: each.id ?? String(at + 1) }));
    const blocks = findings.some(({ severity }) => severity === "blocking");
    return { verdict: blocks ? "fail" : verdict, summary: summary ?? "", findings };
  });
}
