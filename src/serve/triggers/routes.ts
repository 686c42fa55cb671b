// The API of triggers: what they are, what they have done, and firing one by hand.
import { Cron } from "croner";
import { z } from "zod";
import type { TriggerSettings } from "../../formats/config/settings.ts";
import { problemOf } from "../problem.ts";
import { acting, type Route } from "../route.ts";
import type { Workspaces } from "../workspaces.ts";
import { costOf } from "./budget.ts";
import { type Configured, configuredIn, silenceOf } from "./configured.ts";
import { deafness, type Ears, hookAddress } from "./deaf.ts";
import { type Firing, isActive } from "./firing.ts";
import type { Keeper } from "./keeper.ts";

const fire = z.strictObject({
  key: z.string().min(1).max(200).optional().describe("The same key fires once, however often it is sent."),
});
const fired = z.strictObject({
  is: z.enum(["queued", "known", "refused"]),
  id: z.string().nullable(),
  why: z.string().nullable(),
});
const triggers = z.strictObject({
  triggers: z.array(
    z.strictObject({
      workspace: z.string(),
      name: z.string(),
      on: z.string().describe("What it waits for."),
      next: z.string().nullable().describe("When a schedule is due next."),
      silent: z.string().nullable().describe("Why it does not fire."),
      deaf: z.string().nullable().describe("Why no delivery can reach it."),
      address: z.string().nullable().describe("Where deliveries go; null: it takes none."),
      active: z.int().describe("How many of its firings are queued or at work."),
      queued: z.int().describe("How many of them wait."),
      turnedAway: z
        .strictObject({ count: z.int(), at: z.number().describe("The last of them."), why: z.string() })
        .nullable()
        .describe("What was refused since the server started and is not among the refusals, which have a bound."),
    }),
  ),
  problems: z.array(z.strictObject({ workspace: z.string(), problem: z.string() })),
});
const firings = z.strictObject({
  queued: z.int().describe("How many wait."),
  firings: z.array(
    z.looseObject({
      id: z.string(),
      workspace: z.string(),
      trigger: z.string(),
      firedAt: z.number(),
      cause: z.string().describe("What it came from."),
      status: z.string(),
      run: z.string(),
      note: z.string().nullable(),
      problem: z.string().nullable().describe("Why its run cannot be read now; the cost is then what is recorded."),
    }),
  ),
  refusals: z.array(z.looseObject({ at: z.number(), trigger: z.string(), cause: z.string(), why: z.string() })),
});
const shownMax = 200;

export function triggerRoutes(workspaces: Workspaces, keeper: Keeper, ears: Ears): readonly Route[] {
  const idOf = (root: string): string => workspaces.all().find((each) => each.root === root)?.id ?? root;
  /** A run that rested when its firing was settled may have gone on since. */
  const shown = async (firing: Firing) => {
    const { terms: _, root, ...rest } = firing;
    const engine = workspaces.all().find((each) => each.root === root)?.engine;
    const row = { ...rest, workspace: idOf(root), problem: null };
    try {
      return engine === undefined ? row : { ...row, costUsd: await costOf(engine, firing) };
    } catch (error) {
      return { ...row, problem: problemOf(error) };
    }
  };
  return [
    {
      method: "GET",
      path: "/api/v1/triggers",
      says: "Lists the triggers, and why those of a workspace do not fire",
      gives: triggers,
      async look() {
        const all = workspaces.all().map(({ id, root, ...rest }) => {
          const configured = configuredIn({ id, root, ...rest });
          return { id, problem: configured.problem, rows: triggerRows({ id, root }, configured, keeper, ears) };
        });
        const list = all.flatMap(({ id, rows }) =>
          rows.map(({ silence, next, ...row }) => ({
            workspace: id,
            ...row,
            next: next === null ? null : new Date(next).toISOString(),
            silent: silence?.inShort ?? null,
          })),
        );
        const problems = all.flatMap(({ id, problem }) =>
          problem === null ? [] : [{ workspace: id, problem: problem.why }],
        );
        return { triggers: list, problems };
      },
    },
    {
      method: "GET",
      path: "/api/v1/firings",
      says: "Lists the latest firings with what became of them, newest first, and what was refused",
      gives: firings,
      async look() {
        const all = [...keeper.state.firings.values()].reverse();
        return {
          queued: all.filter(({ status }) => status === "queued").length,
          firings: await Promise.all(all.slice(0, shownMax).map(shown)),
          refusals: keeper.state.refusals.map(({ root, ...refusal }) => ({ ...refusal, workspace: idOf(root) })),
        };
      },
    },
    acting({
      path: "/api/v1/workspaces/{workspace}/triggers/{trigger}/fire",
      says: "Fires a trigger now",
      takes: fire,
      gives: fired,
      async act({ at, person, body: { key } }) {
        const served = workspaces.find(at["workspace"] ?? "");
        const trigger = keeper.find(served, at["trigger"] ?? "");
        const keys = key === undefined ? [] : [`by hand ${served.id} ${trigger.name} ${key}`];
        const [values, cause] = [{ time: new Date().toISOString() }, `by hand, with the token ${person.name}`];
        const accepted = keeper.accept(served.root, trigger, { mark: null, keys, cause, values, source: "a person" });
        return {
          is: accepted.is,
          id: accepted.is === "queued" ? accepted.id : null,
          why: accepted.is === "refused" ? accepted.why : null,
        };
      },
    }),
  ];
}

/** Every trigger of a workspace as it is shown, also one that does not fire. */
export const triggerRows = (
  { id, root }: { readonly id: string; readonly root: string },
  configured: Configured,
  keeper: Keeper,
  ears: Ears,
) =>
  configured.named.map((trigger) => {
    const silence = silenceOf(configured, trigger);
    return {
      name: trigger.name,
      on: waitsFor(trigger),
      next: silence === null ? nextOf(trigger) : null,
      silence,
      deaf: deafness(trigger, ears),
      address: hookAddress(id, trigger, ears),
      ...loadOf(keeper, root, trigger.name),
    };
  });

/** How much a trigger has to do, and what it has refused because of that. */
function loadOf(keeper: Keeper, root: string, name: string) {
  const own = [...keeper.state.firings.values()].filter((firing) => firing.root === root && firing.trigger === name);
  return {
    active: own.filter(isActive).length,
    queued: own.filter(({ status }) => status === "queued").length,
    turnedAway: keeper.turnedAway(root, name),
  };
}

export function waitsFor({ cron, git, webhook }: TriggerSettings): string {
  if (cron !== null) return `${cron.at} (${cron.timezone})`;
  if (git !== null) return `new commits on ${git.branch}`;
  if (webhook?.from === "github") return `${webhook.event} of ${webhook.repository}`;
  return "a signed call";
}

const nextOf = ({ cron }: TriggerSettings): number | null =>
  cron === null
    ? null
    : (new Cron(cron.at, { paused: true, mode: "5-part", timezone: cron.timezone }).nextRun()?.getTime() ?? null);
