// What is planned comes from one reading of each file, even if the file changes meanwhile.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/workspace-rig.ts";
import { planRun } from "../plan/plan-run.ts";
import { readConfiguration, readerOf, readOnce } from "./read-once.ts";

afterAll(removeTemporaryFolders);

test("a file is read once, and a missing one stays missing", () => {
  const root = temporaryFolder();
  fs.writeFileSync(join(root, "loop.yaml"), "version: 1\n");
  const disk = readOnce(root);
  expect([disk.read("loop.yaml"), disk.read("docs/LOOP.md")]).toEqual(["version: 1\n", null]);
  fs.writeFileSync(join(root, "loop.yaml"), "changed");
  fs.mkdirSync(join(root, "docs"));
  fs.writeFileSync(join(root, "docs", "LOOP.md"), "new");
  expect([disk.read("loop.yaml"), disk.read("docs/LOOP.md")]).toEqual(["version: 1\n", null]);
  expect(readerOf(disk.texts).read("loop.yaml")).toBe("version: 1\n");
  expect(readerOf(disk.texts).read("docs/OTHER.md")).toBeNull();
});

test("a configuration that is a link is read, and is no text of the workspace", () => {
  const [root, elsewhere] = [temporaryFolder(), temporaryFolder()];
  fs.writeFileSync(join(elsewhere, "shared.yaml"), "version: 1\n");
  fs.symlinkSync(join(elsewhere, "shared.yaml"), join(root, "loop.yaml"));
  const disk = readOnce(root);
  expect(readConfiguration(root, disk)).toMatchObject({ name: "loop.yaml", text: "version: 1\n" });
  expect(disk.texts["loop.yaml"]).toBeNull();
});

test("a plan carries the texts that it was made from", () => {
  const root = temporaryFolder();
  const yaml =
    "version: 1\nchecks: [{ name: test, run: npm test }]\nagents: { maker: { kind: command, command: [agent] } }\n";
  const feature = { id: "F001", name: "Add x()", acceptance_criteria: ["x() is 1"] };
  fs.mkdirSync(join(root, "docs"));
  fs.writeFileSync(join(root, "loop.yaml"), yaml);
  const features = JSON.stringify({ version: 1, features: [feature] });
  fs.writeFileSync(join(root, "docs", "FEATURES.json"), features);
  const { texts } = planRun({ root, request: null, flags: {} });
  expect(texts).toMatchObject({ "loop.yaml": yaml, "docs/FEATURES.json": features, "docs/LOOP.md": null });
});
