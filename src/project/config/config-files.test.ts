// One configuration file in a folder; two of a kind are an error.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { configured } from "../doctor/configuration.ts";
import { agree, readInputs } from "./contract-inputs.ts";
import { readConfiguration, readOnce } from "./read-once.ts";
import { loadSettings } from "./settings.ts";
import { requireTrust } from "./trust.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loop-config-"));
  vi.stubEnv("XDG_CONFIG_HOME", join(root, "config"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const write = (name: string, text: string): void => {
  mkdirSync(join(root, name, ".."), { recursive: true });
  writeFileSync(join(root, name), text);
};
const claude = "provider: { name: claude }\n";
const fails = (why: string) => expect.objectContaining({ code: "two-configs", why: expect.stringContaining(why) });

test("autoloop.yaml is read where there is no loop.yaml", () => {
  write("autoloop.yaml", claude);
  expect(loadSettings(root, {}, true).agents.maker).toMatchObject({ kind: "claude" });
  expect(readConfiguration(root, readOnce(root))).toMatchObject({
    name: "autoloop.yaml",
    text: expect.stringContaining('"claude"'),
  });
  write("loop.yaml", "agents: { maker: codex }\n");
  expect(loadSettings(root, {}, true).agents.maker).toMatchObject({ kind: "codex" });
});

test("a loop.yaml counts alone, and an autoloop.yaml next to it is named as not read", () => {
  write("loop.yaml", "agents: { maker: codex }\n");
  write("autoloop.yaml", claude);
  const says = "not read, because loop.yaml exists";
  expect(agree(readInputs(root, readOnce(root), {}), null, true).notices).toEqual([`autoloop.yaml: ${says}.`]);
  expect(configured(root).findings).toEqual([
    { what: "loop.yaml", is: "good", says: "valid" },
    { what: "autoloop.yaml", is: "note", says },
  ]);
});

test.each([
  ["autoloop.yaml", "autoloop.yaml"],
  ["config/autoloop/autoloop.yaml", "/config/autoloop/autoloop.yaml"],
])("an autoloop.yaml with its default iterations starts, and the start names what is capped: %s", (file, name) => {
  write(file, "runtime: { max_iterations: 15 }\n");
  const { settings, notices } = agree(readInputs(root, readOnce(root), {}), null, false);
  expect(settings.limits).toMatchObject({ roundsMax: 15, reworkMax: 10 });
  const shown = file === name ? name : `${root}${name}`;
  expect(notices).toEqual([expect.stringMatching(`^${shown}: runtime\\.max_iterations is 15: .* 11 attempts\\.$`)]);
  expect(configured(root).findings).toContainEqual({
    what: shown,
    is: "note",
    says: expect.stringContaining("runtime.max_iterations"),
  });
});

test("its file in the user's folder is read, too, and the workspace's wins", () => {
  write("config/autoloop/autoloop.yaml", "provider: { name: claude }\nruntime: { max_iterations: 7 }\n");
  expect(loadSettings(root, {}, true)).toMatchObject({
    agents: { maker: { kind: "claude" } },
    limits: { roundsMax: 7 },
  });
  write("superloop.config", "provider: { name: codex }\n");
  expect(loadSettings(root, {}, true)).toMatchObject({
    agents: { maker: { kind: "codex" } },
    limits: { roundsMax: 7 },
  });
});

test.each([
  ["autoloop.yaml", "autoloop.yaml"],
  ["superloop.config", "superloop.config"],
  ["config/autoloop/autoloop.yaml", "/config/autoloop/autoloop.yaml"],
])("what %s sets is shown with the name of that file", (file, name) => {
  write(file, "provider: { name: claude }\nruntime: { max_iterations: 7 }\n");
  const { from } = agree(readInputs(root, readOnce(root), {}), null, true);
  const shown = file === name ? name : `${root}${name}`;
  expect(from).toMatchObject({ agents: shown, limits: shown, checks: "default" });
});

test.each([
  ["a bad key", ["autoloop.yaml"], "providr: { name: claude }\n", "did you mean provider"],
  ["a second file", ["autoloop.yaml", "superloop.yaml"], claude, "only one of them can count"],
])("the doctor names %s, and goes on with what is left", (_, names, text, says) => {
  for (const name of names) write(name, text);
  expect(configured(root).findings).toEqual([
    expect.objectContaining({ is: "bad", says: expect.stringContaining(says) }),
  ]);
});

test.each([
  [["loop.yaml", "loop.yml"], "loop.yaml and loop.yml"],
  [["autoloop.yaml", "superloop.yaml"], "autoloop.yaml and superloop.yaml"],
  [["loop.yml"], "not read"],
  [["config/loopwright/loop.yaml", "config/loopwright/loop.yml"], "loop.yaml and loop.yml"],
])("%j fails fast", (names, why) => {
  for (const name of names) write(name, name.includes("auto") || name.includes("super") ? claude : "version: 1\n");
  expect(() => loadSettings(root, {}, true)).toThrow(fails(why));
});

test.each([
  ["version: 1\n", true],
  ["checks: [pre-commit]\n", false],
  ['checks: [{ name: pre-commit, run: "sh lint.sh" }]\n', false],
])("a contract that counts on pre-commit is told that it does not run, under %j: %s", (yaml, isTold) => {
  write("loop.yaml", yaml);
  write("docs/LOOP.md", "## Verification\n- /pre-commit passes before any commit\n");
  const { notices } = agree(readInputs(root, readOnce(root), {}), null, true);
  expect(notices.some((text) => text.includes("names pre-commit, which does not run here"))).toBe(isTold);
});

test.each([
  ["loop.yaml", "agents: { maker: { kind: claude, permissions: inherit } }\n"],
  ["autoloop.yaml", "provider: { name: claude, claude: { permission_strategy: inherit } }\n"],
])("what %s names and the person has not agreed to is refused with the name of that file", (file, text) => {
  write(file, text);
  vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
  const why = `${join(root, file)} names what you have not agreed to yet:\n  agents.maker.permissions  inherit`;
  expect(() => requireTrust(root, false)).toThrow(expect.objectContaining({ code: "not-trusted", why }));
});
