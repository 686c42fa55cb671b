// Which agents a run has after an edit of its files.
import { expect, test } from "vitest";
import { type Settings, settle } from "../../formats/config/settings.ts";
import { agentsFor } from "../plan/plan-run.ts";
import { withEdits, withModel } from "./chosen-agents.ts";

type Agents = Settings["agents"];
type Named = NonNullable<Parameters<typeof settle>[0]["agents"]>;

const walls = { sandbox: "off", network: null, diskGb: 10 } as const;
const files = (named: Named): Agents => settle({ agents: named }).agents;
const run = (maker: "claude" | "codex", checker: "claude" | "codex"): Agents =>
  agentsFor({ ...walls, agents: files({ maker, checker }) });
/** Each role's agent and model. */
const kinds = (agents: Agents): string =>
  Object.values(agents)
    .map((agent) => [agent?.kind, agent?.model].filter((each) => each != null).join(" "))
    .join(", ");
const edited = (crew: Agents, before: Named, after: Named): string => {
  const [began, now] = [files(before), files(after)];
  const { maker, checker } = crew;
  if (maker === null || checker === null) throw new Error("a run has both");
  const named = agentsFor({ ...walls, agents: now }, { maker, checker });
  return kinds(withEdits(crew, { began, now, named }));
};

test.each<[string, Agents, Named, Named, string]>([
  [
    "nothing about agents: those that were found stay",
    run("claude", "codex"),
    {},
    {},
    "claude, codex, claude, claude, codex",
  ],
  [
    "the maker's model: another vendor still checks",
    run("claude", "codex"),
    {},
    { maker: { kind: "claude", model: "opus" } },
    "claude opus, codex, claude opus, claude opus, codex",
  ],
  [
    "the maker, in a run where it checked itself: the new one does",
    run("claude", "claude"),
    { maker: "claude" },
    { maker: "codex" },
    "codex, codex, codex, codex, codex",
  ],
  [
    "the checker: a maker from the command line stays",
    run("codex", "codex"),
    { maker: "claude", checker: "codex" },
    { maker: "claude", checker: "claude" },
    "codex, claude, codex, codex, claude",
  ],
  [
    "the planner alone",
    run("claude", "codex"),
    { maker: "claude", checker: "codex" },
    { maker: "claude", checker: "codex", planner: { kind: "claude", model: "opus" } },
    "claude, codex, claude opus, claude, codex",
  ],
])("an edit of %s", (_, crew, before, after, agents) => {
  expect(edited(crew, before, after)).toBe(agents);
});

test("a model from the command line outlives an edit of another role", () => {
  const crew = withModel(run("claude", "codex"), "opus");
  expect(edited(crew, { maker: "claude", checker: "codex" }, { maker: "claude", checker: "claude" })).toBe(
    "claude opus, claude, claude opus, claude opus, claude",
  );
});
