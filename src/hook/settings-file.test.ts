// The settings belong to a person: our hooks are added and removed, and nothing else changes.
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasHooks, withHooks, withoutHooks } from "./settings-file.ts";

const text = (edited: ReturnType<typeof withHooks>): string => {
  if (!edited.ok) throw new Error(edited.why);
  return edited.text;
};
const install = (before: string | null): string => text(withHooks(before, "'/n' '/m'", false));

const theirs = `{
  "permissions": { "allow": ["Bash(ls)"] },
  "hooks": {
    "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ],
    "PreToolUse": [ { "matcher": "Bash", "hooks": [] } ]
  },
  "model": "opus"
}
`;

test.each([
  ["no file", null],
  ["an empty file", ""],
  ["an empty object", "{}\n"],
  ["settings without hooks", '{\n    "model": "opus"\n}'],
  ["settings with hooks", theirs],
  ["settings on one line", '{"hooks":{"Stop":[]},"a":1}'],
])("%s: other settings survive installing, and removing restores every byte", (_title, before) => {
  const after = install(before);
  const parsed = JSON.parse(after) as { hooks: Record<string, { hooks: { command: string }[] }[]> };
  expect(hasHooks(after)).toBe(true);
  expect(parsed.hooks["Stop"]?.at(-1)?.hooks[0]).toEqual({
    type: "command",
    command: "'/n' '/m' hook stop --within 840 # loopwright",
    timeout: 900,
  });
  expect(parsed.hooks["UserPromptSubmit"]).toHaveLength(1);
  const back = text(withoutHooks(after));
  expect(hasHooks(back)).toBe(false);
  if (before === theirs) expect(back).toBe(theirs);
  else expect(JSON.parse(back)).toEqual(emptied(JSON.parse(before || "{}")));
});

/** A list that was empty before disappears together with our hooks. */
function emptied(settings: { hooks?: Record<string, unknown[]> }): object {
  const { hooks, ...rest } = settings;
  return hooks === undefined || Object.values(hooks).every((list) => list.length === 0) ? rest : settings;
}

test("installing twice is installing once", () => {
  expect(install(install(theirs))).toBe(install(theirs));
  expect(install(install(null))).toBe(install(null));
});

test("our hook in a group with others is removed alone", () => {
  const mixed = JSON.parse(install(theirs)) as { hooks: { Stop: { hooks: unknown[] }[] } };
  const ours = mixed.hooks.Stop.pop()?.hooks[0];
  mixed.hooks.Stop[0]?.hooks.unshift(ours);
  const back = JSON.parse(text(withoutHooks(JSON.stringify(mixed)))) as { hooks: { Stop: unknown } };
  expect(back.hooks.Stop).toEqual([{ hooks: [{ type: "command", command: "say done" }] }]);
});

test("in shared settings, the hook first checks whether loop is installed", () => {
  const shared = text(withHooks(null, "loop", true));
  expect(shared).toContain("command -v loop >/dev/null 2>&1 || exit 0; loop hook stop");
});

test.each(['{ "a": 1,, }', "[]", '"x"', '{"hooks": []}', '{"hooks": {"Stop": {}}}', '{"a": 1, "a": 2}', "// c\n{}"])(
  "%j is refused, not repaired",
  (broken) => {
    expect(withHooks(broken, "loop", false).ok).toBe(false);
    expect(withoutHooks(broken).ok).toBe(false);
  },
);

test("all other settings are still there", () => {
  const anySettings = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })).filter((value) => !("hooks" in value));
  fc.assert(
    fc.property(anySettings, fc.constantFrom(undefined, 2, "\t"), (settings, indent) => {
      const before = JSON.stringify(settings, null, indent);
      const { hooks, ...rest } = JSON.parse(install(before)) as { hooks: object };
      expect(rest).toEqual(JSON.parse(before));
      expect(Object.keys(hooks)).toEqual(["Stop", "UserPromptSubmit"]);
      if (Object.keys(settings).length > 0) expect(text(withoutHooks(install(before)))).toBe(before);
    }),
  );
});
