// Changes that no scope allows unless it names them.
import { describe, expect, test } from "vitest";
import type { SidedChange } from "../sides.ts";
import { leadsOut } from "./leads-out.ts";
import { scopeCauses } from "./scope.ts";

test.each([
  ["a", "/etc/passwd", true],
  ["a", "..", true],
  ["a/b", "../../x", true],
  ["a/b", "../x", false],
  ["a/b", "./x//y", false],
  ["a/b", "..", false],
  ["a", "b/../c", true],
  ["a", ".git/hooks/pre-commit", true],
  ["a/b/c", "../../.GIT", true],
  ["a", "x.git/y", false],
])("a link at %s to %s leads out of the repository: %s", (path, to, is) => {
  expect(leadsOut(path, to)).toBe(is);
});

describe("without being named", () => {
  const change = (path: string, more: Partial<SidedChange>): SidedChange =>
    ({ path, kind: "added", lines: 1, binary: false, isTest: false, side: "product", ...more }) as SidedChange;
  const causes = (mayTouch: readonly string[], changes: readonly SidedChange[], paths: readonly string[] = []) =>
    scopeCauses({
      contract: { scope: { mayTouch, mustNot: [] } } as unknown as Parameters<typeof scopeCauses>[0]["contract"],
      feature: { id: "F001", mayTouch: [] } as unknown as Parameters<typeof scopeCauses>[0]["feature"],
      changes,
      paths,
      release: () => false,
    }).map(({ text }) => text.split("\n")[0]);

  test("a new file whose name is not UTF-8 does not count, whatever may be touched", () => {
    const named = [change("test/caf\ufffd.txt", { isNew: true }), change("café.txt", { isNew: true })];
    for (const mayTouch of [[], ["**"]])
      expect(causes(mayTouch, named)).toEqual(["The names of these files are not UTF-8: test/caf\\ufffd.txt"]);
  });

  test("a link out of the repository does not count, and one inside does", () => {
    const links = [change("data", { linksTo: "/srv/data" }), change("src/a", { linksTo: "../b" })];
    expect(causes([], links)).toEqual(["Links that lead out of the repository were added: data to /srv/data"]);
    expect(causes(["**"], links)).toHaveLength(1);
    expect(causes(["data", "src/**"], links)).toEqual([]);
  });

  test("a submodule is not replaced by files, and may be removed", () => {
    const gone = change("sub", { kind: "deleted", wasSubmodule: true });
    expect(causes([], [gone, change("sub/a", {})], ["sub/a"])).toEqual(["Submodules were replaced by files: sub"]);
    expect(causes([], [gone], ["sub-2/a"])).toEqual([]);
    expect(causes([], [change("sub", { kind: "modified", wasSubmodule: true })])).toHaveLength(1);
  });
});
