// tasks.json: numbered tasks with details, a test strategy and subtasks; newer files keep one such list per tag.
import type { Draft, DraftFeature } from "./draft.ts";
import {
  described,
  type Fields,
  fieldsIn,
  isFields,
  priorityOf,
  statusOf,
  textAt,
  textsAt,
  without,
} from "./fields.ts";

const placed = [
  "id",
  "title",
  "description",
  "details",
  "testStrategy",
  "status",
  "priority",
  "dependencies",
  "subtasks",
  "acceptanceCriteria",
];

export function readTasksJson(json: unknown): Draft {
  const about = isFields(json) ? json : {};
  const { tag, tasks, others } = listOf(json, about);
  const all = fieldsIn(tasks);
  const dropped = all.filter(({ status }) => status === "cancelled" || status === "canceled");
  const gone = new Set(dropped.map((task) => textAt(task, "id")));
  return {
    goal: textAt(about, "goal", "description") || null,
    features: all
      .filter((task) => !dropped.includes(task))
      .map(oneTask)
      .map((task) => ({ ...task, dependencies: task.dependencies.filter((id) => !gone.has(id)) })),
    extra: {
      ...(tag === null ? without(about, ["tasks", "goal", "description"]) : {}),
      ...(dropped.length === 0 ? {} : { cancelled: dropped }),
    },
    warnings: [
      ...others.map((name) => `The tag ${JSON.stringify(name)} was left out: only ${JSON.stringify(tag)} came in.`),
      ...dropped.map((task) => `Task ${textAt(task, "id")} (${textAt(task, "title")}) is cancelled and was left out.`),
    ],
  };
}

function listOf(json: unknown, about: Fields): { tag: string | null; tasks: unknown; others: string[] } {
  if (Array.isArray(json)) return { tag: null, tasks: json, others: [] };
  if (Array.isArray(about["tasks"])) return { tag: null, tasks: about["tasks"], others: [] };
  const tags = Object.entries(about).filter(([, value]) => isFields(value) && Array.isArray(value["tasks"]));
  const [tag, value] = tags.find(([name]) => name === "master") ?? tags[0] ?? [null, null];
  return {
    tag,
    tasks: isFields(value) ? value["tasks"] : null,
    others: tags.map(([name]) => name).filter((name) => name !== tag),
  };
}

/** Subtasks are steps of one feature, done in one commit, so each becomes a criterion. */
function oneTask(fields: Fields): DraftFeature {
  const subtasks = fieldsIn(fields["subtasks"]);
  const test = textAt(fields, "testStrategy");
  const own = textsAt(fields, "acceptanceCriteria");
  const steps = subtasks.map((task) => textAt(task, "title", "description")).filter((text) => text !== "");
  const told = subtasks.map((task) =>
    [`${textAt(task, "id")}. ${textAt(task, "title")}`, textAt(task, "description"), textAt(task, "details")]
      .filter((text) => text !== "")
      .join(": "),
  );
  return {
    id: textAt(fields, "id") || null,
    name: textAt(fields, "title") || textAt(fields, "description"),
    description: described(textAt(fields, "description"), textAt(fields, "details"), ["Subtasks", told]),
    criteria: [...own, ...steps, ...(test === "" ? [] : [test])],
    dependencies: textsAt(fields, "dependencies"),
    priority: priorityOf(fields["priority"]),
    status: statusOf(fields["status"]),
    extra: without(fields, placed),
  };
}
