// Everything in a loop.yaml that runs a program or weakens a wall is named, and nothing else is.
import { describe, expect, test } from "vitest";
import { parseLoopYaml } from "./loop-yaml.ts";
import { namedPrograms } from "./named-programs.ts";

const keys = (yaml: string): string[] => namedPrograms(parseLoopYaml(yaml, "loop.yaml")).map(({ key }) => key);

describe("is named", () => {
  test.each([
    ["agents: { maker: { kind: command, command: [sh, a.sh] } }", ["agents.maker.command"]],
    ["agents: { checker: { kind: claude, path: ./x, args: [-a] } }", ["agents.checker.args", "agents.checker.path"]],
    ["agents: { maker: { kind: rehearsal, script: a.json } }", ["agents.maker.script"]],
    [
      "agents: { maker: { kind: claude, permissions: bypass, env: [A] } }",
      ["agents.maker.env", "agents.maker.permissions"],
    ],
    [
      "agents: { maker: { kind: claude, sandbox: off, network: open } }",
      ["agents.maker.sandbox", "agents.maker.network"],
    ],
    [
      "agents: { maker: { kind: claude, home: [.ssh], prices: { m: { input: 0, output: 0, cache_read: 0, cache_write: 0 } } } }",
      ["agents.maker.prices", "agents.maker.home"],
    ],
    ["checks: [{ name: t, run: a, before: b, after: c }]", ["checks.t.run", "checks.t.before", "checks.t.after"]],
    ["setup: npm ci", ["setup"]],
    ["setup: { run: npm ci, env: [A], home: [.npmrc] }", ["setup.run", "setup.env", "setup.home"]],
    ["build: make", ["build"]],
    ["room: { env: [A], home: [.npmrc], outside: [..] }", ["room.env", "room.home", "room.outside"]],
    ["env: [A]", ["env"]],
    ["sandbox: off\nnetwork: open", ["sandbox", "network"]],
  ])("%s", (yaml, named) => {
    expect(keys(yaml)).toEqual(named);
  });
});

test.each([
  "agents: { maker: claude, checker: { kind: codex, model: m, permissions: core } }",
  "limits: { cost_usd: 3 }\nautonomy: L1\nscope: { may_touch: [src/**] }",
  "sandbox: require\nnetwork: model",
  "build: ''\nroom: { files: [.env.test] }",
])("%s names nothing", (yaml) => {
  expect(keys(yaml)).toEqual([]);
});

test("two lists that look alike when joined are told apart", () => {
  const value = (yaml: string) => namedPrograms(parseLoopYaml(yaml, "loop.yaml"))[0]?.value;
  const one = value('agents: { maker: { kind: command, command: [sh, "a b"] } }');
  expect(one).not.toBe(value("agents: { maker: { kind: command, command: [sh, a, b] } }"));
});
