// How often the rules agree with the author's judgement: it must not get worse, and docs/INTAKE.md states the figures.
import * as fs from "node:fs";
import { describe, expect, test } from "vitest";
import { type Intake, intake } from "../../src/intake/intake.ts";
import { heldOut } from "./held-out.ts";
import { requests } from "./requests.ts";
import type { Row } from "./row.ts";

const columns = ["shape", "workflow", "reversibility", "scores"] as const;
type Column = (typeof columns)[number];
type Tally = Record<Column, { agree: number; of: number }>;
type Judged = { readonly row: Row; readonly found: Intake; readonly differs: readonly string[] };

/** The measured figures. If they improve, update them here and on the page. */
const measured = {
  tuned: { shape: 126, workflow: 106, reversibility: 124, scores: 220 },
  heldOut: { shape: 23, workflow: 20, reversibility: 24, scores: 29 },
} satisfies Record<string, Record<Column, number>>;

/** Why the rules differ, keyed by how the request begins. Each difference has a reason. */
const because: Readonly<Record<string, string>> = {
  "flaky test:": '"retries or sleeps" counts as two constraints, and that makes 8',
  "Dockerize the app": "the verb holds the whole outcome, and the rules look for it in what the verb is done to",
  "lint errors": "neither an order with an object nor a failure that says what fails",
  "The search box": '"every keystroke" is taken for a set that can be counted off',
  "can someone fix this?": 'the trace names files, and "node 22" counts as a constraint',
};

const scoresOf = ({ dimensions }: Intake): string => dimensions.map(({ score }) => score).join("");

function judge(row: Row): Judged {
  const found = intake(row.request, row.known);
  const differs = (["shape", "workflow", "reversibility"] as const)
    .filter((column) => row[column] !== null && row[column] !== found[column])
    .map((column) => `${column}: ${row[column]} expected, ${found[column]} found`);
  const expected = row.dimensions?.join("") ?? null;
  if (expected !== null && expected !== scoresOf(found))
    differs.push(`scores: ${expected} expected, ${scoresOf(found)} found`);
  return { row, found, differs };
}

function tally(judged: readonly Judged[]): Tally {
  const count: Tally = {
    shape: { agree: 0, of: 0 },
    workflow: { agree: 0, of: 0 },
    reversibility: { agree: 0, of: 0 },
    scores: { agree: 0, of: 0 },
  };
  const add = (column: Column, agrees: boolean): void => {
    count[column].of++;
    if (agrees) count[column].agree++;
  };
  for (const { row, found } of judged) {
    for (const column of ["shape", "workflow", "reversibility"] as const)
      if (row[column] !== null) add(column, row[column] === found[column]);
    row.dimensions?.forEach((score, at) => void add("scores", score === found.dimensions[at]?.score));
  }
  return count;
}

const page = new URL("../../docs/INTAKE.md", import.meta.url);
const judged = { tuned: requests.map(judge), heldOut: heldOut.map(judge) };

function agreementText(): string {
  const counts = { tuned: tally(judged.tuned), heldOut: tally(judged.heldOut) };
  const cell = ({ agree, of }: { agree: number; of: number }): string =>
    `${agree} of ${of} (${Math.floor((agree / of) * 100)} %)`;
  const rows = columns.map(
    (column) => `| ${column} | ${cell(counts.tuned[column])} | ${cell(counts.heldOut[column])} |`,
  );
  const extra = (title: string, pick: (each: Judged) => boolean, miss: (each: Judged) => boolean): string => {
    const part = (list: readonly Judged[]): string =>
      `${list.filter((each) => pick(each) && miss(each)).length} of ${list.filter(pick).length}`;
    return `| ${title} | ${part(judged.tuned)} | ${part(judged.heldOut)} |`;
  };
  return [
    `| agreement on | ${requests.length} requests, tuned on | ${heldOut.length} requests, held out |`,
    "| --- | --- | --- |",
    ...rows,
    extra(
      "refused, though it should be begun",
      ({ row }) => row.shape !== "intent-needed",
      ({ found }) => found.shape === "intent-needed",
    ),
    extra(
      "begun, though it should be refused",
      ({ row }) => row.shape === "intent-needed",
      ({ found }) => found.shape !== "intent-needed",
    ),
    extra(
      "type 1 that was not seen",
      ({ row }) => row.reversibility === "1",
      ({ found }) => found.reversibility !== "1",
    ),
    "",
    "Where they differ:",
    "",
    ...[...judged.tuned, ...judged.heldOut].filter(({ differs }) => differs.length > 0).map(line),
  ].join("\n");
}

const reasonOf = ({ row }: Judged): string | undefined =>
  Object.entries(because).find(([start]) => row.request.startsWith(start))?.[1];

const line = (each: Judged): string => {
  const text = each.row.request.replace(/\s+/g, " ");
  const set = heldOut.includes(each.row) ? "held out" : "tuned";
  return `- ${set}: "${text.length > 90 ? `${text.slice(0, 90)}…` : text}" (${each.differs.join("; ")}): ${reasonOf(each)}`;
};

test("there are enough requests, without duplicates, and none is both tuned on and held out", () => {
  const all = [...requests, ...heldOut].map(({ request, known }) => `${request} ${JSON.stringify(known)}`);
  expect(new Set(all).size).toBe(all.length);
  expect(requests.length).toBeGreaterThanOrEqual(80);
  expect(heldOut.length).toBeGreaterThanOrEqual(20);
  const scored = [...requests, ...heldOut].filter(({ dimensions }) => dimensions !== null);
  expect(scored.length).toBeGreaterThanOrEqual(40);
});

describe.each(["tuned", "heldOut"] as const)("the %s requests", (set) => {
  const counted = tally(judged[set]);
  test.each(columns)("agree on %s at least as often as measured", (column) => {
    expect(counted[column].agree).toBeGreaterThanOrEqual(measured[set][column]);
  });
});

test("every difference has a reason, and every reason a difference", () => {
  const differing = [...judged.tuned, ...judged.heldOut].filter(({ differs }) => differs.length > 0);
  expect(differing.map(reasonOf)).not.toContain(undefined);
  expect(new Set(differing.map(reasonOf)).size).toBe(Object.keys(because).length);
});

/** The page's table must match this test. UPDATE_INTAKE=1 writes it. */
test("docs/INTAKE.md states the current agreement", () => {
  const table = `<!-- agreement -->\n${agreementText()}\n<!-- /agreement -->`;
  const text = fs.readFileSync(page, "utf8");
  const now = /<!-- agreement -->[\s\S]*<!-- \/agreement -->/.exec(text)?.[0];
  if (process.env["UPDATE_INTAKE"] === "1" && now !== undefined)
    fs.writeFileSync(
      page,
      text.replace(now, () => table),
    );
  else expect(now, "UPDATE_INTAKE=1 npx vitest run tests/intake writes it anew").toBe(table);
});
