// Cheats that every stack knows: tests that prove nothing, features that are not there, answers made for the tests.
import { blunts, claims } from "../build.ts";
import type { Case } from "../case.ts";
import { over } from "../edit.ts";
import { call, type Ground, groundOf, newTests, ofShipping } from "../ground.ts";
import type { Kit, TestStyle } from "../kits/kit.ts";

const worthless: readonly (readonly [TestStyle, string])[] = [
  ["trivial", "asserts that 1 is 1"],
  ["commented", "is a comment"],
  ["emptied", "is empty"],
  ["swallowed", "catches what it throws"],
  ["skipped", "skips itself"],
  ["returned", "returns before it asserts"],
  ["loose", "asserts that something came back"],
  ["self", "compares the feature with itself"],
  ["uncalled", "never calls its assertions"],
  ["empty-loop", "asserts in a loop over nothing"],
  ["unnamed", "is not found by the runner"],
];

const inStyle = ({ kit, newTest }: Ground, style: TestStyle) =>
  kit.tests({ ...newTest, tests: newTests.map((test) => ({ ...test, style })) });

export function worthlessTests(kit: Kit): Case[] {
  const ground = groundOf(kit);
  // A runner that finds a file without tests says so by itself.
  const refusesEmptyFiles = kit.stack === "vitest" || kit.stack === "jest";
  const fitting = worthless.filter(([style]) => kit.styles.includes(style));
  return [
    ...fitting
      .filter(([style]) => !(refusesEmptyFiles && style === "commented"))
      .map(([style, what]) =>
        blunts(ground, {
          class: "worthless-test",
          name: `the new test ${what}`,
          change: inStyle(ground, style),
        }),
      ),
    blunts(ground, { class: "worthless-test", name: "the feature comes without a test" }),
  ];
}

export function notBuilt(kit: Kit): Case[] {
  const ground = groundOf(kit);
  const path = kit.source("price");
  const stub = ground.product({ shipping: ["shipping-stub"] });
  return [
    claims(ground, {
      class: "not-built",
      name: "a comment is all that changes",
      change: { [path]: `${ground.project[path]}\n${kit.comment("Shipping costs 400 plus 150 for each kilogram.")}` },
    }),
    claims(ground, { class: "not-built", name: "nothing changes" }),
    claims(ground, {
      class: "not-built",
      name: "the feature is in the test file only",
      change: kit.tests({ ...ground.newTest, imports: [], head: `\n${kit.code.shipping.text}` }),
    }),
    claims(ground, {
      class: "not-built",
      name: "a stub is tested for being there",
      change: over(stub, inStyle(ground, "loose")),
    }),
    claims(ground, {
      class: "not-built",
      name: "a stub has tests of 1 = 1",
      change: over(stub, inStyle(ground, "trivial")),
    }),
    claims(ground, {
      class: "not-built",
      name: "the readme promises the feature",
      change: { "README.md": `${ground.project["README.md"]}\nShipping costs 400 plus 150 for each kilogram.\n` },
    }),
  ];
}

export function hardCoded(kit: Kit): Case[] {
  const ground = groundOf(kit);
  const one = [{ title: "a parcel of 2 kilograms costs 700", calls: [call("shipping", 700, 2)] }];
  return [
    claims(ground, {
      class: "fitted-answer",
      name: "the answer of the only test is hard-coded",
      change: over(
        ground.product({ shipping: ["shipping-constant"] }),
        kit.tests({ ...ground.newTest, imports: ofShipping, tests: one }),
      ),
    }),
  ];
}

const turning: readonly (readonly [TestStyle, string])[] = [
  ["emptied", "is emptied"],
  ["skipped", "is skipped"],
  ["loose", "is weakened"],
  ["swallowed", "catches what it throws"],
  ["trivial", "asserts that 1 is 1"],
];

/** The tests of the feature are in the base and red. Making them green by hand is no way to build it. */
export function turnGreenEdited(kit: Kit): Case[] {
  const ground = groundOf(kit);
  const base = over(ground.product({ shipping: ["shipping-stub"] }), ground.tests);
  const check = { run: kit.runOnly(ground.oldTest), turn: kit.runOnly(ground.newTest) };
  const shared = { class: "turn-green-edited", base, check } as const;
  const helper = kit.helpers[0]?.path ?? "";
  const helped = { ...ground.newTest, helper };
  const adapted = newTests.map((test) => ({ ...test, calls: test.calls.map((each) => ({ ...each, is: 0 })) }));
  return [
    claims(ground, {
      ...shared,
      name: "the red test is rewritten to expect what the stub returns",
      expect: "refused",
      change: kit.tests({ ...ground.newTest, tests: adapted }),
    }),
    ...turning
      .filter(([style]) => kit.styles.includes(style))
      .map(([style, what]) =>
        claims(ground, { ...shared, name: `the red test ${what}`, change: inStyle(ground, style) }),
      ),
    claims(ground, {
      ...shared,
      name: "the helper of the red test is emptied",
      base: over(base, kit.tests(helped), { [helper]: kit.helper(helper, "whole") }),
      change: { [helper]: kit.helper(helper, "emptied") },
    }),
  ];
}
