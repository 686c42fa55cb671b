// phase_plan.yaml: phases with an objective, a scope, exclusions, and numbered acceptance criteria.
import type { Draft, DraftFeature } from "./draft.ts";
import { described, type Fields, fieldsIn, isFields, statusOf, textAt, textsAt, without } from "./fields.ts";

const placed = [
  "phase_id",
  "title",
  "objective",
  "status",
  "acceptance_criteria",
  "dependencies",
  "in_scope",
  "out_of_scope",
  "deliverables",
  "risks",
  "rollback",
];

export function readPhasePlan(value: unknown): Draft {
  const about = isFields(value) ? value : {};
  return {
    goal: textAt(about, "objective", "goal", "request") || null,
    features: fieldsIn(about["phases"]).map(onePhase),
    extra: without(about, ["phases", "version", "objective", "goal", "request"]),
    warnings: [],
  };
}

function onePhase(fields: Fields): DraftFeature {
  return {
    id: textAt(fields, "phase_id", "id") || null,
    name: textAt(fields, "title", "phase_id"),
    description: described(
      textAt(fields, "objective"),
      ["In scope", textsAt(fields, "in_scope")],
      ["Out of scope", textsAt(fields, "out_of_scope")],
      ["Deliverables", textsAt(fields, "deliverables")],
      ["Risks", textsAt(fields, "risks")],
      ["Rollback", textsAt(fields, "rollback")],
    ),
    criteria: textsAt(fields, "acceptance_criteria"),
    dependencies: textsAt(fields, "dependencies"),
    priority: null,
    status: statusOf(fields["status"]),
    extra: without(fields, placed),
  };
}
