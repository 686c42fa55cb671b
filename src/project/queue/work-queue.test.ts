// The work of a run: a request never swallows waiting features, and they never swallow the request.
import { describe, expect, test } from "vitest";
import { type Asked, unplanned, workQueue } from "./work-queue.ts";

const path = "docs/FEATURES.json";
const entry = (id: string, status: string, priority = 1) => ({
  id,
  name: id,
  priority,
  status,
  acceptance_criteria: ["c"],
});
const file = (...entries: object[]): string => JSON.stringify({ version: 1, features: entries });
const asked = (request: string | null, change: Partial<Asked> = {}): Asked => ({
  request,
  goal: null,
  criteria: [],
  context: null,
  ...change,
});

describe("a request", () => {
  test.each(["not-started", "in-progress", "needs-rework", "blocked"])(
    "next to a feature that is %s is a separate feature, first in line, and the other one waits",
    (status) => {
      const queue = workQueue(file(entry("F001", "complete"), entry("F004", status, 0)), path, asked("Add a class."));
      expect(queue).toMatchObject({ drafted: "F005", request: "Add a class.", asked: "request", waiting: ["F004"] });
      const [, other, drafted] = queue.file.features;
      expect(drafted).toMatchObject({ id: "F005", description: "Add a class.", status: "not-started" });
      expect(drafted?.priority).toBeLessThan(other?.priority ?? 0);
      expect(unplanned(file(entry("F004", status)), path, queue)).toMatchObject({ drafted: null, waiting: ["F004"] });
    },
  );

  test.each([
    ["F010", 9],
    ["F005", 3],
  ])("is %s, above the queue's F004 and the %i of other runs", (id, highestUsed) => {
    const queue = workQueue(file(entry("F004", "complete")), path, asked("Add a class.", { highestUsed }));
    expect(queue).toMatchObject({ drafted: id, file: { features: [{ id: "F004" }, { id }] } });
  });

  test("that is already in the queue and not begun is that feature, not a second one", () => {
    const first = workQueue(file(entry("F001", "not-started")), path, asked("Add a class."));
    const again = workQueue(first.file.raw, path, asked("Add a class."));
    expect(again).toMatchObject({ drafted: first.drafted, waiting: ["F001"] });
    expect(again.file.features).toHaveLength(2);
  });

  test.each([null, file(), file(entry("F001", "complete"), entry("F002", "existing"))])(
    "with nothing open leaves nothing waiting: %s",
    (text) => {
      expect(workQueue(text, path, asked("Add a class."))).toMatchObject({ waiting: [], asked: "request" });
    },
  );
});

test("without a request the open features are the work, and the goal is only context", () => {
  const text = file(entry("F001", "not-started"));
  expect(workQueue(text, path, asked(null))).toMatchObject({ drafted: null, asked: "features", waiting: [] });
  expect(workQueue(text, path, asked(null, { goal: "G" }))).toMatchObject({
    drafted: null,
    asked: "goal",
    request: "G",
  });
});

test("without a request and without open features there is nothing to do", () => {
  expect(() => workQueue(file(entry("F001", "complete")), path, asked(null, { goal: "G" }))).toThrow("nothing to do");
});
