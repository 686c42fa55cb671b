// The work queue that a person edits: read, kept, and not lost to a crash or a rest.
import { expect, test } from "vitest";
import type { Run } from "../core/run.ts";
import { begin } from "../core/run.ts";
import { contractOf, feature } from "../testing/world/contracts.ts";
import { Faults } from "../testing/world/faults.ts";
import { worldDisk, worldFiles } from "../testing/world/files.ts";
import { taped } from "../testing/world/random.ts";
import { featuresSource, readFeatures } from "./inputs.ts";
import type { Ports } from "./ports.ts";
import { rememberAll } from "./records/guard.ts";

const path = "docs/FEATURES.json";
const queue = (...ids: string[]): string =>
  JSON.stringify({
    version: 1,
    features: ids.map((id) => ({
      id,
      name: `Feature ${id}`,
      priority: 1,
      status: "not-started",
      acceptance_criteria: [`${id} works`],
    })),
  });

function begun(...ids: string[]) {
  const faults = new Faults(taped([]), 0);
  const folder = new Map([[path, queue(...ids)]]);
  const kept = new Map([[featuresSource, queue(...ids)]]);
  const ports = { files: worldFiles(kept, faults), disk: worldDisk(folder, faults, () => undefined) } as Ports;
  const run: Run = begin(contractOf(ids.map((id) => feature(id))));
  rememberAll(ports, "docs");
  return { folder, kept, ports, run };
}
const idsOf = (features: ReturnType<typeof readFeatures>) => features?.map(({ id }) => id) ?? null;

test("an unedited queue is not reported", () => {
  const { run, ports } = begun("F1");
  expect(readFeatures(run, ports)).toBeNull();
});

test("an edit is seen again if a crash came before it was recorded", () => {
  const { run, ports, folder } = begun("F1");
  folder.set(path, queue("F1", "F2"));
  expect(idsOf(readFeatures(run, ports))).toEqual(["F1", "F2"]);
  expect(idsOf(readFeatures(run, ports))).toEqual(["F1", "F2"]);
});

test("an edit made while the run rests receives the statuses, and is seen on resume", () => {
  const { run, ports, folder, kept } = begun("F1");
  folder.set(path, queue("F1", "F2"));
  rememberAll(ports, "docs");
  expect(kept.get(featuresSource)).toBe(queue("F1", "F2"));
  expect(idsOf(readFeatures(run, ports))).toEqual(["F1", "F2"]);
});

test("a copy of an invalid edit is kept, and the queue stays as agreed", () => {
  const { run, ports, folder, kept } = begun("F1");
  folder.set(path, "{ half");
  rememberAll(ports, "docs");
  expect(kept.get(featuresSource)).toBe(queue("F1"));
  expect([...kept].filter(([place]) => place.startsWith("set-aside/"))).toEqual([
    [expect.stringMatching(/^set-aside\/[0-9a-f]{12}\/docs\/FEATURES\.json$/), "{ half"],
  ]);
  expect(readFeatures(run, ports)).toBeNull();
});
