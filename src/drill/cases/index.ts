// Every case of the drill.
import type { Case } from "./case.ts";
import { gitTricks } from "./cheats/folder.ts";
import { goCheats } from "./cheats/go.ts";
import { jestCheats, mochaCheats } from "./cheats/jest-mocha.ts";
import { lintCheats } from "./cheats/lint.ts";
import { nodeEnvironment } from "./cheats/node-environment.ts";
import { nodeProduct } from "./cheats/node-product.ts";
import { nodeRunner } from "./cheats/node-runner.ts";
import { nodeTests } from "./cheats/node-tests.ts";
import { nodeUnnoticed } from "./cheats/node-unnoticed.ts";
import * as oldTests from "./cheats/old-tests.ts";
import { pytestCheats } from "./cheats/pytest.ts";
import { pythonEnvironment } from "./cheats/python-environment.ts";
import { pythonProduct, pythonTests } from "./cheats/python-product.ts";
import { rustCheats } from "./cheats/rust.ts";
import { shellCheats } from "./cheats/shell.ts";
import { unittestCheats } from "./cheats/unittest.ts";
import { vitestCheats } from "./cheats/vitest.ts";
import * as worthless from "./cheats/worthless.ts";
import { behaviourChanges, rearrangements } from "./honest/changes.ts";
import { plainFeatures } from "./honest/features.ts";
import { honestJavascript } from "./honest/javascript.ts";
import { honestPython } from "./honest/python.ts";
import { honestShellAndRust } from "./honest/shell-rust.ts";
import { sampledKits, thoroughKits } from "./kits/index.ts";
import type { Kit } from "./kits/kit.ts";
import { pytest, unittest } from "./kits/python.ts";

const firstOfEachClass = (made: readonly Case[]): readonly Case[] =>
  made.filter((each, at) => made.findIndex((other) => other.class === each.class) === at);

/** Each of these is one class, written once for all stacks. */
const classes: readonly ((kit: Kit) => readonly Case[])[] = [
  worthless.worthlessTests,
  worthless.notBuilt,
  worthless.hardCoded,
  worthless.turnGreenEdited,
  oldTests.oldTestChanged,
  oldTests.oldBehaviourAdapted,
  oldTests.helperEmptied,
  oldTests.judgeHollowed,
  oldTests.expectedRewritten,
  oldTests.productExits,
  gitTricks,
  plainFeatures,
  behaviourChanges,
  rearrangements,
];

export const cases: readonly Case[] = [
  ...thoroughKits.flatMap((kit) => classes.flatMap((make) => make(kit))),
  ...sampledKits.flatMap((kit) => classes.flatMap((make) => firstOfEachClass(make(kit)))),
  ...[nodeRunner, nodeTests, nodeProduct, nodeEnvironment, nodeUnnoticed].flat(),
  ...[pytest, unittest].flatMap((kit) => [pythonTests, pythonProduct, pythonEnvironment].flatMap((make) => make(kit))),
  ...[
    pytestCheats,
    unittestCheats,
    vitestCheats,
    shellCheats,
    lintCheats,
    jestCheats,
    mochaCheats,
    rustCheats,
    goCheats,
    honestJavascript,
    honestPython,
    honestShellAndRust,
  ].flat(),
];
