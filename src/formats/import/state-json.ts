// .loop/state.json of the loop plugin: one specification with criteria and steps, or tasks of a PRD with their own.
import { UserError } from "../../core/errors.ts";
import type { Draft, DraftFeature } from "./draft.ts";
import { nameOf } from "./feature-list.ts";
import { described, type Fields, isFields, statusOf, textAt, textsAt, without } from "./fields.ts";

const placed = ["spec", "criteria", "criteriaStatus", "steps", "completedSteps", "remainingSteps", "tasks", "status"];

export function readStateJson(json: unknown): Draft {
  const about = isFields(json) ? json : {};
  if (about["version"] === 1 && typeof about["phase"] === "string") throw ownState();
  const spec = textAt(about, "spec");
  const tasks = isFields(about["tasks"]) ? Object.entries(about["tasks"]) : [];
  const features = tasks.flatMap(([id, task]) => (isFields(task) ? [taskFeature(id, task)] : []));
  return {
    goal: spec || null,
    features: features.length > 0 ? features : spec === "" ? [] : [wholeFeature(spec, about)],
    extra: without(about, placed),
    warnings: [],
  };
}

function taskFeature(id: string, task: Fields): DraftFeature {
  const criteria = isFields(task["criteria"]) ? Object.keys(task["criteria"]) : textsAt(task, "criteria");
  return {
    id,
    name: textAt(task, "title", "name") || id,
    description: textAt(task, "description"),
    criteria,
    dependencies: textsAt(task, "blockedBy", "dependencies"),
    priority: null,
    status: statusOf(task["status"]),
    extra: without(task, ["title", "name", "description", "criteria", "blockedBy", "dependencies", "status"]),
  };
}

/** Its criteria apply to the whole, not to a step, so the whole is one feature. */
function wholeFeature(spec: string, about: Fields): DraftFeature {
  const met = isFields(about["criteriaStatus"]) ? about["criteriaStatus"] : {};
  const criteria = [...new Set([...textsAt(about, "criteria"), ...Object.keys(met)])];
  return {
    id: null,
    name: nameOf(spec),
    description: described(
      spec,
      ["Steps", textsAt(about, "steps")],
      ["Steps that were called done", textsAt(about, "completedSteps")],
    ),
    criteria,
    dependencies: [],
    priority: null,
    status: statusOf(about["status"]),
    extra: {},
  };
}

function ownState(): UserError {
  return new UserError("nothing-to-import", {
    what: "Nothing was imported.",
    why: "This state.json was written by Loopwright itself, from the features that are in docs/FEATURES.json.",
    next: "Import the FEATURES.json instead.",
  });
}
