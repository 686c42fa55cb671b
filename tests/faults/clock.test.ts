// The clock jumps during a run: durations use the monotonic clock, order the journal, and the outcome is the same.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { ended, Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const jump = fileURLToPath(new URL("./clock-jump.mjs", import.meta.url));
const day = 86_400_000;

test.each([
  { title: "a day back", ms: -day },
  { title: "a year ahead", ms: 365 * day },
])("the clock jumps $title, and the run succeeds with its real duration", { timeout: 120_000 }, async ({ ms }) => {
  const jumps = { do: "run", command: 'touch "$HOME/jumped"' };
  project = new Project(sampleFiles([builder("F001", 1, [jumps, ...right("F001")]), evaluator], [feature("F001")]));
  const env = { NODE_OPTIONS: `--import=${jump}`, JUMP_MS: String(ms), JUMP_FILE: join(project.home, "jumped") };
  const { code, stderr } = await ended(project.start(["run"], env));
  expect(code, stderr).toBe(0);
  const events = project.events() as { type: string; at: number; sinceMs: number }[];
  const [first, last] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0];
  expect(Math.abs(last - first)).toBeGreaterThan(day / 2); // It did jump.
  for (const { type, sinceMs } of events) {
    expect(sinceMs, type).toBeGreaterThanOrEqual(0);
    expect(sinceMs, type).toBeLessThan(60_000);
  }
  const status = JSON.parse((await project.loop("status", "--json")).stdout) as { spent: { activeMs: number } };
  expect(status.spent.activeMs).toBeLessThan(100_000);
  expect((await project.loop("report")).code).toBe(0);
});
