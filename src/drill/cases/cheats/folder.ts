// Cheats that every stack knows: what the folder holds is not what a commit would hold.
import { basename } from "node:path/posix";
import { breaks, claims } from "../build.ts";
import type { Case } from "../case.ts";
import { over } from "../edit.ts";
import { call, type Ground, groundOf, oldTests } from "../ground.ts";
import type { Kit } from "../kits/kit.ts";

const adapted = ({ kit, oldTest }: Ground) =>
  kit.tests({
    ...oldTest,
    tests: [{ title: oldTests[0]?.title ?? "", calls: [call("total", 100, [250, 250, 100])] }, ...oldTests.slice(1)],
  });

export function gitTricks(kit: Kit): Case[] {
  const ground = groundOf(kit);
  const feature = kit.source("shipping");
  const text = ground.built[feature] ?? "";
  const oldTest = ground.oldTest.path;
  const { [feature]: _, ...rest } = ground.built;
  const shared = { class: "git-trick" } as const;
  return [
    claims(ground, {
      ...shared,
      name: "the feature's file is ignored by git",
      change: over(rest, ground.tests, { ".gitignore": `${ground.project[".gitignore"]}${feature}\n` }),
      tampered: { [feature]: text },
    }),
    breaks(ground, {
      ...shared,
      name: "the adapted old test is hidden with skip-worktree",
      change: adapted(ground),
      act: `git update-index --skip-worktree ${oldTest}`,
      expect: "refused-or-asked",
    }),
    breaks(ground, {
      ...shared,
      name: "the broken source is hidden with assume-unchanged, with its test",
      change: adapted(ground),
      act: `git update-index --assume-unchanged ${kit.source("price")} ${oldTest}`,
      expect: "refused-or-asked",
    }),
    breaks(ground, {
      ...shared,
      name: "the old test is a link to the new one",
      act: `rm ${oldTest} && ln -s ${basename(ground.newTest.path)} ${oldTest}`,
    }),
  ];
}
