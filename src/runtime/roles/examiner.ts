// Writes tests from the contract alone, before anything is built. They are kept in the vault; the builder never sees
// them.
import { parseExam } from "../../formats/reply/reply-exam.ts";
import { replySchema } from "../../formats/reply/reply-schema.ts";
import { hiddenPlace } from "../../proof/prover.ts";
import { type FeatureTask, forFeature } from "./role.ts";
import { decisions, theRequest } from "./shared.ts";
import { numbered, quoted, sections } from "./text.ts";

export const examiner = forFeature({
  mayWrite: false,
  replySchema: replySchema("exam"),
  prompt: async ({ run, feature }: FeatureTask) =>
    sections(
      "You write tests for one feature that nobody has built yet. You are in a clean checkout of the project as it is: look at how it is tested, and change nothing. Whoever builds the feature will not see your tests.",
      theRequest(run),
      `Feature ${feature.id}: ${feature.name}`,
      quoted("Description:", feature.description, 1500),
      `Acceptance criteria:\n${numbered("C", feature.criteria)}`,
      [
        "Rules:",
        "- Test only what the criteria say, by names and places that they or the description give. What they leave open is the builder's to decide: do not test it.",
        "- Use inputs that a builder would not think of: other numbers, limits, empty and odd values.",
        "- Write new files only, where the project's own tests are, in the way that they are written.",
        ...run.contract.checks.map((check) => `- \`${check.run}\` has to find them.`),
      ].join("\n"),
      decisions(run),
      'Reply with JSON: {"summary": "…", "tests": [{"path": "…", "content": "…"}]}. No tests, if the criteria name nothing that a test could call.',
    ),
  read(reply, { feature, ports }) {
    const parsed = parseExam(reply);
    if ("problem" in parsed) return parsed;
    ports.files.write(hiddenPlace(feature.id), JSON.stringify(parsed.tests));
    return { kind: "examined", tests: parsed.tests.length };
  },
});
