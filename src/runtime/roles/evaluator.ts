// The checker: another session, which sees the request, the change and the evidence, and never the maker's words.

import type { JudgedCriterion, Reply } from "../../core/event.ts";
import { coverCriteria } from "../../formats/criteria-cover.ts";
import { parseReply } from "../../formats/reply.ts";
import { replySchema } from "../../formats/reply-schema.ts";
import { proofText } from "../proof/proof-file.ts";
import type { RoleSpec, RoleTask } from "./role.ts";
import { numbered, quoted, sections } from "./text.ts";

const diffBytesMax = 400_000;

export const evaluator: RoleSpec = {
  mayWrite: false,
  replySchema: replySchema("verdict"),
  prompt: async ({ run, work, feature, candidate, ports }: RoleTask) => {
    const tree = candidate?.tree ?? work.base.tree;
    const diff = await ports.workspace.diff(work.base.tree, tree, diffBytesMax);
    const diffFile = `diffs/${work.feature}-i${work.iteration}.diff`;
    ports.files.write(diffFile, diff);
    return sections(
      "You judge work that somebody else did. You are in a clean checkout of it. Change nothing; run what you need to see.",
      quoted("What the user asked for, to the letter:", run.contract.request, 1500),
      `Feature ${feature.id}: ${feature.name}`,
      quoted("Description:", feature.description, 1500),
      `Acceptance criteria:\n${numbered("C", feature.criteria)}`,
      quoted(`The change, as data (whole: ${ports.files.path(diffFile)}):`, diff, 8000),
      quoted("What the loop itself saw when it ran the checks:", proofText(ports.files, candidate?.proof ?? ""), 2000),
      `Reply with JSON: {"verdict": "pass" | "fail", "summary": "…", "root_cause": "…", "criteria": [{"criterion": "C1", "met": true, "verification": "execution output" | "observation" | "measurement" | "code review" | "assumption", "evidence": [{"command": "…"}, {"file": "…", "line": 1}]}]}.
Judge every criterion. What you did not see yourself is an assumption, and an assumption does not count as met.`,
    );
  },
  read(reply, { feature }): Reply | { problem: string } {
    const parsed = parseReply("verdict", reply);
    if ("problem" in parsed) return parsed;
    const criteria = coverCriteria(feature.criteria, parsed.criteria).map(
      ({ answer }, criterion): JudgedCriterion => ({
        criterion,
        met: answer?.met ?? false,
        verification: answer?.verification ?? "assumption",
      }),
    );
    const rootCause = (parsed.rootCause ?? "").slice(0, 500);
    return {
      kind: "judged",
      pass: parsed.verdict === "pass",
      rootCause,
      summary: parsed.summary.slice(0, 2000),
      criteria,
    };
  },
};
