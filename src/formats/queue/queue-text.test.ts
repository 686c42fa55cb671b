import fc from "fast-check";
import { expect, test } from "vitest";
import { type FeatureStatus, featureStatuses, parseFeaturesJson } from "./features-json.ts";
import { renderStatuses } from "./features-render.ts";
import { placeOf, QueueText, readStatusLine } from "./queue-text.ts";

const anyStatus = fc.constantFrom(...featureStatuses);
/** Entries with and without an explicit status, close together and far apart, in more than one script. */
const anyQueue = fc
  .array(
    fc.record({
      name: fc.constantFrom("a", "größer", "名前", '"}{'),
      status: fc.option(anyStatus, { nil: undefined }),
      after: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .chain((entries) => fc.constantFrom(0, 2).map((indent) => ({ entries, indent })))
  .map(({ entries, indent }) => {
    const features = entries.map(({ name, status, after }, at) => {
      const own = status === undefined ? {} : { status };
      return { id: `F${at}`, ...(after ? {} : own), name, acceptance_criteria: ["c"], ...(after ? own : {}) };
    });
    return parseFeaturesJson(JSON.stringify({ features }, null, indent), "queue");
  });

test("after any changes the text equals a full render, and its status line restores it", () => {
  fc.assert(
    fc.property(
      anyQueue,
      fc.array(fc.tuple(fc.nat(), anyStatus)),
      fc.nat(),
      anyStatus,
      (file, changes, extra, last) => {
        const count = file.features.length;
        const queue = new QueueText(file, () => undefined);
        expect(queue.text).toBe(file.raw);
        const now = new Map<string, FeatureStatus>();
        for (const [where, status] of changes) {
          queue.set(where % count, status);
          now.set(`F${where % count}`, status);
          expect(queue.text).toBe(renderStatuses(file, (id) => now.get(id)));
        }
        const statuses = readStatusLine(queue.statusLine, count);
        expect(new QueueText(file, (at) => statuses?.[at]).text).toBe(queue.text);
        const also = queue.textWith(extra % count, last);
        expect(also).toBe(renderStatuses(file, (id) => (id === `F${extra % count}` ? last : now.get(id))));
        expect(placeOf(file, file.features[extra % count]?.id ?? ("" as never))).toBe(extra % count);
      },
    ),
  );
});

test.each(["", "n", "nnn", "n?", "nN"])("%j is not a status line for two features", (line) => {
  expect(readStatusLine(line, 2)).toBeNull();
});
