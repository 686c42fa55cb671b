// The Stop hook and a run ask the same prover: on the same trees they get the same answer, for the same reasons.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import type { Case } from "../../src/drill/cases/case.ts";
import { cases } from "../../src/drill/cases/index.ts";
import { combinations, judged, layBase, leaveChange, type Way, withStaged } from "../../src/drill/matrix/play-case.ts";
import { beginHold } from "../../src/hook/begin.ts";
import { activeFile } from "../../src/hook/places.ts";
import { firstLine } from "../../src/hook/steps.ts";
import { answerStop } from "../../src/hook/stop.ts";
import { readHold } from "../../src/hook/store.ts";
import { trust } from "../../src/project/config/trust.ts";
import { isThorough, onlyWhenThorough } from "../support/thorough.ts";
import { done } from "./held.ts";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));
const stateHome = process.env["XDG_STATE_HOME"];
let dir = "";
afterEach(() => {
  if (stateHome === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = stateHome;
  fs.rmSync(dir, { recursive: true, force: true });
});

/** A hold is one feature of kind `change` with no `mayChange`: of those cases, the first of each class and side. */
const isComparable = ({ stack, needs = [], feature }: Case): boolean =>
  stack === "node" && needs.length === 0 && (feature.kind ?? "change") === "change" && feature.mayChange === undefined;
const sample = [
  ...new Map(
    cases
      .filter(isComparable)
      .toReversed()
      .map((one) => [`${one.class} ${one.honest}`, one]),
  ).values(),
];

/** The checks are in the tree, so that both sides read the same ones. */
function configured(one: Case): Case {
  const { run, lint, turn } = one.check;
  const check = (name: string, command: string, must: string) => ({ name, run: command, must, timeout_s: 60 });
  const checks = [
    check("test", run, "stay-green"),
    ...(lint === undefined ? [] : [check("lint", lint, "stay-green")]),
    ...(turn === undefined ? [] : [check("turn", turn, "turn-green")]),
  ];
  const yaml = `version: 1\nproof: { depth: quick }\nchecks: ${JSON.stringify(checks)}\n`;
  return { ...one, project: { ...one.project, "loop.yaml": yaml } };
}

type Answer = { base: string; candidate: string; isMet: boolean; why: string[] };

async function ofRun(one: Case, way: Way): Promise<Answer> {
  const options = { ...way, depth: "quick", dir: join(dir, "run"), packages } as const;
  return withStaged(one, options, async ({ prover, order }) => {
    // A hold must turn every turn-green check green; a run's feature names its own.
    const feature = { ...order.feature, checks: way.must === "turn-green" ? ["turn"] : [] };
    const proved = await prover.prove({ ...order, feature }, new AbortController().signal);
    const why = [...proved.failures.map(({ text }) => text), ...proved.missing].map(firstLine);
    const { base, candidate } = order;
    return { base, candidate, isMet: judged(proved).outcome === "accepted", why };
  });
}

async function ofHook(one: Case, { committed }: Way): Promise<Answer> {
  const place = { folder: join(dir, "hook"), home: join(dir, "home") };
  for (const folder of Object.values(place)) fs.mkdirSync(folder);
  await layBase(one, place, packages);
  // As a person would write it, in one sentence: the agent would have to tick a separate criterion.
  const request = [one.feature.name, ...one.feature.criteria].join(". ");
  const asked = { root: place.folder, request, criteria: [], checks: [], iterations: null, session: "s-1" };
  trust(place.folder);
  const {
    hold: { origin },
  } = await beginHold(asked);
  await leaveChange(one, place, committed);
  const file = activeFile("s-1");
  const input = { session: "s-1", folder: place.folder, again: false, message: done, prompt: "" };
  const said = JSON.parse(await answerStop({ input, file, withinMs: 120_000, env: {} })) as { systemMessage?: string };
  const isMet = said.systemMessage?.includes("met.") === true;
  const held = readHold(file);
  if (!held.ok) return { base: origin, candidate: "", isMet, why: [] };
  const last = held.hold.stops.at(-1);
  const why = (last?.unmet ?? []).filter((text) => !text.startsWith("Protected tests were changed, and nothing else"));
  return { base: origin, candidate: last?.tree ?? "", isMet, why };
}

/** Each of these was once wrongly accepted, or is handled differently from the others. */
const telling: readonly Case["class"][] = [
  "plain-feature",
  "behaviour-change",
  "not-built",
  "worthless-test",
  "product-exits",
  "old-test-changed",
  "turn-green-edited",
  "test-ends-runner",
  "dependency-tampered",
  "git-trick",
];

test.for(sample)("$class, honest: $honest: $name", { timeout: 120_000 }, async (plain, { skip }) => {
  skip(!isThorough && !telling.includes(plain.class), onlyWhenThorough);
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-same-")));
  process.env["XDG_STATE_HOME"] = join(dir, "state");
  const one = configured(plain);
  const [way = { committed: false, must: "stay-green" }] = combinations(one);
  const run = await ofRun(one, way);
  const hook = await ofHook(one, way);
  expect(hook.base).toBe(run.base);
  if (!hook.isMet) expect([hook.candidate, hook.why]).toEqual([run.candidate, run.why]);
  expect({ hook: hook.isMet }, run.why.join("\n")).toEqual({ hook: run.isMet });
});

test("there is a case of nearly every class, cheats and honest ones", () => {
  expect(sample.filter(({ honest }) => honest).length).toBeGreaterThan(10);
  expect(sample.filter(({ honest }) => !honest).length).toBeGreaterThan(20);
  expect(telling.every((name) => sample.some((one) => one.class === name))).toBe(true);
});
