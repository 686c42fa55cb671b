// The tester: a session other than the builder writes tests for what the builder may have missed.
import { parseReply } from "../../formats/reply/reply.ts";
import { replySchema } from "../../formats/reply/reply-schema.ts";
import { type FeatureTask, forFeature } from "./role.ts";
import { decisions, madeOf, theRequest } from "./shared.ts";
import { numbered, quoted, sections } from "./text.ts";

export const tester = forFeature({
  mayWrite: true,
  replySchema: replySchema("producer"),
  prompt: async ({ run, feature, ports }: FeatureTask) =>
    sections(
      `You write tests for one feature that somebody else has just built in the repository at ${ports.workspace.root}. Its changes are there and not committed.`,
      theRequest(run),
      `Feature ${feature.id}: ${feature.name}`,
      quoted("Description:", feature.description, 1500),
      `Acceptance criteria:\n${numbered("C", feature.criteria)}`,
      [
        "Rules:",
        "- Write tests for what is likely to be wrong: limits, empty and odd input, errors, each criterion. Change tests only, not the code under test.",
        "- Each test can fail: try it against code that is broken on purpose, and put the code back.",
        ...run.contract.checks.map(
          (check) => `- \`${check.run}\` must be green with your tests, unless you found a real fault.`,
        ),
        "- Do not commit, push, switch branches, rewrite history, or edit loop.yaml or the loop's records; the loop commits.",
      ].join("\n"),
      decisions(run),
      `Reply with JSON: {"status": "done" | "blocked" | "question", "summary": "…", "question": {"text": "…", "best_supposition": "…"}}.
A fault in the code is "blocked", with how to see it in the summary: the builder will be told.`,
    ),
  read: (reply) => madeOf(parseReply("producer", reply)),
});
