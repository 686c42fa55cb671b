// The checker: another session, which sees the request, the change and the evidence, but never the maker's words.

import type { JudgedCriterion } from "../../core/event.ts";
import type { TreeId } from "../../core/ids.ts";
import { coverCriteria } from "../../formats/reply/criteria-cover.ts";
import { type CriterionVerdict, parseReply } from "../../formats/reply/reply.ts";
import { replySchema } from "../../formats/reply/reply-schema.ts";
import { untestable } from "../../proof/rules/must-not.ts";
import { withoutOurs } from "../held-diff.ts";
import { provedText, readProved } from "../proof-record.ts";
import { notWork } from "../records/paths.ts";
import { type Lookup, lookUp } from "./found-again.ts";
import { type FeatureTask, forFeature, type ReadReply, type RoleSpec } from "./role.ts";
import { theRequest } from "./shared.ts";
import { numbered, quoted, sections } from "./text.ts";

const diffBytesMax = 400_000;

export const evaluator = judgeOf("You judge work that somebody else did.");
/** The same questions, once another session has written tests. */
export const testVerifier = judgeOf(
  "You judge work that somebody else did, and the tests that a third wrote for it: would they fail if it were wrong?",
);

function judgeOf(opening: string): RoleSpec {
  return forFeature({
    mayWrite: false,
    replySchema: replySchema("verdict"),
    prompt: async (task: FeatureTask) => {
      const { run, work, feature, candidate, ports } = task;
      const tree = candidate?.tree ?? work.base.tree;
      // The change as the commit will show it: against the last commit, not the folder, which also contains the loop's
      // own records.
      const before = run.head?.commit === work.base.head ? (run.head?.tree ?? work.base.tree) : work.base.tree;
      const ours = notWork(run.contract.recordsDir);
      const diff = withoutOurs(await ports.workspace.diff(before, tree, diffBytesMax), ours);
      const diffFile = `diffs/${work.feature}-i${work.iteration}.diff`;
      ports.files.write(diffFile, diff, "derived");
      return sections(
        `${opening} You are in a clean checkout of it. Change nothing; run what you need to see.`,
        theRequest(run),
        `Feature ${feature.id}: ${feature.name}`,
        quoted("Description:", feature.description, 1500),
        `Acceptance criteria:\n${numbered("C", criteriaOf(task))}`,
        quoted(`The change, as data (whole: ${ports.files.path(diffFile)}):`, diff, 3000),
        quoted(
          "What the loop itself saw when it ran the checks:",
          provedText(ports.files, candidate?.proof ?? ""),
          2000,
        ),
        await rewrittenTests(task),
        `Reply with JSON: {"verdict": "pass" | "fail", "summary": "…", "root_cause": "…", "criteria": [{"criterion": "C1", "met": true, "verification": "execution output" | "observation" | "measurement" | "code review" | "assumption", "evidence": [{"command": "…"}, {"file": "…", "line": 1}]}]}.
Judge every criterion. One that says how it has to be verified counts only when it is shown in exactly that way. What you did not see yourself is an assumption, and an assumption does not count as met.
Evidence is looked up: a file with a line of this checkout, or the command of a check (${run.contract.checks.map((check) => `\`${check.run}\``).join(", ")}). What cannot be found again counts as code review; what turns out false voids the verdict.`,
      );
    },
    async read(reply, task): Promise<ReadReply> {
      const parsed = parseReply("verdict", reply);
      if ("problem" in parsed) return parsed;
      const { feature } = task;
      const cover = coverCriteria(criteriaOf(task), parsed.criteria);
      const answers = cover.map(({ answer }) => answer);
      const pass = parsed.verdict === "pass";
      const checked = await Promise.all(answers.map((answer) => lookedUp(answer, lookupOf(task))));
      // False evidence matters only for a pass; a fail counts regardless.
      const untrue = checked.flatMap(({ untrue: texts }) => texts);
      if (pass && untrue.length > 0) return { problem: `The verdict cites false evidence: ${untrue.join("; ")}` };
      // What a verifier leaves out is no fault of the work, so it is asked again.
      const silent = cover.filter(({ answer }) => answer === null).map(({ asked }) => asked);
      if (pass && silent.length > 0) return { problem: `The verdict says nothing of: ${silent.join("; ")}` };
      const mustNots = untestable(task.run.contract.scope.mustNot);
      const broken = mustNots.filter((_, at) => answers[feature.criteria.length + at]?.met === false);
      const criteria = checked
        .slice(0, feature.criteria.length)
        .map(({ judged }, criterion): JudgedCriterion => ({ criterion, ...judged }));
      return {
        kind: "judged",
        pass,
        rootCause: (parsed.rootCause ?? "").slice(0, 500),
        summary: parsed.summary.slice(0, 2000),
        criteria,
        ...(broken.length === 0 ? {} : { broken }),
      };
    },
  });
}

/** The feature's criteria, followed by the must-nots that no rule can test. */
const criteriaOf = ({ feature, run }: FeatureTask): string[] => [
  ...feature.criteria,
  ...untestable(run.contract.scope.mustNot).map((text) => `This must not be so: ${text} (met: it is not so)`),
];

const filesShown = 5;
const fileCharactersMax = 2500;

/** Protected tests that the change rewrote, old and new: the evaluator judges whether the feature needs that. */
async function rewrittenTests({ candidate, work, ports }: FeatureTask): Promise<string | null> {
  const found = candidate?.contradiction;
  if (candidate === null || found === undefined) return null;
  const read = async (tree: TreeId, path: string): Promise<string> =>
    (await ports.workspace.read(tree, path))?.toString("utf8") ?? "(no such file)";
  const files = await Promise.all(
    found.files
      .slice(0, filesShown)
      .map(async (path) =>
        [
          quoted(`${path}, before:`, await read(work.base.tree, path), fileCharactersMax),
          quoted(`${path}, now:`, await read(candidate.tree, path), fileCharactersMax),
        ].join("\n"),
      ),
  );
  return [
    `The change rewrote tests that were there before: ${found.tests.join(", ")}. With the old tests it is red; nothing else is against it.`,
    "Pass only if the request or the criteria ask for exactly this change of behaviour, and the new tests check no less than the old ones did. Otherwise fail, and name the test.",
    ...files,
  ].join("\n");
}

const evidenceMax = 5;

type LookedUp = { readonly judged: Omit<JudgedCriterion, "criterion">; readonly untrue: readonly string[] };

/** A claimed observation with no evidence that can be found counts only as a code review. */
async function lookedUp(answer: CriterionVerdict | null, lookup: Lookup | null): Promise<LookedUp> {
  if (answer === null) return { judged: { met: false, verification: "assumption" }, untrue: [] };
  const { met, verification } = answer;
  if (lookup === null || !met) return { judged: { met, verification }, untrue: [] };
  const looked = await Promise.all(answer.evidence.slice(0, evidenceMax).map((evidence) => lookUp(evidence, lookup)));
  const isSeen = looked.some(({ is }) => is === "found");
  const claims = verification !== "assumption" && verification !== "code review";
  return {
    judged: {
      met,
      verification: claims && !isSeen ? "code review" : verification,
      evidence: looked.map(({ text }) => text),
    },
    untrue: looked.filter(({ is }) => is === "false").map(({ text }) => text),
  };
}

function lookupOf({ run, work, candidate, ports, cwd }: FeatureTask): Lookup | null {
  if (candidate === null) return null;
  return {
    workspace: ports.workspace,
    candidate: candidate.tree,
    base: work.base.tree,
    checks: run.contract.checks,
    seen: readProved(ports.files, candidate.proof).checks,
    folders: [cwd, ports.workspace.root],
  };
}
