// What waits for a person: the question, what it rests on, and the answer in place.
import { shortened } from "../../formats/text/shortened.ts";
import { html, type Markup, none } from "../html/markup.ts";
import { apiOf, hidden, moment, part, runPath } from "./bits.ts";
import { diffPart } from "./diff.ts";
import { shownFor } from "./shown-for.ts";
import { resumeForm } from "./steer.ts";
import type { May, Waiting } from "./view.ts";

const shownMax = 50;

/** `isAbroad`: the page is about more than this run, so each item says where it belongs. */
export function waitsPart(waiting: readonly Waiting[], may: May, isAbroad: boolean): Markup {
  const all = cardsOf(waiting);
  const rest = all.length - shownMax;
  const cards = all.slice(0, shownMax).map((each) => card(each, may, isAbroad));
  const content = html`${cards}${rest > 0 ? html`<p class="small">And ${rest} more: <code class="copy">loop inbox</code></p>` : none}`;
  return part("waits", "Waits for you", content, html`<span class="count">${all.length}</span>`);
}

/** An item with those that are read with it. */
type Card = Waiting & { readonly left: readonly Waiting[] };

/** What a run that rests has left, and takes no answer, is on the card that resumes it: the person decides once. */
export function cardsOf(waiting: readonly Waiting[]): readonly Card[] {
  const rests = new Set(waiting.filter(({ kind }) => kind === "rest").map(runOf));
  const isWithRest = (item: Waiting): boolean =>
    !isAnswerable(item) && item.kind !== "landing" && rests.has(runOf(item));
  return inOrder(waiting)
    .filter((item) => !isWithRest(item))
    .map((item) => ({
      ...item,
      left: item.kind === "rest" ? waiting.filter((each) => runOf(each) === runOf(item) && isWithRest(each)) : [],
    }));
}

/** Questions first. The items of a run stay together: why it rests is read before it is resumed. */
function inOrder(waiting: readonly Waiting[]): readonly Waiting[] {
  const rank = (item: Waiting): number => (!isAnswerable(item) ? 1 : item.kind === "rest" ? 2 : 0);
  const first = new Map<string, number>();
  for (const item of waiting) {
    const [key, worth] = [runOf(item), isAnswerable(item) ? (item.kind === "rest" ? 1 : 0) : 2];
    first.set(key, Math.min(worth, first.get(key) ?? worth));
  }
  const order = [...first].sort(([, one], [, other]) => one - other).map(([key]) => key);
  const place = (item: Waiting): number => order.indexOf(runOf(item));
  return [...waiting].sort((one, other) => place(one) - place(other) || rank(one) - rank(other));
}

const runOf = ({ place, runId }: Waiting): string => `${place.id} ${runId}`;

const isAnswerable = ({ kind }: Waiting): boolean =>
  ["gate", "question", "unproved", "contradiction", "permission", "rest"].includes(kind);

const titles: Readonly<Record<Waiting["kind"], string>> = {
  gate: "Approve?",
  question: "A question",
  unproved: "Could not be proved",
  contradiction: "Rewrote protected tests",
  permission: "Asks to change protected tests",
  failed: "Not done",
  blocked: "Blocked",
  "check-red": "A check is red",
  gap: "A missing requirement",
  rest: "The run rests",
  landing: "Not landed yet",
};
const gateTitles = {
  G1: "Approve before anything is built?",
  G2: "Approve this iteration?",
  G3: "Approve the result?",
} as const;

/** The same item has the same key, however often it is drawn: what a person has typed stays. */
function keyOf({ place, runId, about, kind, gate, subject }: Waiting): string {
  const shown = subject?.slice(0, 12) ?? "";
  const what = gate === null ? `${about}-${shown}` : `${gate.name}-${gate.number}`;
  return `w-${place.id}-${runId}-${kind}-${what}`.replace(/[^\w-]/g, "_");
}

function titleOf({ kind, gate, about, run }: Waiting): string {
  if (gate !== null) return gateTitles[gate.name];
  if (kind === "rest") return run.title;
  const name = run.features.find(({ id }) => id === about)?.name;
  return `${about === "run" ? "" : `${about} `}${name === undefined ? titles[kind] : name}`;
}

/** What it is, and of which run: for people who look at several. */
const nameOf = (item: Waiting): string => {
  const { kind, what, place, run } = item;
  const about = kind === "question" ? `${titleOf(item)}: ${what}` : titleOf(item);
  return `${shortened(about, 100)} (${place.name}, ${shortened(run.request.split("\n")[0] || run.task, 60)})`;
};

function card(item: Card, may: May, isAbroad: boolean): Markup {
  const { place, runId, kind, gate, what, rootCause, supposition, next, diff, run } = item;
  const key = keyOf(item);
  const isGate = gate !== null;
  const label = isGate
    ? html`<span class="state fair">${gate.name}</span>`
    : kind === "rest"
      ? none
      : html`<span class="state ${kind === "question" ? "fair" : "bad"}">${titles[kind].toLowerCase()}</span>`;
  const where = isAbroad
    ? html`<p class="small"><a href="${runPath(place, runId)}">${place.name} · ${shortened(run.request.split("\n")[0] || run.task, 90)}</a> · ${moment(run.lastAt)}</p>`
    : none;
  return html`<article class="ask" id="${key}" data-ask="${nameOf(item)}" data-subject="${item.subject ?? ""}" aria-labelledby="${key}-t">
<h3 id="${key}-t" tabindex="-1">${shortened(titleOf(item), 200)} ${label}</h3>
${where}
${whatPart(what)}
${isGate || kind === "rest" ? none : html`<p class="small">${shortened(rootCause, 1000)}</p>`}
${supposition === null ? none : html`<p><b>Without an answer, the agent would:</b> ${shortened(supposition, 1000)}</p>`}
${shownFor(item)}
${diffPart(diff)}
${item.left.map(leftPart)}
${may === "write" && isAnswerable(item) ? answers(item, key) : html`<p class="next"><span class="small">Next</span> <code class="copy">${next}</code></p>`}
</article>
`;
}

function leftPart(item: Waiting): Markup {
  const { kind, what, rootCause, next } = item;
  return html`<section class="left"><h4>${shortened(titleOf(item), 200)} <span class="state bad">${titles[kind].toLowerCase()}</span></h4>
${whatPart(what)}
<p class="small">${shortened(rootCause, 1000)}</p>
<p class="small">Next: ${shortened(next, 1000)}</p></section>
`;
}

const lookMax = 2;

/** The output of a check is long, and is read after the reason. */
function whatPart(what: string): Markup {
  const lines = what.trim().split("\n");
  const isLong = lines.length > 4 * lookMax;
  const said = isLong ? lines.slice(0, lookMax).join("\n") : what;
  const seen = isLong ? shortened(lines.slice(lookMax).join("\n"), 4000) : "";
  return html`<p class="what" dir="auto">${shortened(said, 4000)}</p>
${isLong ? html`<details><summary>What was seen</summary><pre class="seen" tabindex="0" role="group" aria-label="What was seen">${seen}</pre></details>` : none}`;
}

function answers(item: Waiting, key: string): Markup {
  const { kind, gate, place, runId, about, tree, run } = item;
  const at = (verb: string): string => apiOf(place, runId, verb);
  const of = hidden(` ${titleOf(item)}`);
  if (gate !== null) {
    const body = JSON.stringify({ gate: gate.name, number: gate.number, tree: gate.tree });
    return html`<div class="answers">${plain(at("approve"), body, "Approve", "Approved.", of)}${reject(at("reject"), body, key, of)}</div>`;
  }
  if (kind === "question") return question(item, key, of);
  if (kind === "rest") return html`<div class="answers">${resumeForm(place, run, key)}</div>`;
  if (tree === null) return none;
  const body = JSON.stringify({ feature: about, tree });
  const [verb, word, done] =
    kind === "unproved" ? (["accept", "Accept", "Accepted."] as const) : (["allow", "Allow", "Allowed."] as const);
  return html`<div class="answers">${plain(at(verb), body, word, done, of)}${reject(at("reject"), body, key, of)}</div>`;
}

const plain = (to: string, body: string, word: string, done: string, of: Markup): Markup =>
  html`<form data-to="${to}" data-body="${body}" data-done="${done}"><button class="first">${word}${of}</button></form>`;

const reject = (to: string, body: string, key: string, of: Markup): Markup =>
  html`<details class="no"><summary>Reject…${of}</summary>
<form data-to="${to}" data-body="${body}" data-done="Rejected."><label for="${key}-r">Why? The agent reads it.</label>
<textarea id="${key}-r" name="reason" required rows="3" maxlength="20000"></textarea><button class="grave">Reject${of}</button></form></details>`;

function question({ place, runId, about, subject }: Waiting, key: string, of: Markup): Markup {
  const body = JSON.stringify({
    feature: about === "run" ? null : about,
    ...(subject === null ? {} : { question: subject }),
  });
  return html`<form class="answer" data-to="${apiOf(place, runId, "answer")}" data-body="${body}" data-done="Answered."><label for="${key}-a">Your answer</label>
<textarea id="${key}-a" name="answer" required rows="3" maxlength="20000"></textarea><button class="first">Answer${of}</button></form>`;
}
