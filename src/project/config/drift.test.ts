import { expect, test } from "vitest";
import type { LoopYaml } from "../../formats/config/loop-yaml.ts";
import { settle } from "../../formats/config/settings.ts";
import type { Configured } from "./configured.ts";
import { drift, type Standing } from "./drift.ts";

function standing(yaml: LoopYaml = {}, frozen: Configured["frozen"] = {}, version = "1.0.0"): Standing {
  const { limits, agents, env } = settle(yaml);
  return { configured: { version: 2, limits, agents, env, frozen }, version };
}

test("identical settings are not a change", () => {
  expect(drift(standing(), standing())).toEqual([]);
});

test.each([
  { to: { limits: { cost_usd: 40 } }, what: "limits.cost_usd", says: "25 → 40" },
  { to: { limits: { check_minutes: 30 } }, what: "limits.check_minutes", says: "none → 30" },
  { to: { limits: { tokens: 9 } }, what: "limits.tokens", says: "none → 9" },
  { to: { agents: { maker: "codex" as const } }, what: "agents.maker", says: "whichever is found → codex" },
  { to: { env: ["KEY"] }, what: "env", says: "none → KEY" },
])("$what of $says applies now, and is reported once", ({ to, what, says }) => {
  const changes = drift(standing(), standing(to));
  expect(changes).toMatchObject([{ what, applies: "now" }]);
  expect(changes.map((change) => `${change.from} → ${change.to}`)).toEqual([says]);
});

test("an agent of the same kind with different settings is a change", () => {
  const one = standing({ agents: { maker: { kind: "claude", args: ["--a"] }, checker: "codex" } });
  const two = standing({ agents: { maker: { kind: "claude", args: ["--b"] }, checker: "codex" } });
  expect(drift(one, two)).toMatchObject([{ what: "agents.maker", from: "claude", to: "claude, set up differently" }]);
});

test.each([
  { key: "checks", from: [{ name: "a", run: "x", must: "stay-green" }], to: [], shown: ["a: x (stay-green)", "none"] },
  { key: "must_not", from: [], to: ["no new file"], shown: ["none", "no new file"] },
  { key: "stages", from: ["implement"], to: ["implement", "test"], shown: ["implement", "implement, test"] },
  {
    key: "goal",
    from: null,
    to: `a\n\u001b[31m${"b".repeat(200)}`,
    shown: ["none", expect.stringMatching(/^a \[31mb+…$/)],
  },
])("$key cannot change, and the reason and next step are shown", ({ key, from, to, shown }) => {
  const [change, ...others] = drift(standing({}, { [key]: from }), standing({}, { [key]: to }));
  expect(others).toEqual([]);
  expect([change?.from, change?.to]).toEqual(shown);
  expect(change?.applies).toBe("next run");
  expect(change?.why).toContain("loop cancel");
});

test("a limit that an earlier version did not know is not a change", () => {
  const began = standing();
  const { checkMsMax: _, ...limits } = began.configured.limits;
  const kept = { ...began, configured: { ...began.configured, limits: limits as typeof began.configured.limits } };
  expect(drift(kept, standing())).toEqual([]);
  expect(drift(kept, standing({ limits: { check_minutes: 5 } }))).toMatchObject([{ from: "none", to: "5" }]);
});

test("another version is mentioned", () => {
  expect(drift(standing(), standing({}, {}, "2.0.0"))).toMatchObject([{ what: "version", from: "1.0.0", to: "2.0.0" }]);
});
