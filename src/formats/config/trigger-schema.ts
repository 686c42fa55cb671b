// triggers: what begins a run without a person, what it asks for, and what it may spend.
import { Cron } from "croner";
import { z } from "zod";
import { isPlainName } from "../../core/ids.ts";
import { isEnvName } from "../text/safe-names.ts";
import { line, positive } from "./yaml-values.ts";

const cron = z.strictObject({
  at: line(200)
    .refine(isSchedule, 'must be a schedule of five fields, such as "0 3 * * 1-5", with a date that comes')
    .describe('When: minute, hour, day of month, month, day of week, such as "0 3 * * 1-5".'),
  timezone: line(100)
    .refine(isTimezone, 'must be a time zone, such as "Europe/Berlin"')
    .optional()
    .describe("The time zone of the schedule; UTC, when not given."),
  jitter_s: z.int().min(0).max(3600).optional().describe("Begin up to so many seconds later, each time differently."),
  catch_up: z
    .enum(["once", "none"])
    .optional()
    .describe(
      "After times at which nothing served: once fires for the latest of them, none skips them. By default once.",
    ),
});

const git = z.strictObject({
  branch: line(200)
    .refine((text) => /^[\w][\w./-]*$/.test(text) && !text.includes(".."), "must be the name of a branch")
    .describe("Fires when this branch has new commits that are not the loop's own."),
});

const webhook = z
  .strictObject({
    from: z.enum(["github", "json"]).describe("github: signed deliveries of GitHub. json: any signed JSON."),
    event: z
      .enum(["push", "workflow_run", "issues"])
      .optional()
      .describe("Of GitHub: a push, a workflow that failed, or an issue that got a label."),
    repository: line(200)
      .refine((text) => /^[\w.-]+\/[\w.-]+$/.test(text), "must be owner/name")
      .optional()
      .describe("Of GitHub: the repository, as owner/name."),
    branch: line(200).optional().describe("Only for this branch."),
    label: line(100).optional().describe("Only for this label."),
    secret_env: z
      .string()
      .refine(isEnvName, "must be the name of a variable, never the secret")
      .describe("The variable that holds the secret for the signature, of 32 characters or more."),
  })
  .refine(({ from, event, repository }) => from === "json" || (event !== undefined && repository !== undefined), {
    path: ["event"],
    message: 'is needed with from "github", and so is repository',
  })
  .refine(({ event, label }) => event !== "issues" || label !== undefined, {
    path: ["label"],
    message: 'is needed with event "issues"',
  });

/** What a request may name in double braces, for each kind of trigger. */
export const placeholders = {
  cron: ["time"],
  git: ["branch", "before", "after"],
  push: ["repository", "branch", "before", "after", "author", "message"],
  workflow_run: ["repository", "workflow", "branch", "commit", "title", "url"],
  issues: ["repository", "number", "title", "body", "label", "author", "url"],
} as const;

export const placeholder = /\{\{\s*([\w.]+)\s*\}\}/g;

/** `limits` and `autonomy` are those of a run. */
export function triggerSchema<Limits extends z.ZodType, Autonomy extends z.ZodType>(
  limits: Limits,
  autonomy: Autonomy,
) {
  return z
    .strictObject({
      name: z
        .string()
        .refine((text) => isPlainName(text) && text.length <= 30, "must be a plain name of at most 30 characters")
        .describe("What the trigger is called."),
      cron: cron.optional().describe("Fires at times."),
      git: git.optional().describe("Fires when a branch moves."),
      webhook: webhook.optional().describe("Fires when another program calls."),
      request: z
        .string()
        .min(1)
        .max(20_000)
        .optional()
        .describe("What should be done, with {{names}} of what happened. Omitted: the open features."),
      overlap: z
        .enum(["skip", "queue", "replace"])
        .optional()
        .describe(
          "While its last run is at work: skip this one, queue it, or cancel the run. By default skip for cron, else queue.",
        ),
      limits,
      autonomy,
      per_day_usd: positive.optional().describe("Most that runs of this trigger may cost in 24 hours, in US dollars."),
    })
    .refine((given) => [given.cron, given.git, given.webhook].filter((each) => each !== undefined).length === 1, {
      path: ["cron"],
      message: "or git or webhook is needed, and only one of them",
    })
    .refine((given) => strangers(given.request ?? "", namesFor(given)).length === 0, {
      path: ["request"],
      message: "names something in {{braces}} that this kind of trigger does not have: see docs/TRIGGERS.md",
    });
}

type Given = {
  cron?: unknown;
  git?: unknown;
  webhook?: { from: string; event?: keyof typeof placeholders | undefined } | undefined;
};

/** Null: any path below `json`. */
function namesFor({ cron: atTimes, git: onBranch, webhook: hook }: Given): readonly string[] | null {
  if (atTimes !== undefined) return placeholders.cron;
  if (onBranch !== undefined) return placeholders.git;
  return hook?.event === undefined ? null : placeholders[hook.event];
}

/** Also what is in double braces and has no form of a name: nothing would fill it. */
function strangers(request: string, names: readonly string[] | null): readonly string[] {
  const found = [...request.matchAll(/\{\{([^{}\n]*)\}\}/g)].map((match) => (match[1] ?? "").trim());
  return found.filter((name) => (names === null ? !/^json(?:\.\w+)+$/.test(name) : !names.includes(name)));
}

/** Five fields, and some day has that date: the 30th of February never comes. */
function isSchedule(text: string): boolean {
  try {
    return new Cron(text, { paused: true, mode: "5-part" }).nextRun() !== null;
  } catch {
    return false;
  }
}

function isTimezone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

export const perDay = positive
  .optional()
  .describe("Most that runs begun by all triggers of this workspace may cost in 24 hours, in US dollars.");
