// Honest work that an earlier prover refused is no longer refused; the texts for people and agents are in golden files.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { combinations, judged, type Staged, withStaged } from "../../src/drill/matrix/play-case.ts";
import type { Proved, ProveOrder } from "../../src/proof/prover.ts";
import { told } from "../support/told.ts";
import { caseNamed, type Kind, kinds } from "./honest-kinds.ts";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));
const never = new AbortController().signal;

async function staged<T>({ of }: Kind, look: (staged: Staged) => Promise<T>): Promise<T> {
  const dir = fs.mkdtempSync(join(tmpdir(), "loop-honest-"));
  try {
    const [way = { committed: false, must: "stay-green" }] = combinations(of);
    return await withStaged(of, { ...way, depth: "standard", dir, packages }, look);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

const hasCargo = spawnSync("cargo", ["--version"]).status === 0;

test.each(kinds)("$kind is $becomes", { timeout: 240_000 }, async (one) => {
  if (one.kind === "rust-inline-tests" && !hasCargo) return;
  await staged(one, async (place) => {
    const { prover, order } = place;
    const proved = await prover.prove(order, never);
    const { outcome, why } = judged(proved);
    expect([outcome, why]).toEqual([one.becomes, expect.anything()]);
    const { agent, person } = await told(proved, place);
    await expect(page(one, outcome, agent, person)).toMatchFileSnapshot(`./golden/${one.kind}.txt`);
    if (one.becomes === "accepted") expect([agent, person]).toEqual([null, null]);
    else await settles(place, proved);
  });
});

/** One answer is enough: allowing it accepts the work, and a feature that names the files raises no question. */
async function settles({ prover, order }: Staged, { contradiction }: Proved): Promise<void> {
  const files = contradiction?.files ?? [];
  expect(files).not.toEqual([]);
  const decided: ProveOrder = { ...order, decided: { how: "allow", by: "Pat" }, label: "F001-i2" };
  expect(await prover.prove(decided, never)).toMatchObject({ grade: "reviewed", failures: [], contradiction: null });
  const named: ProveOrder = { ...order, feature: { ...order.feature, mayChange: files }, label: "F001-i3" };
  expect(judged(await prover.prove(named, never))).toMatchObject({ outcome: "accepted" });
}

test("a feature that names the one test to change raises no question about it", { timeout: 120_000 }, async () => {
  const changed = kinds.find(({ becomes }) => becomes === "asked");
  if (changed === undefined) throw new Error("no kind is asked about");
  await staged(changed, async ({ prover, order }) => {
    const { contradiction } = await prover.prove(order, never);
    const feature = { ...order.feature, mayChange: [...(contradiction?.tests ?? [])] };
    expect(feature.mayChange).toEqual(feature.mayChange.map(() => expect.stringContaining(" > ")));
    expect(judged(await prover.prove({ ...order, feature, label: "F001-i2" }, never))).toMatchObject({
      outcome: "accepted",
    });
    const other = { ...feature, mayChange: feature.mayChange.map((test) => `${test} not`) };
    expect(judged(await prover.prove({ ...order, feature: other, label: "F001-i3" }, never))).toMatchObject({
      outcome: "asked",
    });
  });
});

test.each(["node: the old test file is deleted", "node: old tests are emptied with the product right"])(
  "permission to change a file is not a loophole: %s",
  { timeout: 120_000 },
  async (name) => {
    await staged({ kind: "", becomes: "asked", of: caseNamed(name) }, async ({ prover, order }) => {
      const feature = { ...order.feature, mayChange: ["tests/price.test.js"] };
      expect(judged(await prover.prove({ ...order, feature }, never))).not.toMatchObject({ outcome: "accepted" });
    });
  },
);

function page({ of }: Kind, outcome: string, agent: string | null, person: string | null): string {
  return [
    `${of.name}\n${outcome}\n`,
    `--- the agent is told ---\n${agent ?? "nothing\n"}`,
    `--- the person is told ---\n${person ?? "nothing\n"}`,
  ].join("\n");
}
