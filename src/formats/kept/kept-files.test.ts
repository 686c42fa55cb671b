// Every file that the loop writes and reads back: what the schema accepts, and that damage is a sentence.
import { describe, expect, test } from "vitest";
import type { KeptFile } from "./kept-file.ts";
import * as others from "./other-files.ts";
import * as proofs from "./proof-files.ts";
import * as runs from "./run-files.ts";
import * as sessions from "./session-files.ts";
import { signalFile } from "./signal-file.ts";
import * as vault from "./vault-files.ts";

const tree = "a".repeat(40);
const crew = { agents: { maker: { kind: "claude" }, checker: null }, env: ["CI"] };
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null };
const totals = { usage, nativeId: null, ms: 5, parts: 1, strays: 0, editsMax: null };
const contract = {
  request: "Add f()",
  features: [{ id: "F001", name: "f", status: "not-started", criteria: ["f() is 1"], dependencies: [] }],
  checks: [{ name: "test", run: "npm test", timeoutMs: 1000 }],
  limits: { costUsdMax: 5, tokensMax: null },
  autonomy: "L2",
  stages: ["implement"],
  scope: { mayTouch: [], mustNot: [] },
  recordsDir: "docs",
};
const shown = [{ run: "A", check: "test", how: "green", outcome: "green" }];
const answered = { reply: { summary: "", criteria: [{ criterion: 0, met: true, verification: "a test" }] } };
const entry = {
  id: "q1",
  at: 1,
  why: "x",
  paths: [],
  trees: [{ prefix: "", tree }],
  nested: [],
  git: null,
  commits: [],
};

type Row = { readonly file: KeptFile<never>; readonly sample: unknown };
const row = <Shape>(file: KeptFile<Shape>, sample: unknown): Row => ({ file: file as KeptFile<never>, sample });

const rows: readonly Row[] = [
  row(runs.planFile, { version: 2, task: "t", contract, ...crew, kind: "git", stopAtLimit: false }),
  row(runs.stepFile, { version: 1, room: "F001-i1-A" }),
  row(runs.agentsFile, { version: 1, ...crew, unfinished: { ...crew, session: "s" } }),
  row(runs.configuredFile, { version: 2, limits: {}, ...crew, frozen: { goal: null } }),
  row(runs.queueFile, { version: 1, base: "c".repeat(64), statuses: "nc" }),
  row(runs.liveLine, { session: "s", role: "builder", sign: { sign: "progress" } }),
  row(runs.notifiedFile, {
    version: 1,
    told: ["ended"],
    topic: "loop-x",
    since: "all",
    nonces: [{ nonce: "loop-y", gate: "G1", number: 0, tree, decision: "approve" }],
  }),
  row(vault.trustFile, { version: 1, agreed: ["c".repeat(64)] }),
  row(vault.agentPricesFile, { version: 1, prices: [{ command: ["sh", "agent.sh"], costUsd: 0.1 }] }),
  row(vault.placeFile, {
    version: 1,
    run: "r",
    branch: "loop/work",
    onto: "main",
    base: tree,
    taken: { "loop.yaml": null },
    landed: { commit: tree, at: 1 },
    left: null,
  }),
  row(signalFile, { type: "approved", gate: "G1", number: 0, tree }),
  row(sessions.resultFile, { version: 1, result: { how: "replied", reply: { status: "done" }, text: "", ...totals } }),
  row(sessions.launchFile, { version: 1, part: 1, at: 1, boot: "b", process: { pid: 2, startTicks: 3 } }),
  row(sessions.meteredLine, { id: "r1", model: "m", how: "begun", tokens: usage, costUsd: 0 }),
  row(sessions.ownerFile, { pid: 2, startTicks: 3, boot: "b" }),
  row(proofs.provedFile, {
    version: 1,
    candidate: tree,
    base: { tree, head: null },
    grade: "strong",
    checks: shown,
    missing: [],
    notes: [],
    failures: [{ kind: "check-red", key: "k", text: "red" }],
    contradiction: null,
  }),
  row(proofs.verdictFile, { tree, reply: {} }),
  row(proofs.evidenceFile, {
    version: 2,
    feature: "F001",
    label: "F001-i1",
    base: tree,
    candidate: tree,
    grade: "weak",
    order: { contract: { checks: contract.checks }, feature: { id: "F001" } },
    runs: [{ run: "A", check: "test", how: "green", text: "1 test passed" }],
  }),
  row(proofs.proofFile, { version: 2, shown, verdict: answered }),
  row(proofs.seenFile, {
    check: "test",
    how: "green",
    exitCode: 0,
    ms: 1,
    tail: "",
    signature: "",
    output: "x.log",
    tests: [["a.test.js > a", "passed"]],
    problem: null,
    leftBehind: 0,
    left: [],
  }),
  row(proofs.hiddenFile, [{ path: "test/a.js", content: "x" }]),
  row(vault.workspaceFile, { version: 1, root: "/x" }),
  row(vault.settingsFile, {
    identity: { name: "P", email: "p@x" },
    excludes: "",
    attributes: "",
    conversions: [],
    fileSystem: [],
    filters: [],
    objectFormat: "sha1",
    refFormat: "files",
    bare: false,
    partial: false,
  }),
  row(vault.checkpointFile, {
    version: 1,
    checkpoint: { id: "c1", tree, head: null, branch: "main" },
    at: 1,
    raw: tree,
    nested: [],
    repo: { gitDir: "/x/.git", commonDir: "/x/.git" },
    own: "",
    git: null,
  }),
  row(vault.quarantineFile, { version: 1, ...entry }),
  row(vault.gitFilesFile, { files: { HEAD: { mode: 420, hash: "h", mtimeMs: 1 } }, locks: [], bulk: ["objects"] }),
  row(vault.filteredFile, { "a.bin": { raw: tree, committed: tree } }),
  row(vault.linksFile, ["vendor/x"]),
  row(vault.broughtFile, ["node_modules"]),
  row(others.lookFile, { version: 1, at: 2, before: 1 }),
  row(others.wallsFile, { key: "1 /usr/bin/bwrap", version: "0.8.0" }),
  row(others.lockFile, {
    v: 1,
    pid: 2,
    start: null,
    boot: null,
    host: "h",
    pidNamespace: null,
    netNamespace: null,
    since: "2026-01-01",
    about: "run for: x",
    nonce: "n",
  }),
  row(others.endedHoldFile, { version: 1, ending: "met", why: "", session: null, hold: {} }),
];

test("every kept file of this folder is in the table", () => {
  const all = [...[runs, sessions, proofs, vault, others].flatMap((room) => Object.values(room)), signalFile];
  const files = all.filter((each): each is KeptFile<never> => typeof each === "object" && "parse" in each);
  const named = new Set(rows.map(({ file }) => file.name));
  expect(files.filter((file) => !named.has(file.name)).map(({ name }) => name)).toEqual([]);
});

describe.each(rows.map((each) => ({ name: each.file.name, ...each })))("$name", ({ file, sample }) => {
  const text = JSON.stringify(sample);

  test("is read back as it was written, with keys that a later release added", () => {
    expect(file.parse(text)).toEqual({ ok: true, value: sample });
    if (Array.isArray(sample) || file === (signalFile as KeptFile<unknown>)) return;
    if (file === (vault.filteredFile as KeptFile<unknown>)) return;
    const more = { ...(sample as object), added: true };
    expect(file.parse(JSON.stringify(more))).toEqual({ ok: true, value: more });
  });

  test.each(["", " ", "{", "nul", "null", "7", '"text"', "\u0000\u0001", '{"a":', '{"version":1}', "[{}]", "[7]"])(
    "is refused with a sentence when it is %j",
    (garbage) => {
      const kept = file.parse(garbage);
      expect(kept).toEqual({ ok: false, why: expect.stringMatching(/\w/) });
      expect(() => file.mustParse(garbage, "/vault/x.json")).toThrow(/\/vault\/x\.json: /);
      expect(file.parseIfPossible(garbage)).toBeNull();
    },
  );

  test("is refused when it is cut off anywhere", () => {
    for (let length = 0; length < text.length; length++) expect(file.parse(text.slice(0, length)).ok).toBe(false);
  });
});

const versioned = rows.filter(({ file }) => file.version !== null).map((each) => ({ name: each.file.name, ...each }));
test.each(versioned)("$name of a later version is refused, and says so", ({ file, sample }) => {
  const later = { ...(sample as object), ...("v" in (sample as object) ? { v: 99 } : { version: 99 }) };
  expect(file.parse(JSON.stringify(later))).toEqual({ ok: false, why: expect.stringContaining("version 99") });
});

test.each([
  { what: "an unknown type", signal: { type: "resigned" } },
  { what: "a missing field", signal: { type: "answered", feature: null } },
  { what: "a wrong type of field", signal: { type: "accepted", feature: 7, tree, by: "Pat" } },
  { what: "something that is no tree", signal: { type: "approved", gate: "G1", number: 0, tree: "../../x" } },
  { what: "a field that this release does not know", signal: { type: "cancel-requested", also: "rm" } },
])("a signal with $what is refused", ({ signal }) => {
  expect(signalFile.parse(JSON.stringify(signal)).ok).toBe(false);
});
