// raw_phase_log.md: every session of a run in order, with what it said, word for word.
import { type Role, sideOf } from "../../core/run.ts";
import type { Chronicle, SessionNote } from "../chronicle.ts";
import { isoTime, money } from "../words/words.ts";

/** The stage of a role: each is a pair of a producer and a verifier. */
const stageOf: Readonly<Record<Role, "plan" | "implement" | "test" | "audit">> = {
  planner: "plan",
  "plan-verifier": "plan",
  skeptic: "plan",
  designer: "implement",
  examiner: "implement",
  builder: "implement",
  evaluator: "implement",
  tester: "test",
  "test-verifier": "test",
  auditor: "audit",
  "audit-verifier": "audit",
};

type Entry = { readonly note: SessionNote; readonly phase: string | null; readonly iteration: number | null };

export function phaseLogText({ run, whole, iterations }: Chronicle): string {
  const entries: Entry[] = [
    ...whole.map((note): Entry => ({ note, phase: null, iteration: null })),
    ...iterations.flatMap(({ sessions, feature, number }) =>
      sessions.map((note): Entry => ({ note, phase: feature, iteration: number })),
    ),
  ];
  const inOrder = entries.toSorted((a, b) => a.note.endedAt - b.note.endedAt);
  return `# Raw phase log — run ${run}\n\nWhat each session replied. What its agent printed: loop --run ${run} logs\n${inOrder.map(entryText).join("")}`;
}

function entryText({ note, phase, iteration }: Entry): string {
  const { session, role, endedAt, how, says, costUsd, estimated, ms } = note;
  const place = [
    stageOf[role],
    ...(phase === null ? [] : [`phase ${phase}`]),
    ...(iteration === null ? [] : [`iteration ${iteration}`]),
  ];
  const side = isVerifier(role) ? "verifier" : "producer";
  return `
## ${place.join(" · ")} · ${role} (${side})

${isoTime(endedAt)} · session ${session} · ${how} · ${Math.round(ms / 1000)} s · ${money(costUsd, estimated)}

${fenced(says)}
`;
}

/** A fence that the text cannot close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text.trim() || "(nothing)"}\n${fence}`;
}

/** The auditor is the producer of its pair, though the checker's agent fills it. */
const isVerifier = (role: Role): boolean => role !== "auditor" && role !== "examiner" && sideOf(role) === "checker";
