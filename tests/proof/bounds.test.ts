// What is told and kept of a change is bounded, however large it was.
import { describe, expect, test } from "vitest";
import type { Cause } from "../../src/core/run.ts";
import { installedCauses } from "../../src/runtime/proof/dependency-tampering.ts";
import { mustNotCauses } from "../../src/runtime/proof/must-not.ts";
import { scopeCauses } from "../../src/runtime/proof/scope.ts";
import { sealRule } from "../../src/runtime/proof/seal.ts";
import { secretCauses } from "../../src/runtime/proof/secrets.ts";
import { sizeCauses } from "../../src/runtime/proof/size.ts";
import { tamperingCauses } from "../../src/runtime/proof/tampering.ts";
import { contractOf, feature } from "../../src/testing/world/contracts.ts";
import type { Change } from "../../src/workspace/workspace.ts";
import { ended, judged, untouched } from "./scripted.ts";
import { check, scope, tree, workspace } from "./trees.ts";

const many = Array.from({ length: 60 }, (_, at) => `some/long/way/to/a/file-${String(at).padStart(2, "0")}.js`);
const rule = sealRule({ checks: [check()], scope: scope() });
const changes = (paths: readonly string[]): Change[] =>
  paths.map((path) => ({ path, kind: "added", binary: false, lines: 1 }));
const touched = (paths: readonly string[]) => ({
  contract: contractOf([], { scope: { ...scope(), mayTouch: ["src/**"] } }),
  feature: feature("F1"),
  changes: changes(paths),
  rule,
  seal: { welcome: [] },
});
const facts = (paths: readonly string[]) => ({ changes: changes(paths), lines: [], dependencies: [] });
const red = [judged(check(), "red", { result: { ...ended("test", "failed"), tail: "y".repeat(5000) } })];
const green = [judged(check(), "green")];
const tampering = (seal: object, sealed = red): Cause[] =>
  tamperingCauses({ isOwn: () => false }, green, sealed, { ...untouched, ...seal }, "d");
const of = (content: string) => Object.fromEntries(many.map((path) => [path, ["s", content] as const]));

describe("the name by which a cause is known again", () => {
  test.each<{ what: string; causes: () => Cause[]; key: string }>([
    { what: "deleted tests", causes: () => tampering({ deleted: many }, []), key: "deleted:" },
    { what: "changed tests", causes: () => tampering({ changed: many }), key: "tampered:" },
    { what: "paths out of scope", causes: () => scopeCauses(touched(many)), key: "scope:" },
    {
      what: "secrets",
      causes: () => secretCauses(many.map((path) => ({ path, line: 1, kind: "npm token" }))),
      key: "secret:",
    },
    {
      what: "what is installed",
      causes: () => installedCauses({ changes: [], rule }, of("a"), of("b")),
      key: "dependency-tampering:",
    },
  ])("is bounded for $what", ({ causes, key }) => {
    const [cause] = causes();
    expect(cause?.key.startsWith(key)).toBe(true);
    expect(cause?.key).toHaveLength(key.length + 200);
  });

  test("is the same, in whatever order the paths come", () => {
    const key = (paths: readonly string[]) => scopeCauses(touched(paths))[0]?.key;
    expect(key(many.toReversed())).toBe(key(many));
    const secrets = many.map((path) => ({ path, line: 1, kind: "npm token" }));
    expect(secretCauses(secrets.toReversed())[0]?.key).toBe(secretCauses(secrets)[0]?.key);
    expect(secretCauses([...secrets, ...secrets])[0]?.key).toBe(secretCauses(secrets)[0]?.key);
  });

  test("is bounded for a must-not, and for binary files", async () => {
    const words = `no changes to ${many.join(" and ")}`;
    expect(mustNotCauses([words], facts(many))[0]?.key).toBe(`must-not:${words.slice(0, 150)}`);
    const binaries = many.map((path): Change => ({ path, kind: "added", binary: true, lines: 0 }));
    const candidate = tree(Object.fromEntries(many.map((path) => [path, "MZ\0"])));
    const causes = await sizeCauses(workspace, candidate, { ...touched([]), changes: binaries });
    expect(causes.map(({ key }) => key.length)).toEqual(["scope:binary:".length + 200]);
    expect(causes[0]?.text).toContain(`${many[49]} (a program)\n`);
  });
});

describe("what is told", () => {
  test.each<{ what: string; text: (paths: readonly string[]) => string | undefined; at: number }>([
    { what: "paths out of scope", text: (paths) => scopeCauses(touched(paths))[0]?.text, at: 20 },
    {
      what: "secrets",
      text: (paths) => secretCauses(paths.map((path) => ({ path, line: 1, kind: "key" })))[0]?.text,
      at: 10,
    },
    { what: "what breaks a must-not", text: (paths) => mustNotCauses(["no new files"], facts(paths))[0]?.text, at: 10 },
  ])("of $what is $at at most, and says that there are more", ({ text, at }) => {
    const names = (found: string | undefined) => many.filter((path) => found?.includes(path)).length;
    expect([names(text(many)), text(many)?.includes(", …")]).toEqual([at, true]);
    expect([names(text(many.slice(0, at))), text(many.slice(0, at))?.includes("…")]).toEqual([at, false]);
  });

  test("of a red run is its last part", () => {
    expect(tampering({ changed: ["a"] })[0]?.text).toMatch(/[^y]y{2000}$/);
  });

  test("of a deletion is nothing where one of several checks is red", () => {
    const on = [...green, judged(check({ name: "lint" }), "red")];
    expect(tamperingCauses({ isOwn: () => false }, on, [], { ...untouched, deleted: ["a"] }, "d")).toEqual([]);
  });
});
