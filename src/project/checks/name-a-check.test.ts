// Where no check was found, the advice is a command that can work in this folder.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/workspace-rig.ts";
import { nameACheck } from "./name-a-check.ts";

afterAll(removeTemporaryFolders);

test.each([
  ["src/app.js", 'run: "node --test"'],
  ["package.json", 'run: "node --test"'],
  ["tool.py", 'run: "python3 -m unittest"'],
  ["go.mod", 'run: "go test ./..."'],
  ["src/main.rs", 'run: "sh test.sh" }]. It may be a script of yours'],
  ["index.html", 'run: "sh test.sh" }]. It may be a script of yours'],
])("with %s: %s", (path, command) => {
  const root = temporaryFolder();
  fs.mkdirSync(join(root, "src"));
  fs.writeFileSync(join(root, path), "");
  expect(nameACheck(root)).toContain(command);
  expect(nameACheck(root)).toContain("write a first one");
});
