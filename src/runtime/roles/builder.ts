// The maker: writes the tests of one feature, then its code.

import type { Reply } from "../../core/event.ts";
import type { Run, Work } from "../../core/run.ts";
import { progressOf } from "../../core/select.ts";
import { parseReply } from "../../formats/reply.ts";
import { replySchema } from "../../formats/reply-schema.ts";
import { handoffFor } from "./handoff.ts";
import type { RoleSpec, RoleTask } from "./role.ts";
import { numbered, quoted, sections } from "./text.ts";

const replyForm = `Reply with JSON: {"status": "done" | "blocked" | "question", "summary": "…", "question": {"text": "…", "best_supposition": "…"}}.
Say "done" only when the checks pass. Nothing you say is taken as evidence: the checks are run again on what you leave behind.`;

export const builder: RoleSpec = {
  mayWrite: true,
  replySchema: replySchema("producer"),
  prompt: async ({ run, work, feature, ports }: RoleTask) =>
    sections(
      `You are the builder of one feature in the repository at ${ports.workspace.root}. Work on this feature only.`,
      quoted("What the user asked for, to the letter:", run.contract.request, 1500),
      `Feature ${feature.id}: ${feature.name}`,
      quoted("Description:", feature.description, 1500),
      `Acceptance criteria, each of which another agent will judge on the result:\n${numbered("C", feature.criteria)}`,
      rules(run, feature.mayTouch),
      lastTry(run, work),
      handoffFor(work, ports.files),
      decisions(run),
      replyForm,
    ),
  again: ({ run, work, feature }: RoleTask) =>
    sections(
      `Your work on feature ${feature.id} was judged, and does not count yet. It is still there: go on from it. The criteria and the rules are those you know.`,
      lastTry(run, work),
      decisions(run),
      replyForm,
    ),
  read(reply): Reply | { problem: string } {
    const parsed = parseReply("producer", reply);
    if ("problem" in parsed) return parsed;
    const summary = parsed.summary.slice(0, 2000);
    if (parsed.status !== "question") return { kind: "made", status: parsed.status, summary };
    const question = parsed.question?.text ?? parsed.summary;
    const supposition = parsed.question?.bestSupposition ?? "";
    return {
      kind: "made",
      status: "question",
      question: question.slice(0, 2000),
      supposition: supposition.slice(0, 2000),
    };
  },
};

function rules({ contract }: Run, mayTouch: readonly string[]): string {
  const allowed = [...new Set([...contract.scope.mayTouch, ...mayTouch])];
  const checks = contract.checks.map(
    (check) => `\`${check.run}\` must ${check.must === "stay-green" ? "stay green" : "be green in the end"}`,
  );
  return [
    "Rules:",
    "- Write a test that fails first, then the code that makes it pass. New tests are welcome; existing ones are sealed.",
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
      : "Its changes are still there unless they were rolled back.";
  return `${quoted(`Attempt ${work.attempt - 1} did not count. ${how} The reason:`, lastCause.text, 3000)}`;
}

function decisions(run: Run): string | null {
  const recent = run.decisions.slice(-5).map(({ question, answer }) => `- ${question} → ${answer}`);
  return recent.length === 0 ? null : quoted("Decided by the user:", recent.join("\n"), 1500);
}
