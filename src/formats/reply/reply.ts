// A session's reply, by the kind of its role. A reply is a claim: it is read leniently, but never upgraded.
import { z } from "zod";
import {
  choice,
  findingsOf,
  list,
  optional,
  problemOf,
  question,
  type ReplyProblem,
  readObject,
  text,
} from "./reply-parts.ts";

export type { ReplyProblem } from "./reply-parts.ts";

/** producer: builds, plans, writes tests. verdict: judges a feature. audit: judges the whole. */
export type ReplyKind = "producer" | "verdict" | "audit";

export type ProducerReply = {
  kind: "producer";
  status: "done" | "blocked" | "question" | "needs-permission";
  summary: string;
  question: { text: string; bestSupposition: string | null } | null;
  /** Protected tests that it needs to change, by file, or by file and name; with needs-permission. */
  permission?: { tests: readonly string[]; reason: string | null };
  /** Lessons for later sessions, in the maker's words. */
  learned?: readonly string[];
};
export const verifications = ["execution output", "observation", "measurement", "code review", "assumption"] as const;
export type Verification = (typeof verifications)[number];
/** A note is evidence in words only: it cannot be run or looked up. */
export type Evidence = { command: string } | { file: string; line: number | null } | { note: string };
export type CriterionVerdict = {
  criterion: string;
  met: boolean;
  verification: Verification;
  evidence: readonly Evidence[];
};
export type VerdictReply = {
  kind: "verdict";
  verdict: "pass" | "fail";
  summary: string;
  rootCause: string | null;
  criteria: readonly CriterionVerdict[];
};
export type Gap = {
  id: string;
  severity: "blocking" | "minor";
  summary: string;
  /** What is true once it is closed. */
  criterion: string | null;
  evidence: readonly string[];
};
export type AuditReply = {
  kind: "audit";
  status: "passed" | "needs-followup";
  summary: string;
  gaps: readonly Gap[];
  revisedRequest: string | null;
};

type ReplyOf = { producer: ProducerReply; verdict: VerdictReply; audit: AuditReply };

/** Reads a reply: the object itself, or its JSON. Never throws; `problem` is a sentence for the agent. */
export function parseReply<Kind extends ReplyKind>(kind: Kind, answer: unknown): ReplyOf[Kind] | ReplyProblem {
  return readObject(answer, (value) => readers[kind](value) as ReplyOf[Kind] | ReplyProblem);
}

const producer = z.object({
  status: choice({
    done: "done",
    complete: "done",
    completed: "done",
    blocked: "blocked",
    question: "question",
    "needs-permission": "needs-permission",
    permission: "needs-permission",
  }),
  summary: optional,
  tests: z.unknown().optional().transform(textsOf),
  reason: optional,
  question: question.nullish().transform((it) => (it?.text.trim() ? it : null)),
  learned: z.unknown().optional().transform(learnedOf),
});

const learnedMax = 5;
const learnedCharactersMax = 300;

/** Optional: anything but a list of texts is ignored, and never makes a reply invalid. */
function learnedOf(given: unknown): string[] {
  const texts = textsOf(given);
  const kept = texts.map((each) => each.trim().slice(0, learnedCharactersMax)).filter((each) => each !== "");
  return kept.slice(0, learnedMax);
}

function textsOf(given: unknown): string[] {
  const texts = Array.isArray(given) ? given.slice(0, 100) : [];
  return texts.filter((each): each is string => typeof each === "string" && each.trim() !== "");
}

function readProducer(value: object): ProducerReply | ReplyProblem {
  const parsed = producer.safeParse(fromOlderForms(value));
  if (!parsed.success) return problemOf(parsed.error);
  const { status, summary, question: asked, tests, reason, learned } = parsed.data;
  // Unnamed tests cannot be allowed: then the session is only blocked.
  if (status === "needs-permission" && tests.length === 0)
    return { kind: "producer", status: "blocked", summary: reason ?? summary ?? "", question: null };
  if (status === "question" && asked === null && summary === null) return { problem: "question.text is missing." };
  const text = status === "question" ? (asked ?? { text: summary ?? "", bestSupposition: null }) : asked;
  const more = {
    ...(learned.length === 0 ? {} : { learned }),
    ...(status === "needs-permission" ? { permission: { tests, reason } } : {}),
  };
  return { kind: "producer", status, summary: summary ?? "", question: text, ...more };
}

/** A question and what is supposed side by side; and the control blocks of older loops. */
function fromOlderForms(value: object): object {
  const given = value as Record<string, unknown>;
  const { kind, promise, question: asked, supposition, exit_signal } = given;
  const supposed = given["best_supposition"] ?? supposition;
  if (typeof asked === "string" && typeof supposed === "string")
    return { status: "question", ...value, question: { text: asked, best_supposition: supposed } };
  if ("status" in value) return value;
  if (kind === "question") return { ...value, status: "question" };
  if (typeof promise === "string") return { ...value, status: promise };
  return exit_signal === true ? { ...value, status: "done" } : value;
}

const isMet = z.union([z.boolean(), choice({ true: "true", false: "false" }).transform((given) => given === "true")]);
const verification = choice<Verification>({
  ...Object.fromEntries(verifications.map((each) => [each.replace(" ", "-"), each])),
  execution: "execution output",
  review: "code review",
});
const evidence = z.union([
  text.transform((note): Evidence => ({ note })),
  z
    .object({ command: optional, file: optional, line: z.int().min(1).nullish().catch(null), note: optional })
    .transform(({ command, file, line, note }): Evidence => {
      if (command !== null) return { command };
      return file === null ? { note: note ?? "" } : { file, line: line ?? null };
    }),
]);
const criterion = z.object({
  criterion: text,
  met: isMet,
  verification: verification.nullish(),
  evidence: list(evidence),
});
const verdict = z.object({
  verdict: choice({ pass: "pass", passed: "pass", fail: "fail", failed: "fail" }),
  summary: optional,
  root_cause: optional,
  criteria: list(criterion),
});
const failedVerdict = z.object({
  verdict: verdict.shape.verdict,
  summary: optional.catch(null),
  root_cause: optional.catch(null),
});

function readVerdict(value: object): VerdictReply | ReplyProblem {
  const parsed = verdict.safeParse(value);
  if (!parsed.success) return readBareFailure(value) ?? problemOf(parsed.error);
  const { data } = parsed;
  // A fail counts without reasons; a pass needs all of them.
  const unproved = data.criteria.find((each) => !each.verification);
  if (data.verdict === "pass" && data.criteria.length === 0)
    return { problem: "criteria is missing: a pass must name each one." };
  if (data.verdict === "pass" && unproved !== undefined) {
    return {
      problem: `verification is missing for the criterion ${JSON.stringify(unproved.criterion.slice(0, 100))}.`,
    };
  }
  const criteria = data.criteria.map((each) => ({
    ...each,
    verification: each.verification ?? ("assumption" as const),
  }));
  const unmet = criteria.filter((each) => !each.met);
  const contradicts = data.verdict === "pass" && unmet.length > 0;
  return {
    kind: "verdict",
    verdict: contradicts ? "fail" : data.verdict,
    summary: data.summary ?? "",
    rootCause:
      data.root_cause ??
      (contradicts
        ? `not met: ${unmet
            .map((each) => each.criterion)
            .join("; ")
            .slice(0, 1000)}`
        : null),
    criteria,
  };
}

/** A fail counts even if the rest is invalid; asking again would only be a second chance to pass. */
function readBareFailure(value: object): VerdictReply | null {
  const parsed = failedVerdict.safeParse(value);
  if (!parsed.success || parsed.data.verdict !== "fail") return null;
  const { summary, root_cause: rootCause } = parsed.data;
  return { kind: "verdict", verdict: "fail", summary: summary ?? "", rootCause, criteria: [] };
}

const audit = z.object({
  status: choice({
    passed: "passed",
    pass: "passed",
    "needs-followup": "needs-followup",
    "needs-follow-up": "needs-followup",
  }),
  summary: optional,
  gaps: findingsOf,
  revised_request: optional,
});

function readAudit(value: object): AuditReply | ReplyProblem {
  const parsed = audit.safeParse(value);
  if (!parsed.success) return problemOf(parsed.error);
  const { status, summary, revised_request: revisedRequest } = parsed.data;
  const gaps = parsed.data.gaps.map((each, at) => ({ ...each, id: each.id ?? `G${at + 1}` }));
  const blocks = gaps.some(({ severity }) => severity === "blocking");
  return { kind: "audit", status: blocks ? "needs-followup" : status, summary: summary ?? "", gaps, revisedRequest };
}

const readers: { [Kind in ReplyKind]: (value: object) => ReplyOf[Kind] | ReplyProblem } = {
  producer: readProducer,
  verdict: readVerdict,
  audit: readAudit,
};
