// The pages of the server, on arbitrary runs. tests/serve/page.test.ts opens them in a real browser.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { TreeId } from "../../core/ids.ts";
import { anyContract, contractOf, feature, looseLimits } from "../../testing/world/contracts.ts";
import { play } from "../../testing/world/play.ts";
import { taped } from "../../testing/world/random.ts";
import { emptyChronicle, tell } from "../chronicle.ts";
import { type Overview, overview } from "../overview.ts";
import { lineAfterLabel } from "../words/cause-words.ts";
import { addressed } from "../words/left.ts";
import { money } from "../words/words.ts";
import { homeParts, runParts } from "./pages.ts";
import { pageHtml } from "./shell.ts";
import type { Live, May, RunView, Waiting } from "./view.ts";
import { withSession } from "./with-session.ts";

const tapes = fc.array(fc.nat(0xffffff), { maxLength: 600, size: "max" });
const place = { id: "shop-1", name: "shop", root: "/shop" };
const tree = "a".repeat(40) as TreeId;

function anyRun(tape: readonly number[], trouble: number): Overview {
  const choose = taped(tape);
  const { run, steps } = play(anyContract(choose), choose, { trouble, signals: 60, stepsMax: 1500, continues: 2 });
  const chronicle = steps.reduce((so, { before, event, after }) => tell(so, before, event, after), emptyChronicle);
  return overview({ run, chronicle }, { isDriven: trouble > 0 });
}

const asking = (run: Overview, kind: Waiting["kind"]): Waiting => ({
  ...{ place, runId: "r1", run, kind, about: kind === "gate" ? "G2" : "F001", what: "<b>what?</b>", rootCause: "root" },
  ...{
    supposition: null,
    subject: kind === "question" ? "0f1e2d" : null,
    next: "loop inbox",
    tree: kind === "question" || kind === "gate" ? null : tree,
  },
  gate: kind === "gate" ? { name: "G2", number: 3, tree, feature: null } : null,
  diff: { text: 'diff --git a/x "b/x"\n@@ -1 +1 @@\n-<i>\n+"a"\n', isCut: true },
});

/** Every opening tag has its closing tag, in order. */
function unbalanced(page: string): string | null {
  const open: string[] = [];
  for (const [, slash, name = "", rest = ""] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b([^>]*)>/g)) {
    if (["meta", "br", "link", "input"].includes(name) || rest.endsWith("/")) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return name;
  }
  return open.at(-1) ?? null;
}

const kinds = ["gate", "question", "unproved", "contradiction", "permission", "failed", "gap", "rest"] as const;

test("any run has both pages, well formed, with each id once, without inline style or script", () => {
  fc.assert(
    fc.property(tapes, fc.constantFrom(0, 150, 700), fc.constantFrom<May>("read", "write"), (tape, trouble, may) => {
      const run = anyRun(tape, trouble);
      const waiting = kinds.map((kind) => asking(run, kind));
      const view: RunView = { place, run, seq: 7, live: null, tail: null, waiting, follower: null };
      const home = {
        offered: [],
        workspaces: [],
        waiting,
        open: [view],
        runs: [],
        more: 0,
        triggers: [],
        silent: [],
        firings: [],
      };
      const shell = { live: "/live", version: "1", who: "pat", may, isHome: true, lines: [] };
      for (const parts of [runParts(view, may), homeParts(home, may)]) {
        const page = pageHtml(parts, shell);
        expect(unbalanced(page)).toBeNull();
        expect(page).not.toMatch(/\bNaN\b|undefined|\[object|Infinity|<b>what|<i>| style=|<script>/);
        const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
        expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
        expect(page.length).toBeLessThan(1_000_000);
        expect(/<form|<button/.test(page)).toBe(may === "write");
      }
    }),
    { numRuns: 40 },
  );
});

test.each([
  ["gate", ["approve", "reject"], { gate: "G2", number: 3, tree }],
  ["unproved", ["accept", "reject"], { feature: "F001", tree }],
  ["contradiction", ["allow", "reject"], { feature: "F001", tree }],
  ["permission", ["allow", "reject"], { feature: "F001", tree }],
  ["question", ["answer"], { feature: "F001", question: "0f1e2d" }],
  ["rest", ["continue"], {}],
  ["failed", [], {}],
] as const)("what waits as %s can be answered with %j, naming what was shown", (kind, verbs, body) => {
  const run: Overview = { ...anyRun([1, 2, 3], 0), run: "r1", state: "waits-for-you" };
  const view: RunView = {
    place,
    run,
    seq: 1,
    live: null,
    tail: null,
    waiting: [asking(run, kind)],
    follower: null,
  };
  const { waits = "" } = runParts(view, "write").parts;
  const forms = Array.from(waits.matchAll(/data-to="([^"]+)" data-body="([^"]+)"/g), ([, to = "", given = ""]) => [
    to,
    given,
  ]);
  expect(forms.map(([to]) => to)).toEqual(verbs.map((verb) => `/api/v1/workspaces/shop-1/runs/r1/${verb}`));
  for (const [, given = ""] of forms) expect(JSON.parse(given.replaceAll("&quot;", '"'))).toEqual(body);
});

test("every command on the page of a run names the run, each once", () => {
  for (const state of ["over", "waits-for-you"] as const) {
    const over = { ...anyRun([1, 2, 3], 150), run: "r1", state, next: "loop land", left: "loop continue resumes it" };
    const run = addressed(addressed(over));
    const waiting = [asking(run, "landing"), asking(run, "failed")].map((each) => ({ ...each, next: run.next }));
    const { parts } = runParts({ place, run, seq: 1, live: null, tail: null, waiting, follower: null }, "read");
    const commands =
      Object.values(parts)
        .join("")
        .match(/\bloop (?!serve|runs)[a-z]+\b(?: --\w+ \S+)?/g) ?? [];
    expect(commands.length).toBeGreaterThan(2);
    expect(commands.filter((command) => !/^loop \w+ --run r1\b/.test(command))).toEqual([]);
  }
});

test("a run that has handed on shows what became of its follow-up, and each leads to the other", () => {
  const handed: Overview = {
    ...anyRun([1, 2, 3], 0),
    run: "r1",
    state: "over",
    outcome: { kind: "followup", gaps: 1 },
  };
  const follower = { run: "r2", state: "over", outcome: { kind: "success" }, title: "Done: 3 of 3" } as const;
  const view: RunView = { place, run: handed, seq: 1, live: null, tail: null, waiting: [], follower };
  const { head = "" } = runParts(view, "read").parts;
  expect(head).toContain('<a href="/workspaces/shop-1/runs/r2">The follow-up</a> <span class="state good">done</span>');
  expect(head).not.toContain("RESEARCH");
  const next = runParts({ ...view, run: { ...handed, run: "r2", followUpOf: "r1" }, follower: null }, "read").parts;
  expect(next["head"]).toContain('<a href="/workspaces/shop-1/runs/r1">');
});

const quietHome = {
  offered: [],
  workspaces: [],
  waiting: [],
  open: [],
  runs: [],
  more: 0,
  triggers: [],
  silent: [],
  firings: [],
};

test("a firing shows its run as it is now, and a reason only where there is no run", () => {
  const run = { ...anyRun([1, 2, 3], 0), state: "over", outcome: { kind: "success" } } as const;
  const firing = {
    place,
    trigger: "nightly",
    at: 0,
    cause: "due 03:00",
    runId: "r1",
    costUsd: 1,
    status: "ended",
    note: "needs-person",
  };
  const skipped = {
    ...firing,
    cause: "main moved from <b>1a2b3c4 to 5d6e7f8",
    runId: null,
    costUsd: null,
    status: "refused",
    note: "Its last run is still at work.",
  };
  const { triggers = "" } = homeParts(
    { ...quietHome, runs: [{ ...run, place, runId: "r1" }], firings: [firing, skipped] },
    "read",
  ).parts;
  expect(triggers).toContain('<a href="/workspaces/shop-1/runs/r1">nightly</a> <span class="state good">done</span>');
  expect(triggers).not.toContain("needs-person");
  expect(triggers).toContain("Its last run is still at work.");
  // Several in a minute are told apart, and what they came from is data.
  expect(triggers).toContain("main moved from &lt;b&gt;1a2b3c4 to 5d6e7f8");
  expect(triggers.match(/data-precision="seconds"/g)).toHaveLength(2);
});

test("one cost of a running run is shown everywhere, with that of the session at work", () => {
  const before: Overview = { ...anyRun([], 0), state: "running" };
  const past = [...before.sessions, ...before.iterations.flatMap(({ sessions }) => sessions)];
  expect(past.length).toBeGreaterThan(0);
  const [feature] = before.features;
  const live: Live = {
    ...{ role: "builder", tool: null, words: "", tokens: 1000, costUsd: 1.23, contextPercent: null, past: [] },
  };
  const current = { feature: feature?.id ?? "", attempt: 1, role: "builder" } as const;
  const run = withSession({ ...before, current, doing: { what: "builder at work", since: 0 } }, live);
  const view: RunView = { place, run, seq: 1, live: live, tail: null, waiting: [], follower: null };
  const sum = money(before.spent.costUsd + 1.23, before.spent.estimated);
  const { parts } = runParts(view, "read");
  const runs = [{ ...run, place, runId: "r1" }];
  const home = homeParts({ ...quietHome, open: [view], runs }, "read").parts;
  for (const part of [parts["now"], parts["spending"], home["now"], home["runs"]]) expect(part).toContain(sum);
  expect(parts["features"]).toContain(money((feature?.costUsd ?? 0) + 1.23, feature?.estimated));
});

test("why an interrupted run rests is said once, with one button that resumes it", () => {
  const why = "The process that drove the run is gone. Its work is kept.";
  const run: Overview = { ...anyRun([1, 2, 3], 0), run: "r1", state: "interrupted", doing: null, why };
  const waiting = [{ ...asking(run, "rest"), what: why }];
  const { parts } = runParts({ place, run, seq: 1, live: null, tail: null, waiting, follower: null }, "write");
  const page = Object.values(parts).join("");
  expect(page.split(why)).toHaveLength(2);
  expect(page.match(/data-to="[^"]+\/continue"/g)).toHaveLength(1);
  expect(page).toContain("/cancel");
});

test.each(["waits-for-you", "paused", "running"] as const)("a run that is %s can be cancelled on its page", (state) => {
  const run: Overview = { ...anyRun([1, 2, 3], 0), run: "r1", state, doing: null };
  const waiting = state === "waits-for-you" ? [asking(run, "question")] : [];
  const at = (may: May) =>
    runParts({ place, run, seq: 1, live: null, tail: null, waiting, follower: null }, may).parts["now"];
  expect(at("write")).toContain("/cancel");
  expect(at("read")).not.toContain("/cancel");
});

test("a cause does not repeat its label", () => {
  expect(lineAfterLabel({ label: "it is not proved", text: "It is not proved: No test.\nMore." })).toBe("No test.");
  expect(lineAfterLabel({ label: "a check is red", text: "test failed\nMore." })).toBe("test failed");
});

test("while a session is at work, the working time counts on, and the sums of a report wait for the end", () => {
  const before: Overview = { ...anyRun([], 0), state: "running", doing: { what: "builder at work", since: 90_000 } };
  const caps = before.caps.map((each) => (each.cap === "minutes" ? { ...each, used: 30_000 } : each));
  const live: Live = {
    ...{ role: "builder", tool: null, words: "", tokens: 0, costUsd: 0, contextPercent: null, past: [] },
  };
  const view: RunView = { place, run: { ...before, caps }, seq: 1, live, tail: null, waiting: [], follower: null };
  const { now = "", report = "" } = runParts(view, "read").parts;
  expect(now).toContain('data-since="60000"');
  expect(report).not.toContain("elapsed");
});

test("the feature at work has the same attempts and a running time everywhere, and the page has one clock", () => {
  const run = anyRun([1, 2, 3], 0);
  const [first] = run.features;
  if (first === undefined) throw new Error("it has no features");
  const atWork: Overview = {
    ...run,
    state: "running",
    lastAt: 100_000,
    doing: { what: "builder at work", since: 90_000 },
    current: { feature: first.id, attempt: 1 } as Overview["current"],
    features: [{ ...first, attempts: 2, sessions: 2, ms: 30_000 }],
    notes: [{ at: 0, about: "baseline", text: "x" }],
  };
  const { parts } = runParts(viewOf(atWork), "read");
  expect(parts["now"]).toContain("attempt 2");
  expect(parts["features"]).toMatch(/2 attempts · 2 sessions · [^·]* · <time[^>]* data-since="70000"/);
  for (const name of ["report", "foot"]) expect(parts[name]).not.toMatch(/>\d{4}-\d\d-\d\dT/);
});

const viewOf = (run: Overview): RunView => ({
  ...{ place, run, seq: 1, live: null, tail: null, waiting: [], follower: null },
});

test("questions come first, and why a run rests comes before the button that resumes it", () => {
  const run: Overview = { ...anyRun([1, 2, 3], 0), run: "r1", state: "waits-for-you" };
  const other = (kind: Waiting["kind"]): Waiting => ({ ...asking(run, kind), runId: "r2" });
  const waiting = [other("rest"), other("failed"), asking(run, "question")];
  const { waits = "" } = homeParts({ ...quietHome, waiting }, "write").parts;
  const found = Array.from(waits.matchAll(/<article class="ask" id="w-shop-1-(r\d-[a-z]+)/g), ([, id]) => id);
  expect(found).toEqual(["r1-question", "r2-rest"]);
  // What the run has left is on the card that resumes it, in front of the button.
  expect(waits.match(/class="left"/g)).toHaveLength(1);
  expect(waits.indexOf('class="left"')).toBeLessThan(waits.indexOf("/continue"));
  expect(waits).toContain('<span class="count">2</span>');
});

test("the output of a check is folded below the reason", () => {
  const run: Overview = { ...anyRun([1, 2, 3], 0), run: "r1", state: "waits-for-you" };
  const what = ["It failed.", ...Array.from({ length: 40 }, (_, n) => `at line ${n}`)].join("\n");
  const { waits = "" } = homeParts({ ...quietHome, waiting: [{ ...asking(run, "failed"), what }] }, "write").parts;
  expect(waits).toMatch(/It failed\.[\s\S]*<details><summary>What was seen<\/summary>[\s\S]*at line 39/);
});

test("the page of a run with a thousand features is as small as its bounds", { timeout: 60_000 }, () => {
  const features = Array.from({ length: 1000 }, (_, at) => feature(`F${at + 1}`));
  const limits = { ...looseLimits, costUsdMax: null, iterationsMax: null, commitsMax: null, activeMsMax: null };
  const options = { trouble: 0, signals: 0, stepsMax: 20_000 };
  const { run, steps } = play(contractOf(features, { limits }), taped([]), options);
  const chronicle = steps.reduce((so, { before, event, after }) => tell(so, before, event, after), emptyChronicle);
  const shown = overview({ run, chronicle }, { isDriven: false });
  expect(shown.iterations).toHaveLength(1000);
  const view: RunView = { place, run: shown, seq: steps.length, live: null, tail: null, waiting: [], follower: null };
  const { parts } = runParts(view, "write");
  expect(parts["timeline"]?.length).toBeLessThan(120_000);
  expect(Object.values(parts).join("").length).toBeLessThan(300_000);
});

test.each([
  [true, "The agent printed nothing."],
  [false, "Nothing printed yet."],
])("a session without output says so (over: %s)", (isOver, says) => {
  const tail = { session: "s1", title: "F001", isOver, lines: [] };
  const { parts } = runParts(
    { place, run: anyRun([1], 0), seq: 1, live: null, tail, waiting: [], follower: null },
    "read",
  );
  expect(JSON.stringify(parts)).toContain(says);
});
