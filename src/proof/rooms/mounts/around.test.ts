import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder, write } from "../../../testing/workspace-rig.ts";
import { shownAgain } from "./around.ts";

afterAll(removeTemporaryFolders);

test.each([
  { path: "tools/bin", shown: "tools" },
  { path: "tools/node_modules/.bin", shown: "tools/node_modules" },
  { path: "home/bin", shown: "home/bin" },
])("$path on the PATH shows $shown: programs need what was installed with them", ({ path, shown }) => {
  const area = temporaryFolder();
  write(area, { "work/a.js": "", "home/.profile": "", [`${path}/tool`]: "" });
  const [root, home] = [join(area, "work"), join(area, "home")];
  const around = { root, home, env: { PATH: `/usr/bin:${join(area, path)}` }, tools: [], outside: [] };
  expect(shownAgain([area], around)).toContain(join(area, shown));
});
