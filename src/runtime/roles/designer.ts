// Designs a feature before it is built, if it has more than a few criteria. The design is a file of the run.
import { parseReply } from "../../formats/reply/reply.ts";
import { replySchema } from "../../formats/reply/reply-schema.ts";
import type { RunFiles } from "../ports.ts";
import { type FeatureTask, forFeature } from "./role.ts";
import { decisions, madeOf, theRequest, workRule } from "./shared.ts";
import { numbered, quoted, sections } from "./text.ts";
import { writtenAbout } from "./written.ts";

const charactersMax = 20_000;
const place = (feature: string): string => `artifacts/implement/phases/${feature}/design.md`;

export const designer = forFeature({
  mayWrite: false,
  replySchema: replySchema("design"),
  prompt: async ({ run, feature, ports }: FeatureTask) =>
    sections(
      "You design one feature that somebody else will build. You are in a clean checkout of the project: look at it, change nothing.",
      theRequest(run),
      `Feature ${feature.id}: ${feature.name}`,
      quoted("Description:", feature.description, 1500),
      `Acceptance criteria:\n${numbered("C", feature.criteria)}`,
      workRule(run.contract, feature.id),
      writtenAbout(ports.disk, run.contract.recordsDir),
      decisions(run),
      `Reply with JSON: {"status": "done" | "blocked" | "question", "summary": "…", "design": "…", "question": {"text": "…", "best_supposition": "…"}}.
The design says, in Markdown and on a page at most: what changes where, in what order, which test fails first for each criterion, and what to watch out for.`,
    ),
  read(reply, { feature, ports }) {
    const text = designOf(reply);
    if (text !== null) ports.files.write(place(feature.id), text);
    return madeOf(parseReply("producer", reply));
  },
});

function designOf(reply: unknown): string | null {
  if (typeof reply !== "object" || reply === null || !("design" in reply)) return null;
  return typeof reply.design === "string" && reply.design.trim() !== "" ? reply.design.slice(0, charactersMax) : null;
}

/** For the builder; null: there is no design. */
export const designFor = (feature: string, files: RunFiles): string | null => {
  const text = files.read(place(feature));
  return text === null ? null : quoted("A design for it, by somebody who looked at the project first:", text, 4000);
};
