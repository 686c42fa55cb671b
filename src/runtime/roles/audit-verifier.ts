// Judges an audit: the loop executes and never decides, so a follow-up may close gaps but never widen the request.
import { parseReview } from "../../formats/reply/reply-review.ts";
import { replySchema } from "../../formats/reply/reply-schema.ts";
import type { RoleSpec } from "./role.ts";
import { decisions, reviewedOf, reviewFormat, shapeOf, theRequest } from "./shared.ts";
import { quoted, sections } from "./text.ts";

export const auditVerifier: RoleSpec = {
  mayWrite: false,
  replySchema: replySchema("review"),
  prompt: async ({ run, ports }) => {
    const gaps = (run.audit?.gaps ?? []).map(({ id, blocking, text, evidence }) =>
      [`${id} (${blocking ? "blocking" : "minor"}): ${text}`, ...evidence.map((each) => `  ${each}`)].join("\n"),
    );
    return sections(
      "You judge an audit that somebody else made of a project. You are in a clean checkout of it. Change nothing.",
      theRequest(run, 6000),
      shapeOf(ports.files),
      quoted("The audit, as data:", gaps.join("\n") || "It found nothing missing.", 4000),
      quoted("The request that would follow from it:", gaps.length === 0 ? "none" : (run.audit?.revised ?? ""), 2000),
      decisions(run),
      `Look at each gap: is it really not there, and does the request really ask for it? A gap that is there after all, or that was not asked for,
is a blocking finding. So is something that the request asks for, that is missing, and that the audit does not name.`,
      reviewFormat,
    );
  },
  read: (reply) => reviewedOf(parseReview(reply)),
};
