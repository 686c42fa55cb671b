// The people around a simulated run: they write and commit their own files, edit the work queue, pause, cancel, resume.
import { gateOf } from "../../core/gates.ts";
import { entriesOf } from "../../core/progresses.ts";
import type { Run } from "../../core/run.ts";
import type { SignalFact } from "../../runtime/ports.ts";
import { type Choices, chance } from "./random.ts";
import { branch, type Repository } from "./repository.ts";

/** How often the person does something. */
export type PersonOptions = {
  /** How often, out of a thousand chances, they act while the loop works. */
  readonly busy: number;
  readonly cancels: boolean;
};

/** A simulated person: answers, edits, commits and interrupts, as the seed says. */
export class Person {
  readonly #repo: Repository;
  readonly #choose: Choices;
  readonly #options: PersonOptions;
  /** Everything that they wrote, each in a separate file: none of it may ever be lost. */
  readonly wrote = new Map<string, string>();
  /** Files that they committed, which every later commit must contain. */
  readonly committed = new Map<string, string>();
  /** Features that they added to the queue while the run rested. */
  readonly added: string[] = [];
  isAway = false;

  constructor(repo: Repository, choose: Choices, options: PersonOptions) {
    this.#repo = repo;
    this.#choose = choose;
    this.#options = options;
  }

  /** While the loop works. */
  act(send: (fact: SignalFact) => void): void {
    if (this.isAway || !chance(this.#choose, this.#options.busy)) return;
    const what = this.#choose.below(10);
    if (what < 4) this.#write();
    else if (what < 6) this.#commit();
    else if (what < 8) send({ type: "pause-requested", by: "person" });
    else if (what === 8) send({ type: "noted", about: "changed", text: "was here" });
    else if (this.#options.cancels) send({ type: "cancel-requested" });
  }

  /** While it rests: their messages to it, in order. Empty: they leave it alone. */
  respond(run: Run): SignalFact[] {
    this.takeBack(run);
    if (this.#choose.below(3) === 2) this.#write();
    if (this.#choose.below(5) === 4) this.#commit();
    if (this.#choose.below(4) === 3 && !isNearlyOver(run)) this.#addFeature();
    if (this.#options.cancels && this.#choose.below(12) === 11) return [{ type: "cancel-requested" }];
    if (this.#choose.below(5) === 4) return [];
    return goOn(run, this.#choose.below(2) === 1);
  }

  /** They follow the loop's advice: reset an agent's commits on top of their own. */
  takeBack({ now }: Run): void {
    const repo = this.#repo;
    const isMoved =
      now.is === "resting" &&
      now.outcome.kind === "head-moved" &&
      now.outcome.why?.includes("git reset --keep") === true;
    if (!isMoved || !repo.isWhole) return;
    const mine = repo.history().find(({ by }) => by !== "agent");
    if (mine === undefined || mine.id === repo.head) return;
    const [from, to] = [repo.treeNow(), repo.trees.get(mine.tree)];
    const head = repo.trees.get(repo.history().find(({ id }) => id === repo.head)?.tree ?? mine.tree);
    for (const path of repo.trees.get(from).keys())
      if (!to.has(path) && !this.wrote.has(path)) repo.folder.delete(path);
    // Like `git reset --keep`: edits since the last commit stay. So does the queue, if they added features to it that
    // an agent has then committed as its own.
    for (const [path, text] of to) {
      const isMine = this.added.length > 0 && path.endsWith("/FEATURES.json");
      if (!isMine && repo.folder.get(path) === head.get(path)) repo.folder.set(path, text);
    }
    repo.refs.set(branch, mine.id);
  }

  #write(): string {
    const path = `notes/${this.wrote.size + 1}.txt`;
    const text = `Mine, number ${this.wrote.size + 1}.\n`;
    this.#repo.folder.set(path, text);
    this.wrote.set(path, text);
    return path;
  }

  /** Only their own file, and never on top of an agent's commit: they can see that others are working. */
  #commit(): void {
    const repo = this.#repo;
    const [tip] = repo.history();
    if (!repo.isWhole || tip === undefined || tip.by === "agent") return;
    const path = this.#write();
    const text = this.wrote.get(path) ?? "";
    repo.commit(
      "person",
      repo.trees.keep(repo.trees.lay(repo.trees.get(tip.tree), [{ path, content: text }])),
      path,
      {},
    );
    this.committed.set(path, text);
  }

  #addFeature(): void {
    const path = "docs/FEATURES.json";
    const text = this.#repo.folder.get(path);
    if (text === undefined || this.added.length >= 2) return;
    const file = JSON.parse(text) as { features: unknown[] };
    const id = `F9${this.added.length}`;
    const entry = { id, name: `Add ${id}`, priority: 1, status: "not-started", acceptance_criteria: [`${id} works`] };
    this.#repo.folder.set(path, `${JSON.stringify({ ...file, features: [...file.features, entry] }, null, 2)}\n`);
    this.added.push(id);
  }
}

/** Everything is done except the final inspection, the audit and the records: new requests are for another run. */
function isNearlyOver({ now }: Run): boolean {
  if (now.is !== "resting") return false;
  const resume = now.resume.is === "waiting" ? now.resume.resume : now.resume;
  const isAudit = resume.is === "in-session" && (resume.role === "auditor" || resume.role === "audit-verifier");
  return isAudit || resume.is === "closing" || resume.is === "filing";
}

/** Answers questions, raises limits, and resumes. */
export function goOn(run: Run, retry: boolean): SignalFact[] {
  const { limits } = run.contract;
  const answers = run.inbox.flatMap(({ kind, feature }): SignalFact[] =>
    kind === "question" && feature !== null
      ? [{ type: "answered", feature, answer: "The first.", source: "person" }]
      : [],
  );
  const decided = entriesOf(run.progress).flatMap(([feature, { held }]): SignalFact[] => {
    if (held === null || held.decided !== null) return [];
    const about = { feature, tree: held.tree, by: "Pat <pat@example.org>" };
    // Either way, but always the same way for the same work.
    if (Number.parseInt(held.tree.slice(0, 2), 16) % 2 === 0)
      return [{ type: "turned-down", ...about, reason: "Not like this." }];
    return [{ type: held.why === "unproved" ? "accepted" : "allowed", ...about }];
  });
  const more = (value: number | null, by: number) => (value === null ? null : value + by);
  const raised = {
    costUsdMax: more(limits.costUsdMax, 20),
    iterationsMax: more(limits.iterationsMax, 10),
    commitsMax: more(limits.commitsMax, 10),
    sessionsMax: more(limits.sessionsMax, 20),
    activeMsMax: more(limits.activeMsMax, 3_600_000),
  };
  const gate = gateOf(run);
  const approval: SignalFact[] =
    gate === null ? [] : [{ type: "approved", gate: gate.name, number: gate.number, tree: gate.tree }];
  return [...answers, ...decided, ...approval, { type: "continued", limits: raised, retry }];
}
