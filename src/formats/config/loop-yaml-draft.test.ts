import fc from "fast-check";
import { expect, test } from "vitest";
import { limitsFrom } from "../../core/limits.ts";
import { parseLoopYaml } from "./loop-yaml.ts";
import { draftLoopYaml } from "./loop-yaml-draft.ts";
import { settle } from "./settings.ts";

const nothing = { agent: null, agentsHere: [], checks: [], schema: null };

test("an empty draft means the defaults", () => {
  expect(settle(parseLoopYaml(draftLoopYaml(nothing), "draft"))).toEqual(settle({ limits: { cost_usd: 25 } }));
  expect(settle(parseLoopYaml(draftLoopYaml(nothing), "draft")).limits).toEqual(limitsFrom({}));
});

test.each(["claude", "codex", "rehearsal"])("%s becomes the maker", (agent) => {
  const { agents } = parseLoopYaml(draftLoopYaml({ ...nothing, agent }), "draft");
  expect(agents).toEqual({ maker: agent });
});

test("the schema line comes first, where editors look for it", () => {
  const text = draftLoopYaml({ ...nothing, schema: "./node_modules/loopwright/schema/loop.json" });
  expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/node_modules\/loopwright\/schema\/loop\.json\n/);
});

test("any command reads back unchanged", () => {
  const command = fc
    .oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("a: b # c", "'\"\\", "{ x }", "- y", "%", "é\u2028"),
    )
    .filter((text) => text.trim() !== "" && !text.includes("\u0000"));
  fc.assert(
    fc.property(command, (run) => {
      const text = draftLoopYaml({ ...nothing, checks: [{ name: "test", run }] });
      expect(parseLoopYaml(text, "draft").checks).toEqual([{ name: "test", run, must: "stay-green" }]);
    }),
    { numRuns: 1000 },
  );
});
