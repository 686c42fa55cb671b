// Argues against work that would take hours to undo, before anything is built.
import { unfinished } from "../../core/select.ts";
import { parseReview } from "../../formats/reply/reply-review.ts";
import { replySchema } from "../../formats/reply/reply-schema.ts";
import { featureText } from "./plan-verifier.ts";
import type { RoleSpec } from "./role.ts";
import { decisions, reviewedOf, reviewFormat, theRequest } from "./shared.ts";
import { quoted, sections } from "./text.ts";

export const skeptic: RoleSpec = {
  mayWrite: false,
  replySchema: replySchema("review"),
  prompt: async ({ run }) => {
    const open = new Set(unfinished(run));
    const features = run.contract.features.filter(({ id }) => open.has(id));
    return sections(
      "Somebody is about to do work that could not be taken back in minutes: stored data, a public interface, or something of that kind. Argue against it. You are in a clean checkout of the project. Change nothing.",
      theRequest(run, 4000),
      quoted("What is to be built, as data:", features.map(featureText).join("\n\n"), 4000),
      decisions(run),
      `Ask: what is lost or broken if it is wrong? Who else relies on what it changes? Is there a way back, and is it part of the work? Is
there a smaller step that can be taken back? Blocking is what a person must decide before this begins.`,
      reviewFormat,
    );
  },
  read: (reply) => reviewedOf(parseReview(reply)),
};
