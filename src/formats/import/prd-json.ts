// prd.json: user stories with acceptance criteria, a priority and a flag `passes`, as used by loops around `claude -p`.

import { termsIn } from "../queue/feature-terms.ts";
import type { Draft, DraftFeature } from "./draft.ts";
import { type Fields, fieldsIn, isFields, priorityOf, statusOf, textAt, textsAt, without } from "./fields.ts";

const criteriaKeys = ["acceptanceCriteria", "acceptance", "acceptance_criteria", "criteria"];
const dependencyKeys = ["blockedBy", "dependsOn", "depends_on", "dependencies"];
const listKeys = ["userStories", "stories", "user_stories", "tasks"];
const placed = ["id", "title", "name", "description", "priority", "passes", "status"];

export function readPrdJson(json: unknown): Draft {
  const about = isFields(json) ? json : {};
  const stories = listKeys.map((key) => about[key]).find(Array.isArray);
  const goal = textAt(about, "goal", "description", "overview", "feature");
  return {
    goal: goal || null,
    features: fieldsIn(stories).map(oneStory),
    extra: without(about, [...listKeys, "goal", "description", "overview"]),
    warnings: [],
  };
}

function oneStory(fields: Fields): DraftFeature {
  const { terms, keys } = termsIn(fields);
  return {
    id: textAt(fields, "id") || null,
    name: textAt(fields, "title", "name") || textAt(fields, "id"),
    description: textAt(fields, "description"),
    criteria: textsAt(fields, ...criteriaKeys),
    dependencies: textsAt(fields, ...dependencyKeys),
    priority: priorityOf(fields["priority"]),
    status: statusOf(fields["passes"] ?? fields["status"]),
    ...terms,
    extra: without(fields, [...placed, ...criteriaKeys, ...dependencyKeys, ...keys]),
  };
}
