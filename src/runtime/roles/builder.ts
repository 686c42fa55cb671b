// The maker: builds one feature.

import { adviceFor, errorClassOf } from "../../core/recovery.ts";
import type { Run, Work } from "../../core/run.ts";
import { progressOf } from "../../core/select.ts";
import { parseReply } from "../../formats/reply.ts";
import { replySchema } from "../../formats/reply-schema.ts";
import { memoryFor } from "../memory.ts";
import { designFor } from "./designer.ts";
import { handoffFor } from "./handoff.ts";
import { type FeatureTask, forFeature } from "./role.ts";
import { decisions, madeOf, theRequest, workRule } from "./shared.ts";
import { numbered, quoted, sections } from "./text.ts";

const replyForm = `Reply with JSON: {"status": "done" | "blocked" | "question", "summary": "…", "question": {"text": "…", "best_supposition": "…"}, "learned": ["what the next one should know of this repository"]}.
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
      workRule(run.contract),
      designFor(feature.id, ports.files),
      rules(run, feature.mayTouch),
      lastTry(run, work),
      handoffFor(work, ports.files),
      decisions(run),
      memoryFor(ports.files),
      replyForm,
    ),
  again: ({ run, work, feature }: FeatureTask) =>
    sections(
      `Your work on feature ${feature.id} was judged, and does not count yet. It is still there: go on from it. The criteria and the rules are those you know.`,
      lastTry(run, work),
      decisions(run),
      replyForm,
    ),
  read: (reply) => madeOf(parseReply("producer", reply)),
});

function rules({ contract }: Run, mayTouch: readonly string[]): string {
  const allowed = [...new Set([...contract.scope.mayTouch, ...mayTouch])];
  const checks = contract.checks.map(
    (check) => `\`${check.run}\` must ${check.must === "stay-green" ? "stay green" : "be green in the end"}`,
  );
  return [
    "Rules:",
    "- Write a test that fails first, then the code that makes it pass. Your tests are also run over the code as it was, and must fail there. Existing ones are sealed.",
    ...checks.map((check) => `- ${check}.`),
    ...(allowed.length > 0 ? [`- Change only files under: ${allowed.join(", ")} (and add tests).`] : []),
    ...contract.scope.mustNot.map((rule) => `- Must not: ${rule}.`),
    "- Do not commit, push, switch branches, rewrite history, or edit loop.yaml or the loop's records; the loop commits.",
  ].join("\n");
}

/** The reason and the evidence of the last failure, not its history. */
function lastTry(run: Run, work: Work): string | null {
  const { lastCause } = progressOf(run, work.feature);
  if (lastCause === null) return null;
  const how =
    work.attempt > 2
      ? "Take a different approach this time."
      : "Its changes are still there unless they were rolled back. Do not do the same again.";
  return `${quoted(`The attempt before this one did not count. ${how} ${adviceFor[errorClassOf(lastCause)]} The reason:`, lastCause.text, 3000)}`;
}
