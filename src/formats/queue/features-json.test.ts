import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UserError } from "../../core/errors.ts";
import { eachMember } from "../text/json-text.ts";
import { type FeatureEntry, featureStatuses, parseFeaturesJson, unstatedPriority } from "./features-json.ts";
import { draftFeaturesJson, renderFeaturesJson } from "./features-render.ts";

const read = (raw: string) => parseFeaturesJson(raw, "docs/FEATURES.json");
const readEntries = (...features: unknown[]) => read(JSON.stringify({ features })).features;
function refusal(raw: string): UserError {
  try {
    read(raw);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}
const entry = (more: object = {}) => ({ id: "F001", status: "not-started", acceptance_criteria: ["works"], ...more });

const onboarded = `{
    "project_type": "node-api",
    "onboarded_date": "2026-04-02",
    "features": [
        { "id": "E001", "name": "Login", "status": "existing", "location": ["src/login.ts"], "test_coverage": "partial", "quality": "good" },
        {
            "id": "F001", "name": "Log out", "priority": "high", "status": "not-started",
            "description": "Ends a session.",
            "acceptance_criteria": ["POST /logout answers 204", "the cookie is gone"],
            "contract": { "deliverable": "route", "verification": "supertest" },
            "dependencies": ["E001"], "design_doc": null, "status_note": "\\"status\\": \\"complete\\""
        }
    ]
}`;

describe("how a feature is proved", () => {
  const terms = { kind: "keep", may_change: ["test/a.test.ts", "test/b.test.ts > a > b, c"], enough: "review" };

  test("is defined by its entry, and kept when it is written again", () => {
    const [feature] = readEntries(entry(terms));
    expect(feature).toMatchObject({ kind: "keep", mayChange: terms.may_change, enough: "review" });
    expect(read(draftFeaturesJson(feature === undefined ? [] : [feature])).features).toEqual([feature]);
  });

  test("is not affected by a changed status", () => {
    const file = read(JSON.stringify({ features: [entry(terms)] }));
    const text = renderFeaturesJson(file, new Map([["F001", "complete"]]));
    expect(JSON.parse(text).features).toEqual([{ ...entry(terms), status: "complete" }]);
  });

  test("is omitted if the entry has no value, or null", () => {
    for (const more of [{}, { kind: null, may_change: null, enough: null }])
      expect(Object.keys(readEntries(entry(more))[0] ?? {})).not.toContain("kind");
  });

  test.each([
    { more: { kind: "doc" }, says: 'kind: expected change or keep or docs or judge, found "doc"; did you mean docs?' },
    { more: { kind: 3 }, says: "kind: expected change or keep or docs or judge" },
    { more: { enough: "nothing" }, says: 'enough: expected proof or review, found "nothing"' },
    { more: { may_change: "test/a.js" }, says: "may_change: " },
    { more: { may_change: ["../a.js"] }, says: 'may_change.0: must be a path inside the workspace, or "path > test' },
    { more: { may_change: ["/etc/x > y"] }, says: "may_change.0: must be a path inside the workspace" },
    { more: { may_change: ["a.js > "] }, says: "may_change.0: must be" },
    { more: { may_change: ["a.js > b\u001b"] }, says: "may_change.0: must be" },
  ])("$more is refused", ({ more, says }) => {
    expect(refusal(JSON.stringify({ features: [entry(more)] })).why).toContain(says);
  });
});

describe("accepts a FEATURES.json", () => {
  test("of a seed system, and reads what the loop needs", () => {
    const { features } = read(onboarded);
    expect(features).toEqual([
      {
        id: "E001",
        name: "Login",
        priority: unstatedPriority,
        status: "existing",
        description: "",
        criteria: [],
        dependencies: [],
        designDoc: null,
        checks: null,
        mayTouch: null,
      },
      {
        id: "F001",
        name: "Log out",
        priority: 1,
        status: "not-started",
        description: "Ends a session.",
        criteria: ["POST /logout answers 204", "the cookie is gone"],
        dependencies: ["E001"],
        designDoc: null,
        checks: null,
        mayTouch: null,
      },
    ]);
  });

  test.each([
    { priority: 3, is: 3 },
    { priority: 0, is: 0 },
    { priority: "2", is: 2 },
    { priority: "High", is: 1 },
    { priority: "medium", is: 2 },
    { priority: "low", is: 3 },
    { priority: "P0", is: 0 },
    { priority: "p3", is: 3 },
    { priority: null, is: unstatedPriority },
  ])("priority $priority is $is", ({ priority, is }) => {
    expect(readEntries(entry({ priority }))[0]?.priority).toBe(is);
  });

  test("with criteria as objects with a text, or one text; names default to title and id", () => {
    expect(
      readEntries(entry({ acceptance_criteria: [{ id: "AC-1", text: " a " }, "b"], title: "T\n x" }))[0],
    ).toMatchObject({ criteria: ["a", "b"], name: "T x" });
    expect(readEntries(entry({ acceptance_criteria: "just one" }))[0]).toMatchObject({
      criteria: ["just one"],
      name: "F001",
    });
  });

  test("with a complete feature without criteria, and with an empty list of features", () => {
    expect(readEntries({ id: "F001", status: "complete" })).toHaveLength(1);
    expect(read('\uFEFF{"features": []}').features).toEqual([]);
  });

  test("with a chain of ten thousand dependencies", () => {
    const chain = Array.from({ length: 10_000 }, (_, i) =>
      entry({ id: `F${i}`, dependencies: i === 0 ? [] : [`F${i - 1}`] }),
    );
    expect(readEntries(...chain.reverse())).toHaveLength(10_000);
  });
});

describe("refuses a FEATURES.json", () => {
  const ids = [
    "",
    "../x",
    "a/b",
    "a\\b",
    "CON",
    "nul.txt",
    "com1",
    ".git",
    "a..b",
    "x".repeat(100),
    "a b",
    "-a",
    "a.lock",
    "F1\n",
    "é",
    "%2e",
    "a.",
  ];
  test.each(ids)("with an id like %j", (id) => {
    expect(refusal(JSON.stringify({ features: [entry({ id })] })).why).toContain("id: must be a plain name");
  });

  test.each([
    { features: [entry(), entry()], says: "duplicate id F001" },
    { features: [entry(), entry({ id: "f001" })], says: "duplicate id f001 (as F001)" },
    { features: [entry({ dependencies: ["F009"] })], says: "F001 depends on unknown feature F009" },
    { features: [entry({ dependencies: ["../../x"] })], says: 'F001 depends on unknown feature "../../x"' },
    { features: [entry({ dependencies: ["F001"] })], says: "in a circle: F001 → F001" },
    {
      features: [
        entry({ dependencies: ["F002"] }),
        entry({ id: "F002", dependencies: ["F003"] }),
        entry({ id: "F003", dependencies: ["F002"] }),
      ],
      says: "in a circle: F002 → F003 → F002",
    },
    { features: [entry({ status: "completed" })], says: 'unknown status "completed"; did you mean complete?' },
    { features: [entry({ status: "in_progress" })], says: "did you mean in-progress?" },
    { features: [entry({ status: "zzz" })], says: "known are not-started" },
    { features: [entry({ status: true })], says: "status: " },
    { features: [entry({ acceptance_criteria: [] })], says: "acceptance_criteria is missing or empty" },
    { features: [entry({ acceptance_criteria: ["  "] })], says: "acceptance_criteria is missing or empty" },
    { features: [{ id: "F001", status: "blocked" }], says: "acceptance_criteria is missing or empty" },
    { features: [entry({ priority: "soon" })], says: "priority must be a number" },
    { features: [entry({ may_touch: ["../x"] })], says: "may_touch.0: must be a path inside" },
    { features: [entry({ design_doc: "/etc/passwd" })], says: "design_doc: must be a path inside" },
    { features: ["F001"], says: "features[0]: expected an object" },
  ])("$says", ({ features, says }) => {
    const error = refusal(JSON.stringify({ features }));
    expect(error).toMatchObject({ code: "bad-features", exitCode: 1 });
    expect(error.why).toContain(says);
  });

  test.each([
    { raw: "", says: "line 1: it ends too early" },
    { raw: '{"features": [\n{"id": "F1"', says: "line 2: it ends too early" },
    { raw: '{\n"features": [,]\n}', says: 'line 2: it is not JSON from ",]" on' },
    { raw: "[]", says: 'expected an object with a list "features"' },
    { raw: "null", says: 'expected an object with a list "features"' },
    { raw: '{"features": {}}', says: 'expected "features" to be a list' },
    { raw: '{"version": 2, "features": []}', says: "version: expected 1" },
    { raw: '{"features": [],\n"features": []}', says: 'line 2: duplicate key "features"' },
    {
      raw: '{"features": [{"id": "F1", "status": "complete", "st\\u0061tus": "blocked"}]}',
      says: 'duplicate key "status"',
    },
    { raw: "[".repeat(3_000_000), says: "nested deeper" },
    { raw: `{"features": [], "x": ${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`, says: "nested deeper" },
    { raw: " ".repeat(33 * 1024 * 1024), says: "larger than 32768 KB" },
  ])("$says", ({ raw, says }) => {
    expect(refusal(raw).why).toContain(says);
  });

  test("with all problems in one error", () => {
    const { what, why } = refusal(JSON.stringify({ features: [entry({ id: "../x" }), entry({ status: "?" }), 3] }));
    expect(what).toContain("3 problems");
    expect(why.split("\n")).toHaveLength(3);
  });

  test("any text gives a value or a UserError", () => {
    const bits = [
      '{"features":[',
      "]}",
      '{"id":"F1"',
      ',"status":',
      '"complete"',
      "}",
      "[",
      ",",
      '"',
      "\\",
      "\\u",
      "1e9",
      "null",
      " ",
    ];
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json({ maxDepth: 70 }),
      fc.array(fc.constantFrom(...bits), { maxLength: 30 }).map((parts) => parts.join("")),
      fc.anything({ withNullPrototype: true }).map((value) => JSON.stringify({ features: [value] }) ?? ""),
    );
    fc.assert(
      fc.property(text, (raw) => {
        try {
          read(raw);
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

/** Files as seed systems write them: unknown keys, any layout, any line ends. */
const status = fc.constantFrom(...featureStatuses);
const unknownKey = fc.string({ unit: "binary", maxLength: 8 }).map((key) => `x_${key}`);
const layout = fc.constantFrom<string | number>(2, 4, "\t", 0, 1);
const seedFile = fc
  .record({
    count: fc.integer({ min: 0, max: 5 }),
    top: fc.dictionary(unknownKey, fc.jsonValue(), { maxKeys: 3 }),
    indent: layout,
    crlf: fc.boolean(),
    ending: fc.constantFrom("", "\n", "\n\n", " "),
    mark: fc.boolean(),
    last: fc.boolean(),
    escaped: fc.boolean(),
  })
  .chain((shape) =>
    fc
      .array(
        fc.record({
          extra: fc.dictionary(unknownKey, fc.jsonValue(), { maxKeys: 3 }),
          status: fc.option(status),
          quality: fc.constantFrom("good", 'said "status": "blocked"', "}{][,", "\\"),
        }),
        { minLength: shape.count, maxLength: shape.count },
      )
      .map((entries) => {
        const features = entries.map(({ extra, status: now, quality }, i) => ({
          ...(shape.last ? extra : {}),
          id: `F00${i}`,
          ...(now === null ? {} : { status: now }),
          acceptance_criteria: ["a, b: {c}", '"status": "complete"'],
          contract: { deliverable: "x", verification: "y", status: "blocked" },
          quality,
          ...(shape.last ? {} : extra),
        }));
        const value = shape.last ? { ...shape.top, features } : { features, ...shape.top };
        let raw = JSON.stringify(value, null, shape.indent) + shape.ending;
        if (shape.escaped) raw = raw.replaceAll('"acceptance_criteria"', '"acceptance\\u005fcriteria"');
        if (shape.crlf) raw = raw.replaceAll("\n", "\r\n");
        return shape.mark ? `\uFEFF${raw}` : raw;
      }),
  );

describe("renderFeaturesJson", () => {
  test("without changes it gives the same bytes", () => {
    fc.assert(
      fc.property(seedFile, (raw) => {
        const file = read(raw);
        expect(renderFeaturesJson(file, new Map())).toBe(raw);
        expect(renderFeaturesJson(file, new Map(file.features.map((each) => [each.id, each.status])))).toBe(raw);
      }),
    );
  });

  test("any changes give a file with those statuses, and everything else unchanged", () => {
    fc.assert(
      fc.property(seedFile, fc.infiniteStream(status), (raw, stream) => {
        const file = read(raw);
        const wanted = new Map(file.features.map((each) => [each.id as string, stream.next().value ?? "blocked"]));
        const text = renderFeaturesJson(file, wanted);
        const now = read(text);
        expect(now.features).toEqual(file.features.map((each) => ({ ...each, status: wanted.get(each.id) })));
        expect(without(text)).toEqual(without(raw));
        const back = renderFeaturesJson(now, new Map(file.features.map((each) => [each.id, each.status])));
        if (file.features.every((_, i) => "status" in (at(raw, i) ?? {}))) expect(back).toBe(raw);
      }),
    );
  });

  test("the difference is one line", () => {
    const text = renderFeaturesJson(read(onboarded), new Map([["F001", "complete" as const]]));
    const before = onboarded.split("\n");
    const changed = text.split("\n").filter((line, i) => line !== before[i]);
    expect(changed).toEqual([`            "id": "F001", "name": "Log out", "priority": "high", "status": "complete",`]);
  });

  test.each([
    {
      raw: '{"features":[{"id":"F1","acceptance_criteria":["a"]}]}',
      to: '{"features":[{"id":"F1","acceptance_criteria":["a"],"status":"complete"}]}',
    },
    {
      raw: '{"features": [\n\t{\n\t\t"id": "F1",\n\t\t"acceptance_criteria": ["a"]\n\t}\n]}\n',
      to: '{"features": [\n\t{\n\t\t"id": "F1",\n\t\t"acceptance_criteria": ["a"],\n\t\t"status": "complete"\n\t}\n]}\n',
    },
    {
      raw: '{"features": [{"id": "F1", "status": null, "acceptance_criteria": ["a"]}]}',
      to: '{"features": [{"id": "F1", "status": "complete", "acceptance_criteria": ["a"]}]}',
    },
  ])("a missing status is added in the style of the file: $raw", ({ raw, to }) => {
    expect(renderFeaturesJson(read(raw), new Map([["F1", "complete" as const]]))).toBe(to);
  });

  test("a drafted file reads back unchanged", () => {
    const features: FeatureEntry[] = read(onboarded).features.map((each) => ({ ...each, checks: ["test"] }));
    expect(read(draftFeaturesJson(features)).features).toEqual(features);
  });
});

describe("eachMember", () => {
  test("finds exactly the members that JSON.parse finds, and the positions of their values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const found: [string, unknown][] = [];
        eachMember(text, ({ path, key, valueStart, valueEnd }) => {
          found.push([JSON.stringify([...path, key]), JSON.parse(text.slice(valueStart, valueEnd))]);
        });
        expect(new Map(found)).toEqual(new Map(members(JSON.parse(text), [])));
      }),
    );
  });
});

function members(value: unknown, path: (string | number)[]): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    const own: [string, unknown][] = Array.isArray(value) ? [] : [[JSON.stringify(here), below]];
    return [...own, ...members(below, here)];
  });
}

const parsed = (raw: string) => JSON.parse(raw.replace("\uFEFF", "")) as { features: Record<string, unknown>[] };
const at = (raw: string, i: number) => parsed(raw).features[i];
/** The file as data, without the statuses. */
function without(raw: string): unknown {
  const file = parsed(raw);
  for (const feature of file.features) delete feature["status"];
  return file;
}
