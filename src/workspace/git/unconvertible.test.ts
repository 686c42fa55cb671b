// Attributes that require an impossible conversion: a tree is taken anyway, with unchanged bytes.
import { afterAll, expect, test } from "vitest";
import { makeRepository, open, removeTemporaryFolders, write } from "../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

test.each([
  ["an encoding that the files do not have", "*.md working-tree-encoding=UTF-16\n"],
  ["an encoding that does not exist", "*.md working-tree-encoding=no-such-encoding\n"],
])("%s does not prevent reading the folder", async (_, attributes) => {
  const root = makeRepository({ "README.md": "# readme\n", "src/a.js": "1\n" });
  const { workspace } = await open(root, "git");
  const before = await workspace.tree();
  write(root, { ".gitattributes": attributes, "NOTES.md": "# notes\n" });
  const after = await workspace.tree();
  expect((await workspace.changes(before, after)).map(({ path }) => path).sort()).toEqual([
    ".gitattributes",
    "NOTES.md",
  ]);
  expect((await workspace.read(after, "NOTES.md"))?.toString("utf8")).toBe("# notes\n");
});
