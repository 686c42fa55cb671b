// Sessions of a simulated world: attach or start. Each act of an agent is done and paid once, even if requested again.
import type { SessionResult } from "../../agents/session/session-result.ts";
import type { SessionId } from "../../core/ids.ts";
import { noUsage, type Usage } from "../../core/session.ts";
import type { SessionOrder, Sessions } from "../../runtime/ports.ts";
import type { WorldClock } from "./clock.ts";
import type { Faults } from "./faults.ts";
import { type Choices, chance } from "./random.ts";
import type { Repository } from "./repository.ts";
import {
  actsOf,
  checkerReply,
  chooseChecker,
  chooseMaker,
  examReply,
  failureOf,
  makerReply,
  type Script,
  wholeReply,
} from "./scripts.ts";
import type { Scratches } from "./workspace.ts";

/** A session's folder: what a crash leaves of it. */
export type SessionRecord = {
  readonly id: SessionId;
  readonly script: Script;
  readonly costUsdMax: number;
  /** Its final cost; null: not reported. */
  readonly costUsd: number | null;
  /** It tries to push, and is refused. */
  readonly pushes: boolean;
  /** How often it started from scratch. More than once is money lost. */
  starts: number;
  parts: number;
  /** How often each act was done. */
  readonly done: number[];
  result: SessionResult | null;
};

/** How long every session takes. */
export const sessionMs = 5000;

/** What simulated sessions work with. */
export type SessionSurroundings = {
  readonly repo: Repository;
  readonly scratches: Scratches;
  readonly clock: WorldClock;
  readonly faults: Faults;
  readonly choose: Choices;
  /** True: agents are honest and cheap from now on. */
  readonly isCalm: () => boolean;
  /** Others act at the same time. */
  readonly meanwhile: () => Promise<void>;
};

/** Sessions of simulated agents, which survive the simulated process. */
export function worldSessions(records: Map<SessionId, SessionRecord>, around: SessionSurroundings): Sessions {
  const { clock, faults } = around;
  return {
    async run(order, signal) {
      faults.step("before a session");
      const record = records.get(order.session) ?? begin(order, around);
      records.set(order.session, record);
      if (record.result !== null) return record.result;
      if (signal.aborted) return { how: "interrupted", ...totals(record) };
      record.parts += 1;
      const acts = actsOf(record.script, order.feature ?? "none");
      for (const [at, act] of acts.entries()) {
        if ((record.done[at] ?? 0) > 0) continue; // The conversation is resumed: finished acts are not repeated.
        act(around.repo);
        record.done[at] = (record.done[at] ?? 0) + 1;
        clock.pass(5000);
        faults.step(`after act ${at + 1} of a ${record.script} session`);
        await around.meanwhile();
        if (signal.aborted) return { how: "interrupted", ...totals(record) };
      }
      record.result = ended(record, order, around);
      faults.step("after a session, before anybody knows");
      return record.result;
    },
  };
}

function begin(
  { session, mayWrite, costUsdMax }: SessionOrder,
  { choose, isCalm }: SessionSurroundings,
): SessionRecord {
  const honest = mayWrite ? "honest" : "judging";
  const script = isCalm() ? honest : mayWrite ? chooseMaker(choose) : chooseChecker(choose);
  const allowed = costUsdMax ?? 1;
  const share = isCalm() ? 1 : choose.below(6);
  const overdrawn = !isCalm() && chance(choose, 20);
  const costUsd = share === 5 ? null : overdrawn ? allowed * 1.5 : Math.floor(allowed * share * 2e5) / 1e6;
  const pushes = !isCalm() && chance(choose, 25);
  return { id: session, script, costUsdMax: allowed, costUsd, pushes, starts: 1, parts: 0, done: [], result: null };
}

const usageOf = ({ costUsd }: SessionRecord): Usage => ({ ...noUsage, inputTokens: 1000, outputTokens: 100, costUsd });

function totals(record: SessionRecord) {
  const { parts, script } = record;
  const editsMax = script === "silent" ? { path: "src/a.js", times: 7 } : null;
  const context = { contextUsed: null, contextSize: null };
  const refused = record.pushes ? [{ command: "git push", why: "Pushing is left to a person." }] : [];
  const rest = { nativeId: null, ms: sessionMs, parts, strays: 0, editsMax, ...context, outputBytes: 0, refused };
  return { usage: usageOf(record), ...rest };
}

function ended(record: SessionRecord, order: SessionOrder, around: SessionSurroundings): SessionResult {
  const failed = failureOf[record.script];
  if (failed !== undefined) {
    const retryAt = failed === "limited" && around.choose.below(2) === 1 ? around.clock.now() + 3_600_000 : null;
    return { how: "failed", failure: { class: failed, text: `It ${failed}.`, retryAt }, ...totals(record) };
  }
  const reply = order.mayWrite
    ? makerReply(record.script)
    : order.feature === null
      ? wholeReply(record.script, order.role)
      : order.role === "examiner"
        ? examReply(record.script, order.feature)
        : checkerReply(record.script, around.scratches.get(order.cwd) ?? new Map(), order.feature ?? "none");
  return { how: "replied", reply, text: "", ...totals(record) };
}
