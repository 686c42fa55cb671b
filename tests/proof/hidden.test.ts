// Hidden files and folders are files and folders: a dot before a name hides nothing from a rule.
import { expect, test } from "vitest";
import { mustNotCauses } from "../../src/runtime/proof/must-not.ts";
import { scopeCauses } from "../../src/runtime/proof/scope.ts";
import { sealRule } from "../../src/runtime/proof/seal.ts";
import { contractOf, feature } from "../../src/testing/world/contracts.ts";
import type { Change } from "../../src/workspace/workspace.ts";
import { check, scope } from "./trees.ts";

const changed = (path: string): Change => ({ path, kind: "added", binary: false, lines: 1 });

test.each(["src/legacy/.env", "src/legacy/.hidden/a.js"])("a must-not about src/legacy is about %s", (path) => {
  const facts = { changes: [changed(path)], lines: [], dependencies: [] };
  expect(mustNotCauses(["do not touch src/legacy"], facts)).toHaveLength(1);
});

test.each([".hidden/CLAUDE.md", "src/.hidden/AGENTS.md", ".claude/.hidden", ".husky/.x/pre-commit"])(
  "%s steers",
  (path) => {
    const rule = sealRule({ checks: [check()], scope: scope() });
    const touched = {
      contract: contractOf([]),
      feature: feature("F1"),
      changes: [changed(path)],
      rule,
      seal: { welcome: [] },
    };
    expect(scopeCauses(touched)).toHaveLength(1);
  },
);
