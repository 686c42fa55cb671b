// The maker: builds one feature.

import type { Cause } from "../../core/cause.ts";
import type { Feature } from "../../core/contract.ts";
import { type ErrorClass, errorClassOf } from "../../core/recovery.ts";
import type { Run, Work } from "../../core/run.ts";
import { progressOf } from "../../core/select.ts";
import { parseReply } from "../../formats/reply/reply.ts";
import { replySchema } from "../../formats/reply/reply-schema.ts";
import { causeText } from "../../report/words/cause-words.ts";
import { heldDiff } from "../held-diff.ts";
import { memoryFor } from "../memory.ts";
import type { RunFiles } from "../ports.ts";
import { designFor } from "./designer.ts";
import { handoffFor } from "./handoff.ts";
import { type FeatureTask, forFeature } from "./role.ts";
import { decisions, madeOf, theRequest, workRule } from "./shared.ts";
import { numbered, quoted, sections } from "./text.ts";
import { writtenAbout } from "./written.ts";

const replyForm = `Reply with JSON: {"status": "done" | "blocked" | "question" | "needs-permission", "summary": "…", "question": {"text": "…", "best_supposition": "…"}, "tests": ["file" or "file > test name"], "reason": "…", "learned": ["what the next one should know of this repository"]}.
Say "done" only when the checks pass. Nothing you say is taken as evidence: the checks are run again on what you leave behind.`;

export const builder = forFeature({
  mayWrite: true,
  replySchema: replySchema("producer"),
  prompt: async ({ run, work, feature, ports }: FeatureTask) =>
    sections(
      `You are the builder of one feature in the repository at ${ports.workspace.root}. Work on this feature only.`,
      theRequest(run),
      `Feature ${feature.id}: ${feature.name}`,
      quoted("Description:", feature.description, 1500),
      `Acceptance criteria, each of which another agent will judge on the result:\n${numbered("C", feature.criteria)}`,
      workRule(run.contract, feature.id),
      writtenAbout(ports.disk, run.contract.recordsDir),
      designFor(feature.id, ports.files),
      rules(run, feature),
      lastTry(run, work),
      heldBefore(feature.id, ports.files),
      handoffFor(work, ports.files),
      decisions(run),
      memoryFor(ports.files),
      replyForm,
    ),
  again: ({ run, work, feature }: FeatureTask) =>
    progressOf(run, work.feature).builtBy?.isCut === true
      ? sections(
          `A usage limit stopped you in the middle of feature ${feature.id}; it is over. What you had done is still there: resume where you were.`,
          replyForm,
        )
      : sections(
          `Your work on feature ${feature.id} was judged, and does not count yet. It is still there: go on from it. The criteria and the rules are those you know.`,
          lastTry(run, work),
          decisions(run),
          replyForm,
        ),
  read: (reply) => madeOf(parseReply("producer", reply)),
});

function rules({ contract }: Run, { mayTouch, mayChange }: Feature): string {
  const allowed = [...new Set([...contract.scope.mayTouch, ...mayTouch])];
  const checks = contract.checks.map(
    (check) => `\`${check.run}\` must ${check.must === "stay-green" ? "stay green" : "be green in the end"}`,
  );
  return [
    "Rules:",
    "- Write a test that fails first, then the code that makes it pass. Your tests are also run over the code as it was, and must fail there.",
    "- Existing tests and configuration are protected: the old ones decide over your code, whatever you make of them.",
    '- If the feature cannot be done without changing one, do not change it: reply {"status": "needs-permission", "tests": ["file > test name"], "reason": "…"}. A person decides.',
    ...(mayChange.length > 0 ? [`- These you may change: ${mayChange.join(", ")}.`] : []),
    ...checks.map((check) => `- ${check}.`),
    ...(allowed.length > 0 ? [`- Change only files under: ${allowed.join(", ")} (and add tests).`] : []),
    ...contract.scope.mustNot.map((rule) => `- Must not: ${rule}.`),
    "- Do not commit, push, switch branches, rewrite history, or edit loop.yaml or the loop's records; the loop commits.",
  ].join("\n");
}

/** Held work is no longer in the tree, but its approach may still be useful. */
function heldBefore(feature: string, files: RunFiles): string | null {
  const diff = files.read(heldDiff(feature));
  if (diff === null) return null;
  return quoted(
    `Earlier work on this feature is not in the folder. It was this (whole: ${files.path(heldDiff(feature))}):`,
    diff,
    3000,
  );
}

/** The reason and the evidence of the last failure, not its history. */
function lastTry(run: Run, work: Work): string | null {
  const { lastCause } = progressOf(run, work.feature);
  if (lastCause === null) return null;
  return quoted(
    `${aboutLastTry(work, lastCause)} ${adviceFor[errorClassOf(lastCause)]} The reason:`,
    causeText(lastCause),
    3000,
  );
}

function aboutLastTry(work: Work, { kind, key }: Cause): string {
  if (kind === "permission" && key === "permission:given") return "You asked to change protected tests.";
  const before = "The previous attempt failed.";
  if (kind === "unproved") return `${before} Its changes are still there. Keep them, and add what is missing.`;
  return work.attempt > 2
    ? `${before} Take a different approach this time.`
    : `${before} Its changes are still there unless they were rolled back. Do not do the same again.`;
}

/** Only advice: the class of an error is a guess. */
const adviceFor: Readonly<Record<ErrorClass, string>> = {
  transient: "The session broke off. Look at what is there, and go on from it.",
  resource: "It took too much time, memory or space. Work in smaller steps, and run only what is needed.",
  syntax: "Something does not parse. Correct that first, before anything else is judged.",
  logic: "It runs, and does the wrong thing. Find the root cause before you change anything.",
  environment: "Something that it needs is not there. Use what the project has; do not install or fake it.",
  unproved: "What counts is what the checks can show.",
  unrecoverable:
    "That attempt was thrown away. Do not repeat it; if the feature needs a protected test to change, ask for permission.",
};
