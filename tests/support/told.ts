// What the agent and the person read about a proof: the run continues from it like a real one, with the real texts.

import { inboxText } from "../../src/cli/render/inbox.ts";
import type { ResultEvent } from "../../src/core/event.ts";
import { allowedFeature } from "../../src/core/held.ts";
import { next } from "../../src/core/next.ts";
import { begin, type Run } from "../../src/core/run.ts";
import { progressOf } from "../../src/core/select.ts";
import type { Staged } from "../../src/drill/matrix/play-case.ts";
import type { Proved } from "../../src/proof/prover.ts";
import { heldBranch } from "../../src/report/words/held-branch.ts";
import { inboxWords } from "../../src/report/words/inbox-words.ts";
import { diffOf } from "../../src/runtime/held-diff.ts";
import type { Ports } from "../../src/runtime/ports.ts";
import { roles } from "../../src/runtime/roles/index.ts";
import {
  checkpointed,
  collected,
  done,
  held,
  mark,
  observed,
  prepared,
  replied,
  reserved,
  rolledBack,
  send,
} from "../../src/testing/world/by-hand.ts";
import { contractOf } from "../../src/testing/world/contracts.ts";

export type Told = {
  /** The builder's next prompt; null: there is no next session. */
  readonly agent: string | null;
  /** What `loop inbox` shows; null: nothing waits. */
  readonly person: string | null;
};

/** The first attempt gets this verdict, and so does the second if there is one. */
export async function told(proved: Proved, { order, workspace }: Staged): Promise<Told> {
  const fact = factOf(proved, order);
  const first = settled(send(proving(order), fact));
  const again = isOpen(first, order) ? send(first, observed, at("i2", order), reserved("s2")) : null;
  const end = again === null ? first : settled(send(again, replied("s2", done), left(order), fact));
  const agent = again === null ? null : againOf(again);
  if (end.inbox.length === 0) return { agent, person: null };
  const { held: work } = progressOf(end, order.feature.id);
  const diff = work === null ? "" : await workspace.diff(order.base, work.tree, 400_000);
  const items = inboxWords(end).map((item) => ({ ...item, branch: work === null ? null : heldBranch({}, item.about) }));
  return { agent, person: inboxText(items, () => diffOf(diff, work?.files ?? [])) };
}

/** The folder is restored, and work that waits for a person is kept. */
function settled(run: Run): Run {
  const back = run.now.is === "undoing" ? send(run, rolledBack) : run;
  return back.now.is === "holding" ? send(back, held) : back;
}

const isOpen = (run: Run, { feature }: Staged["order"]): boolean =>
  run.now.is === "between" && progressOf(run, feature.id).status === "needs-rework";

type Order = Staged["order"];

function proving(order: Order): Run {
  const { contract, feature } = order;
  const run = begin(contractOf([feature], { ...contract, request: feature.name }));
  return send(run, prepared, observed, at("i1", order), reserved("s1"), replied("s1", done), left(order));
}

const at = (id: string, { base }: Order): ResultEvent => {
  const event = checkpointed(id);
  return { ...event, mark: { ...mark(id), tree: base } } as ResultEvent;
};
const left = ({ candidate }: Order): ResultEvent => collected(1, { candidate });

const factOf = ({ proof, grade, checks, failures, missing, contradiction }: Proved, order: Order): ResultEvent => ({
  type: "proved",
  candidate: order.candidate,
  proof,
  grade,
  checks,
  failures,
  missing,
  contradiction,
});

/** The exact prompt of a builder that continues its own conversation. */
function againOf(run: Run): string {
  const effect = next(run);
  if (effect?.do !== "run-session" || effect.work === null) throw new Error("no session follows");
  const { role, work, candidate, pair } = effect;
  const task = {
    role,
    run,
    work,
    candidate,
    pair,
    feature: allowedFeature(run, work.feature),
    ports: noPorts,
    cwd: "",
  };
  return roles.builder.again?.(task) ?? "";
}

// The prompt of a second attempt depends on the run alone; using a port fails the test.
const noPorts = Object.freeze({}) as Ports;
