// The planner: turns a request into features that can be built, checked and committed one at a time.
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { appendFeatures, nextNumber } from "../../formats/queue/features-render.ts";
import { parsePlan } from "../../formats/reply/reply-plan.ts";
import { replySchema } from "../../formats/reply/reply-schema.ts";
import { featuresInScope } from "../inputs.ts";
import { memoryFor } from "../memory.ts";
import { featuresSource } from "../records/paths.ts";
import { agreedTerms } from "./planned-terms.ts";
import type { ReadReply, RoleSpec, RoleTask } from "./role.ts";
import { decisions, objections, questionOf, shapeOf, theRequest, workRule } from "./shared.ts";
import { sections } from "./text.ts";
import { writtenForPlan } from "./written.ts";

export const planner: RoleSpec = {
  mayWrite: false,
  replySchema: replySchema("plan"),
  prompt: async ({ run, pair, ports }) =>
    sections(
      "You plan work that others will do. You are in a clean checkout of the project: look at it, run what you need to see, change nothing.",
      theRequest(run, 4000),
      shapeOf(ports.files),
      workRule(run.contract),
      writtenForPlan(ports.disk, run.contract.recordsDir),
      rules(run.contract.checks.map((check) => check.run)),
      decisions(run),
      memoryFor(ports.files),
      objections(pair),
      `Reply with JSON: {"status": "done" | "blocked" | "question", "summary": "…", "features": [{"id": "F1", "name": "…", "description": "…", "acceptance_criteria": ["…"], "dependencies": ["F1"], "may_touch": ["src/**"], "kind": "change" | "keep" | "docs", "may_change": ["file > test name"]}], "question": {"text": "…", "best_supposition": "…"}}. Ask only when the request can be read in two ways that lead to different work.`,
    ),
  read: readPlan,
};

function rules(checks: readonly string[]): string {
  return [
    "Rules:",
    "- Each feature is one commit: it can be built, tested and judged without those after it.",
    "- As few features as that allows. Plan what was asked for, and nothing beside it.",
    "- Each acceptance criterion says what can be seen to be so or not: a command and its result, a value, a page.",
    "- Each feature brings a test that fails without it, unless it only rearranges code (kind keep) or changes documents (kind docs).",
    "- Existing tests are protected. Where a feature asks for behaviour that one contradicts, name it under may_change.",
    `- These checks must stay green: ${checks.map((check) => `\`${check}\``).join(", ") || "none"}.`,
  ].join("\n");
}

/** The new features come after those already in the queue; the run then works on the whole queue. */
function readPlan(reply: unknown, { run, ports }: RoleTask): ReadReply {
  const base = queueBefore(ports.files);
  const next = nextNumber(parseFeaturesJson(base, featuresSource));
  const parsed = parsePlan(reply, Math.max(next, (run.contract.highestUsed ?? 0) + 1));
  if ("problem" in parsed) return parsed;
  if (parsed.status === "question") return questionOf(parsed.question.text, parsed.question.bestSupposition ?? "");
  if (parsed.status === "blocked") return { kind: "made", status: "blocked", summary: parsed.summary.slice(0, 2000) };
  const { features, notes } = agreedTerms(parsed.features, run.contract);
  for (const note of notes) ports.note("plan", note);
  const text = appendFeatures(base, features);
  ports.files.write(featuresSource, text);
  return { kind: "planned", features: featuresInScope(parseFeaturesJson(text, featuresSource), run.contract.scope) };
}

/** A rejected plan leaves no trace in the next one. */
function queueBefore(files: RoleTask["ports"]["files"]): string {
  const kept = "artifacts/plan/queue-before.json";
  const known = files.read(kept);
  if (known !== null) return known;
  const text = files.read(featuresSource) ?? '{ "version": 1, "features": [] }\n';
  files.write(kept, text);
  return text;
}
