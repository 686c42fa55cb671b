// What a delivery of GitHub says, if it is one that the trigger waits for.
import { z } from "zod";
import type { TriggerSettings } from "../../formats/config/settings.ts";
import type { Values } from "./template.ts";

type Hook = NonNullable<TriggerSettings["webhook"]>;
export type Heard =
  /** `cause`: what happened, for people. */
  | { readonly is: "wanted"; readonly values: Values; readonly cause: string; readonly source: string }
  | { readonly is: "ignored"; readonly why: string };

const repository = z.looseObject({ full_name: z.string() });
const name = z.looseObject({ login: z.string() });
const push = z.looseObject({
  repository,
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  deleted: z.boolean().optional(),
  pusher: z.looseObject({ name: z.string() }),
  head_commit: z.looseObject({ message: z.string() }).nullable(),
});
const workflowRun = z.looseObject({
  repository,
  action: z.string(),
  workflow_run: z.looseObject({
    name: z.string().nullable(),
    head_branch: z.string().nullable(),
    head_sha: z.string(),
    display_title: z.string(),
    conclusion: z.string().nullable(),
    html_url: z.string(),
  }),
});
const issues = z.looseObject({
  repository,
  action: z.string(),
  label: z.looseObject({ name: z.string() }).optional(),
  issue: z.looseObject({
    number: z.int(),
    title: z.string(),
    body: z.string().nullable(),
    user: name,
    html_url: z.string(),
  }),
});

const ignored = (why: string): Heard => ({ is: "ignored", why });
const failed = ["failure", "timed_out", "startup_failure"];

/** `event`: as GitHub names it in its header. */
export function heardFrom(hook: Hook, event: string, payload: unknown): Heard {
  if (event !== hook.event) return ignored(`The trigger waits for ${hook.event}.`);
  const about = z.looseObject({ repository }).safeParse(payload);
  if (!about.success) return ignored("It names no repository.");
  const full = about.data.repository.full_name;
  if (full.toLowerCase() !== hook.repository?.toLowerCase()) return ignored("It is about another repository.");
  const heard = reading[hook.event](hook, payload);
  if (heard === null) return ignored("It is not as GitHub sends it.");
  if (typeof heard === "string") return ignored(heard);
  const source = `GitHub (${event} in ${hook.repository})`;
  const cause = causes[hook.event](heard);
  return { is: "wanted", source, cause, values: { repository: hook.repository ?? "", ...heard } };
}

const short = (commit = ""): string => commit.slice(0, 7);
const firstLine = (text = ""): string => text.split("\n")[0] ?? "";

const causes: Readonly<Record<NonNullable<Hook["event"]>, (of: Values) => string>> = {
  push: ({ branch, after, author, message }) => `${author} pushed ${short(after)} to ${branch}: ${firstLine(message)}`,
  workflow_run: ({ workflow, branch, commit, title }) =>
    `${workflow} failed on ${branch} at ${short(commit)}: ${firstLine(title)}`,
  issues: ({ number, label, title }) => `issue ${number} got the label ${label}: ${firstLine(title)}`,
};

/** A text: why it is ignored. Null: it has another form. */
type Read = (hook: Hook, payload: unknown) => Values | string | null;

const reading: Readonly<Record<NonNullable<Hook["event"]>, Read>> = {
  push(hook, payload) {
    const { data } = push.safeParse(payload);
    if (data === undefined) return null;
    const branch = data.ref.startsWith("refs/heads/") ? data.ref.slice("refs/heads/".length) : null;
    if (branch === null || data.deleted === true) return "It pushes no branch.";
    if (hook.branch !== null && branch !== hook.branch) return "It is about another branch.";
    const message = data.head_commit?.message ?? "";
    return { branch, before: data.before, after: data.after, author: data.pusher.name, message };
  },
  workflow_run(hook, payload) {
    const { data } = workflowRun.safeParse(payload);
    if (data === undefined) return null;
    const run = data.workflow_run;
    if (data.action !== "completed" || !failed.includes(run.conclusion ?? "")) return "The workflow did not fail.";
    if (hook.branch !== null && run.head_branch !== hook.branch) return "It is about another branch.";
    const { display_title: title, html_url: url, head_sha: commit } = run;
    return { workflow: run.name ?? "", branch: run.head_branch ?? "", commit, title, url };
  },
  issues(hook, payload) {
    const { data } = issues.safeParse(payload);
    if (data === undefined) return null;
    const label = data.label?.name ?? "";
    if (data.action !== "labeled" || label !== hook.label) return "The issue did not get the label.";
    const { number, title, body, user, html_url: url } = data.issue;
    return { number: String(number), title, body: body ?? "", label, author: user.login, url };
  },
};

/** Of any JSON: each text and number, by its path. */
export function heardJson(payload: unknown): Heard {
  const values: Record<string, string> = Object.create(null);
  const walk = (value: unknown, path: string, depth: number): void => {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      values[path] = String(value);
    else if (typeof value === "object" && value !== null && depth < 10)
      for (const [key, below] of Object.entries(value)) walk(below, `${path}.${key}`, depth + 1);
  };
  walk(payload, "json", 0);
  return { is: "wanted", source: "a webhook", cause: "a signed call", values };
}
