// feature_list.json: a list of things that should be true, with steps to verify each, and a flag `passes` set by
// agents.

import { termsIn } from "../queue/feature-terms.ts";
import { shortLine } from "../text/shortened.ts";
import type { Draft, DraftFeature } from "./draft.ts";
import { type Fields, fieldsIn, isFields, priorityOf, statusOf, textAt, textsAt, without } from "./fields.ts";

const criteriaKeys = ["acceptance_criteria", "acceptanceCriteria", "criteria", "steps", "test_steps", "acceptance"];
const dependencyKeys = ["dependencies", "depends_on", "dependsOn", "blockedBy"];
const placed = ["id", "name", "title", "description", "priority", "status", "passes", "completed"];
const nameMax = 100;

export function readFeatureList(json: unknown): Draft {
  const list = fieldsIn(Array.isArray(json) ? json : isFields(json) ? json["features"] : null);
  const about = isFields(json) ? json : {};
  return {
    goal: textAt(about, "goal", "description", "spec") || null,
    features: list.map(oneFeature),
    extra: without(about, ["features", "goal", "description", "spec", "version"]),
    warnings: [],
  };
}

function oneFeature(fields: Fields): DraftFeature {
  const { terms, keys } = termsIn(fields);
  const description = textAt(fields, "description");
  const name = textAt(fields, "name", "title");
  return {
    id: textAt(fields, "id") || null,
    name: name || nameOf(description),
    description: name === "" && description.length <= nameMax ? "" : description,
    criteria: textsAt(fields, ...criteriaKeys),
    dependencies: textsAt(fields, ...dependencyKeys),
    priority: priorityOf(fields["priority"]),
    status: statusOf(fields["passes"] ?? fields["completed"] ?? fields["status"]),
    ...terms,
    extra: without(fields, [...placed, ...criteriaKeys, ...dependencyKeys, ...keys]),
  };
}

/** The first line, cut at a word. */
export function nameOf(text: string): string {
  return shortLine(text.split("\n")[0] ?? "", nameMax);
}
