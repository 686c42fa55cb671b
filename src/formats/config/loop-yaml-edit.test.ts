// Editing loop.yaml leaves everything else as a person wrote it.
import { expect, test } from "vitest";
import { parseLoopYaml } from "./loop-yaml.ts";
import { addToLoopYaml, type CheckoutKeys, keysText } from "./loop-yaml-edit.ts";

test("a new file starts with its purpose", () => {
  expect(addToLoopYaml(null, { room: { files: [".env"] } })).toBe(
    "# What a clean checkout of this project needs besides the tracked files. Found by: loop check\nroom:\n  files: [.env]\n",
  );
});

const written = `# How we work.
version: 1

# Who makes.
agents: { maker: claude } # the usual one

checks:
  - { name: test, run: "npm test" }   # quick

limits:
  cost_usd: 25 # dollars
`;

test("new keys come last, and every other byte stays", () => {
  const added = addToLoopYaml(written, { build: "npm run generate", room: { env: ["API_URL"] } });
  expect(added).toBe(`${written}build: npm run generate\nroom:\n  env: [API_URL]\n`);
});

test.each<{ title: string; text: string; keys: CheckoutKeys; room: object }>([
  {
    title: "a list gets what it does not have, and its neighbours stay",
    text: "room:\n  # why\n  files: [.env] # settings\n  env: [HOST]\n",
    keys: { room: { files: [".env", "generated"] } },
    room: { files: [".env", "generated"], env: ["HOST"] },
  },
  {
    title: "a room on one line gets another key",
    text: "room: { env: [HOST] }\n",
    keys: { room: { home: [".npmrc"] } },
    room: { env: ["HOST"], home: [".npmrc"] },
  },
  { title: "a file in braces", text: "{ version: 1 } # all\n", keys: { room: { env: ["A"] } }, room: { env: ["A"] } },
  { title: "a file of comments only", text: "# nothing yet\n", keys: { room: { env: ["A"] } }, room: { env: ["A"] } },
  { title: "an empty file", text: "", keys: { room: { env: ["A"] } }, room: { env: ["A"] } },
])("$title", ({ text, keys, room }) => {
  const added = addToLoopYaml(text, keys);
  expect(parseLoopYaml(added, "loop.yaml").room).toEqual(room);
  for (const comment of text.match(/# \w+/g) ?? []) expect(added).toContain(comment);
});

test("quotes where needed", () => {
  const text = keysText({ build: 'sh -c "echo: #1"', room: { files: ["a #b", "- c"] } });
  expect(parseLoopYaml(text, "loop.yaml")).toEqual({ build: 'sh -c "echo: #1"', room: { files: ["a #b", "- c"] } });
});

test("a broken file is not edited", () => {
  expect(() => addToLoopYaml("room: [", { room: { env: ["A"] } })).toThrow(/problem/);
});
