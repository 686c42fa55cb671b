// Which settings and attribute files make git store bytes that differ from those in the folder.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder, write } from "../../../testing/workspace-rig.ts";
import type { Ground } from "../ground.ts";
import { hasConversions, inFolder } from "./conversions.ts";

afterAll(removeTemporaryFolders);

const groundWith = (conversions: string[], attributes = ""): Ground =>
  ({ settings: { conversions, attributes } }) as unknown as Ground;
const nothing = () => null;

test.each([
  { setting: "core.autocrlf=true", converts: true },
  { setting: "core.autocrlf=input", converts: true },
  { setting: "core.eol=crlf", converts: true },
  { setting: "core.autocrlf=falsehood", converts: true },
  { setting: "core.autocrlf=false", converts: false },
  { setting: "core.autocrlf=no", converts: false },
  { setting: "core.autocrlf=off", converts: false },
  { setting: "core.autocrlf=0", converts: false },
  { setting: "core.autocrlf=", converts: false },
])("with $setting git converts: $converts", async ({ setting, converts }) => {
  expect(await hasConversions(groundWith([setting]), [], nothing)).toBe(converts);
  expect(await hasConversions(groundWith(["core.autocrlf=false", setting]), [], nothing)).toBe(converts);
});

test.each([
  { rules: "* text=auto\n", converts: true },
  { rules: "*.c -text\n", converts: true },
  { rules: "*.c !eol\n", converts: true },
  { rules: "# nothing\n*.c ident", converts: true },
  { rules: "*.c\tcrlf\n", converts: true },
  { rules: "*.psd filter=lfs diff=lfs\n", converts: true },
  { rules: "*.txt working-tree-encoding=UTF-16\n", converts: true },
  { rules: "[attr]mine diff\n", converts: true },
  { rules: "text diff\n", converts: true }, // A file with that name: a false positive is slow, never wrong.
  { rules: "*.c diff=cpp\ncontext diff\n*.x textual\n", converts: false },
  { rules: "", converts: false },
])("with the rules $rules git converts: $converts", async ({ rules, converts }) => {
  const none = groundWith([]);
  const read = (path: string) => (path.endsWith("sub/.gitattributes") ? Buffer.from(rules) : Buffer.from("* diff\n"));
  expect(await hasConversions(groundWith([], rules), [], nothing)).toBe(converts);
  expect(await hasConversions(none, [".gitattributes", "x", "sub/.gitattributes"], read)).toBe(converts);
  expect(await hasConversions(none, [".gitattributes"], () => Buffer.from(rules))).toBe(converts);
});

test("only attribute files are read, and a missing one has no effect", async () => {
  const asked: string[] = [];
  const read = (path: string) => {
    asked.push(path);
    return null;
  };
  const paths = ["a", "not.gitattributes", ".gitattributes", "x/.gitattributes", ".gitattributes/x"];
  expect(await hasConversions(groundWith([]), paths, read)).toBe(false);
  expect(asked).toEqual([".gitattributes", "x/.gitattributes"]);
});

test("reads an attribute file in the folder, but does not follow a link to one", async () => {
  const dir = temporaryFolder();
  write(dir, { ".gitattributes": "* text\n" });
  fs.mkdirSync(join(dir, "sub"));
  fs.symlinkSync("../.gitattributes", join(dir, "sub/.gitattributes"));
  const read = inFolder(dir);
  expect((await read(".gitattributes"))?.toString()).toBe("* text\n");
  expect(await read("sub/.gitattributes")).toBeNull();
  expect(await read("none/.gitattributes")).toBeNull();
});
