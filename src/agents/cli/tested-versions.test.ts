import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testedVersions, versionIn } from "./tested-versions.ts";

const pins = fs.readFileSync(fileURLToPath(new URL("../../../scripts/agent-clis.mjs", import.meta.url)), "utf8");

test.each(["claude", "codex"] as const)("%s is tested with the first and the last version of the range", (kind) => {
  const folder = fileURLToPath(new URL("../../../tests/agents", import.meta.url));
  const texts = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => fs.readFileSync(join(folder, name), "utf8"));
  for (const version of Object.values(testedVersions[kind])) {
    expect(pins).toContain(`"${kind}@${version}"`);
    expect(texts.some((text) => text.includes(`"${kind}@${version}"`))).toBe(true);
  }
});

test.each([
  { version: "2.1.197", is: true },
  { version: "2.1.325", is: true },
  { version: "2.1.326", is: false },
  { version: "2.0.999", is: false },
  { version: "10.0.0", is: false },
  { version: "unknown", is: false },
])("$version is in the range: $is", ({ version, is }) => {
  expect(versionIn(version, testedVersions.claude)).toBe(is);
});
