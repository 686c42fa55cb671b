// What a person confirms with triggers, and what has changed since.
import { expect, test } from "vitest";
import type { LoopYaml } from "../../formats/config/loop-schema.ts";
import { parseLoopYaml } from "../../formats/config/loop-yaml.ts";
import { changesIn, changeText, confirmableOf } from "./confirmed.ts";

const yaml = (more = ""): LoopYaml =>
  parseLoopYaml(
    `triggers:\n  - { name: t, git: { branch: main }, request: Fix it }\nagents: { maker: { kind: claude, cost_usd: 0.03 } }\n${more}`,
    "loop.yaml",
  );
const hash = (of: LoopYaml) => confirmableOf(of).triggers;

test.each([
  "stages: [implement]",
  "place: here",
  "on_limit: switch",
  "records_dir: elsewhere",
  "env: [SECRET]",
  "notify: { webhook: 'https://example.org/' }",
  "limits: { disk_gb: 30 }",
  "context: { compact_percent: 10 }",
])("the setting %s is part of what is confirmed", (more) => {
  expect(hash(yaml(more))).not.toBe(hash(yaml()));
});

test("the order of keys and comments are not", () => {
  expect(hash(yaml("limits: { cost_usd: 1, commits: 2 } # once"))).toBe(
    hash(yaml("limits: { commits: 2, cost_usd: 1 }")),
  );
});

test("without triggers there is nothing to confirm", () => {
  expect(hash(parseLoopYaml("autonomy: L3", "loop.yaml"))).toBeNull();
});

test("a change names the key as loop.yaml has it, with the old and the new value", () => {
  const changed = JSON.parse(JSON.stringify(yaml("env: [SECRET]")).replace("0.03", "0").replace("Fix it", "Drop it"));
  const changes = changesIn(confirmableOf(yaml()).settings, confirmableOf(changed).settings);
  expect(changes.map((each) => changeText(each, 60))).toEqual([
    "agents.maker.cost_usd: 0.03 → 0",
    'env: not set → ["SECRET"]',
    'triggers.t.request: "Fix it" → "Drop it"',
  ]);
});

test("of a long text, the part that differs is shown", () => {
  const long = "a ".repeat(500);
  const text = changeText({ key: "k", from: `${long}keep the login`, to: `${long}drop the login` }, 60);
  expect(text).toContain("keep the login");
  expect(text).toContain("drop the login");
  expect(text.length).toBeLessThan(140);
});

test("entries that share a name or have none are not mixed up", () => {
  const of = (checks: unknown) => ({ ...yaml(), checks }) as LoopYaml;
  expect(
    hash(
      of([
        { name: "a", run: "x" },
        { name: "a", run: "y" },
      ]),
    ),
  ).not.toBe(hash(of([{ name: "a", run: "y" }])));
});
