// Begins a hold, resumes one that was broken off, or releases one.

import * as fs from "node:fs";
import { join } from "node:path";
import { refuseUnregistered } from "../checks/library/library-check.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { UserError } from "../core/errors.ts";
import { checkpointId, isPlainName } from "../core/ids.ts";
import { limitTable } from "../core/limits.ts";
import { withoutRequired } from "../core/verification.ts";
import type { LoopYaml } from "../formats/config/loop-yaml.ts";
import { type Intake, intake, missing } from "../intake/intake.ts";
import { withNetworks } from "../project/checks/check-networks.ts";
import { checkSpec } from "../project/checks/check-spec.ts";
import { checksIn } from "../project/checks/hook-check.ts";
import { agree, readInputs, shapeCriteria } from "../project/config/contract-inputs.ts";
import { readOnce } from "../project/config/read-once.ts";
import { requireTrust } from "../project/config/trust.ts";
import { ignoreOurOwn } from "../project/place/ignore-own.ts";
import { workspaceDisk } from "../project/place/workspace-disk.ts";
import { lookAround } from "../project/plan/known.ts";
import { openWorkspace } from "../workspace/open.ts";
import { keyAtFirst } from "./decide.ts";
import type { Hold, Progress } from "./hold.ts";
import { hookProver, orderFor } from "./judge.ts";
import { lockForHook } from "./lock.ts";
import { activeFile, waitingFile } from "./places.ts";
import { endHold, holdsOf, lastEnded, mirrorHold, removeMirror, setBrokenAside, writeHold } from "./store.ts";
import { forgetRefusals } from "./tally.ts";

export type HoldOrder = {
  readonly root: string;
  readonly request: string;
  readonly criteria: readonly string[];
  /** Check commands that replace the configured ones. */
  readonly checks: readonly string[];
  readonly iterations: number | null;
  /** Null: the first session seen in the workspace takes it. */
  readonly session: string | null;
};

const { unsaid: iterationsDefault, ceiling: iterationsCeiling } = limitTable.iterationsMax;

/** `notices`: what a person wrote into the contract's files that has no effect. */
export type Begun = { readonly hold: Hold; readonly notices: readonly string[] };

export async function beginHold(order: HoldOrder): Promise<Begun> {
  const { root, request } = order;
  if (request.trim() === "")
    throw refusal("no-request", "Nothing was asked for.", 'loop hook start "what should be done"');
  requireTrust(root, false);
  const disk = readOnce(root);
  const inputs = readInputs(root, disk, flagsOf(order));
  const { settings, notices } = agree(inputs, null, true);
  const criteria = criteriaFrom(order.criteria, shapeCriteria(inputs));
  const checks = checksIn(root, settings).map(checkSpec);
  if (checks.length === 0)
    throw refusal(
      "no-checks",
      "No check is configured and none was detected, so nothing could be proved.",
      'Name one: loop hook start "REQUEST" --check "npm test", or in loop.yaml: checks: [{ name: test, run: "npm test" }]',
    );
  // A hook is a command of ours: no program brings its checks.
  refuseUnregistered(checks, {});
  const lock = await lockForHook(root, "start");
  try {
    refuseSecond(root);
    const found = intake(request, lookAround(root, request, {}, disk).known);
    refuseVague(order, found);
    ignoreOurOwn(workspaceDisk(root));
    const kind = fs.existsSync(join(root, ".git")) ? "git" : "plain";
    const workspace = await openWorkspace({ root, kind });
    const begunAt = Date.now();
    // Kept permanently, so that the original tests can be restored whatever happens to the repository.
    await workspace.checkpoint(checkpointId(`hook-${begunAt}`));
    const origin = await workspace.tree();
    const hold: Hold = {
      version: 1,
      root,
      kind,
      request,
      criteria,
      intake: noted(found),
      owesObjections: found.reversibility === "1",
      checks: withNetworks(root, settings.sandbox, checks),
      proof: settings.proof,
      recordsDir: settings.recordsDir,
      scope: {
        mayTouch: [...(settings.scope.mayTouch ?? [])],
        mayChange: [...settings.scope.mayChange],
        mustNot: [...settings.scope.mustNot],
      },
      iterationsMax: bounded(
        order.iterations ?? Math.min(settings.limits.iterationsMax ?? iterationsCeiling, iterationsCeiling),
      ),
      begunAt,
      origin,
      progress: fresh(origin, criteria),
      stops: [],
      assumes: null,
      answer: null,
    };
    // Before any agent has worked: later proofs use the dependencies installed now. No check runs, since the person is
    // waiting.
    const prover = hookProver(hold, workspace);
    try {
      await prover.baseline(
        {
          contract: { checks: [], proof: hold.proof, scope: orderFor(hold, origin).contract.scope },
          tree: origin,
        },
        new AbortController().signal,
      );
    } finally {
      await prover.dispose();
    }
    keep(hold, order.session);
    return { hold, notices };
  } finally {
    await lock.release();
  }
}

/** One that SHAPE.md has too says there how it has to be shown. */
function criteriaFrom(asked: readonly string[], shape: readonly string[]): string[] {
  const inShape = new Set(shape.map(withoutRequired));
  return [...new Set([...asked.filter((criterion) => !inShape.has(criterion)), ...shape])];
}

/** The base stays the original one: changes to a test from before the breaker tripped still count. */
export async function continueHold(root: string, session: string | null, iterations: number | null): Promise<Hold> {
  const lock = await lockForHook(root, "continue");
  try {
    refuseSecond(root);
    const last = lastEnded(root);
    if (last === null || last.ending === "met")
      throw refusal(
        "nothing-to-continue",
        last === null ? "No session was ever held here." : "The last one was met.",
        'loop hook start "REQUEST"',
      );
    const iterationsMax = iterations === null ? last.hold.iterationsMax : bounded(iterations);
    const hold: Hold = {
      ...last.hold,
      iterationsMax,
      progress: { ...fresh(last.hold.origin, last.hold.criteria), tree: null },
      assumes: null,
      answer: null,
    };
    keep(hold, session ?? last.session);
    return hold;
  } finally {
    await lock.release();
  }
}

export type Released = {
  readonly request: string | null;
  readonly session: string | null;
  readonly kept: string | null;
};

/** Without the lock: releasing a session must not wait for a check to end. */
export function releaseHolds(root: string): Released[] {
  const holds = holdsOf(root);
  removeMirror(root);
  return holds.map(({ file, session, read }) => {
    forgetRefusals(file);
    if (!read.ok) return { request: null, session, kept: setBrokenAside(file) };
    endHold(file, read.hold, "released", "A person released it.");
    return { request: read.hold.request, session, kept: null };
  });
}

function keep(hold: Hold, session: string | null): void {
  const file = session === null ? waitingFile(hold.root) : activeFile(session);
  if (session !== null && !isPlainName(session))
    throw refusal(
      "bad-session",
      `${JSON.stringify(session.slice(0, 80))} is not the id of a session.`,
      "Leave --session out.",
    );
  writeHold(file, hold);
  forgetRefusals(file);
  mirrorHold(file, hold);
}

/** A folder can be held for only one session at a time: otherwise one session would be judged by another's changes. */
function refuseSecond(root: string): void {
  const [found] = holdsOf(root).filter(({ read }) => read.ok);
  if (found === undefined) return;
  const whose = found.session === null ? "the next session here" : `session ${found.session}`;
  throw refusal(
    "already-held",
    `This workspace is held for ${whose}: ${found.read.ok ? (found.read.hold.request.split("\n")[0] ?? "") : ""}`,
    "Let it end, or release it: loop hook release",
  );
}

/** As a run would be: whether it is met could not be said. A criterion of the person's own says it. */
function refuseVague({ criteria }: HoldOrder, found: Intake): void {
  if (found.shape !== "intent-needed" || criteria.length > 0) return;
  const asked = missing(found).map(({ name, question, example }) => `${name}: ${question} e.g. "${example}"`);
  throw refusal(
    "too-vague",
    ["The request is too vague to hold a session to. It does not say:", ...asked].join("\n"),
    "Say what will be different, and where, or add a list: each item is a criterion.",
  );
}

const noted = ({ shape, score, workflow, reversibility }: Intake): Hold["intake"] => ({
  shape,
  score,
  workflow,
  reversibility,
});

const fresh = (tree: string, criteria: readonly string[]): Progress => ({
  ...{ iteration: 0, key: keyAtFirst(criteria), times: 0 },
  ...{ tree, unchanged: 0, blocks: 0 },
});

function flagsOf({ checks }: HoldOrder): LoopYaml {
  if (checks.length === 0) return {};
  return { checks: checks.map((run, index) => ({ name: index === 0 ? "check" : `check-${index + 1}`, run })) };
}

function bounded(iterations: number): number {
  if (Number.isInteger(iterations) && iterations > 0 && iterations <= iterationsCeiling) return iterations;
  throw refusal(
    "bad-flag",
    `${iterations} is not a number of iterations from 1 to ${iterationsCeiling}.`,
    `For example: --iterations ${iterationsDefault}`,
  );
}

const refusal = (code: ErrorCode, why: string, next: string): UserError =>
  new UserError(code, { what: "The session is not held.", why, next });
