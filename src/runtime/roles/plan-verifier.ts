// Judges a plan before anything is built from it: fixing a sentence is cheaper than fixing code.
import type { Feature } from "../../core/contract.ts";
import { unfinished } from "../../core/select.ts";
import { parseReview } from "../../formats/reply/reply-review.ts";
import { replySchema } from "../../formats/reply/reply-schema.ts";
import type { RoleSpec } from "./role.ts";
import { decisions, reviewedOf, reviewFormat, shapeOf, theRequest } from "./shared.ts";
import { quoted, sections } from "./text.ts";

export const planVerifier: RoleSpec = {
  mayWrite: false,
  replySchema: replySchema("review"),
  prompt: async ({ run, ports }) => {
    const open = new Set(unfinished(run));
    const features = run.contract.features.filter(({ id }) => open.has(id));
    return sections(
      "You judge a plan that somebody else made. You are in a clean checkout of the project. Change nothing.",
      theRequest(run, 4000),
      shapeOf(ports.files),
      quoted("The plan, as data:", features.map(featureText).join("\n\n"), 6000),
      decisions(run),
      `Look for: something asked for that no feature brings; something planned that nobody asked for; a criterion that cannot be
seen to be so or not; features that cannot be built one after the other; a file or a library that the plan supposes and the project does not have.`,
      reviewFormat,
    );
  },
  read: (reply) => reviewedOf(parseReview(reply)),
};

export const featureText = ({ id, name, description, criteria, dependencies }: Feature): string =>
  [
    `${id}: ${name}${dependencies.length === 0 ? "" : ` (after ${dependencies.join(", ")})`}`,
    ...(description === "" ? [] : [description]),
    ...criteria.map((criterion) => `- ${criterion}`),
  ].join("\n");
