// Every session is in the raw log, in order, with its words.
import { expect, test } from "vitest";
import type { FeatureId, SessionId } from "../../core/ids.ts";
import type { Role } from "../../core/run.ts";
import { emptyChronicle, type Iteration, type SessionNote } from "../chronicle.ts";
import { phaseLogText } from "./phase-log.ts";

const note = (role: Role, endedAt: number, says: string): SessionNote => ({
  ...{ session: `s-${role}` as SessionId, role, endedAt, how: "done", failed: false, says, rootCause: null },
  ...{ costUsd: 0.25, estimated: false, tokens: 10, ms: 12_000 },
});

test("sessions about the whole and about a phase are in one order, and no text can leave its fence", () => {
  const iteration = {
    number: 1,
    feature: "F001" as FeatureId,
    sessions: [note("builder", 2000, "Built.\n```\n## fake"), note("test-verifier", 3000, "")],
  } as unknown as Iteration;
  const whole = [note("planner", 1000, "Two features."), note("auditor", 4000, "All there.")];
  expect(phaseLogText({ ...emptyChronicle, run: "r1", whole, iterations: [iteration] })).toBe(`# Raw phase log — run r1

What each session replied. What its agent printed: loop --run r1 logs

## plan · planner (producer)

1970-01-01T00:00:01Z · session s-planner · done · 12 s · $0.250

\`\`\`text
Two features.
\`\`\`

## implement · phase F001 · iteration 1 · builder (producer)

1970-01-01T00:00:02Z · session s-builder · done · 12 s · $0.250

\`\`\`\`text
Built.
\`\`\`
## fake
\`\`\`\`

## test · phase F001 · iteration 1 · test-verifier (verifier)

1970-01-01T00:00:03Z · session s-test-verifier · done · 12 s · $0.250

\`\`\`text
(nothing)
\`\`\`

## audit · auditor (producer)

1970-01-01T00:00:04Z · session s-auditor · done · 12 s · $0.250

\`\`\`text
All there.
\`\`\`
`);
});
