// The prover of a simulated world: old tests over new files, all new files, and new tests over old files.
import { createHash } from "node:crypto";
import type { Cause } from "../../core/cause.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Proved, ProveOrder, Prover, RunShown } from "../../proof/prover.ts";
import type { RunFiles } from "../../runtime/ports.ts";
import type { Faults } from "./faults.ts";
import { redIn, redLines } from "./red-lines.ts";
import type { Tree, Trees } from "./trees.ts";
import type { Scratches } from "./workspace.ts";

/** What the simulated prover works with. */
export type ProverSurroundings = {
  readonly trees: Trees;
  readonly files: RunFiles;
  readonly faults: Faults;
  /** The content of each checkout, for the sessions that judge there. */
  readonly scratches: Scratches;
  /** Time passes, and others act meanwhile. */
  readonly pass: (ms: number) => void;
};

const isTest = (path: string): boolean => path.startsWith("test/");
const testsOf = (tree: Tree): string[] => [...tree.keys()].filter(isTest);
/** A flaky source file makes its check fail now and pass the next time. The loop's own records may contain the word. */
const isFlaky = (tree: Tree): boolean =>
  [...tree].some(([path, text]) => path.startsWith("src/") && text.includes("flaky"));

/** A prover that judges simulated trees without running anything. */
export function worldProver({ trees, files, faults, scratches, pass }: ProverSurroundings): Prover {
  const run = async (cut: AbortSignal, name: string): Promise<boolean> => {
    faults.step(`before ${name}`);
    pass(200);
    await Promise.resolve();
    faults.step(`after ${name}`);
    return cut.aborted;
  };
  const looked = (tree: TreeId, name: string) => {
    const red = redLines(trees.get(tree));
    return {
      name,
      how: red.length === 0 ? "green" : "red",
      tests: null,
      tail: red.join("\n"),
      output: "",
      ms: 200,
    } as const;
  };
  return {
    baseline: async ({ contract, tree }, cut) => {
      if (await run(cut, "the baseline")) return { cut: true, checks: [], notes: [] };
      return { cut: false, checks: contract.checks.map(({ name }) => looked(tree, name)), notes: [] };
    },
    prove: async (order, cut) => {
      if (await run(cut, "a proof")) return cutOff;
      const found = judge(order, trees.get(order.base), trees.get(order.candidate));
      const text = JSON.stringify({ ...found, candidate: order.candidate, label: order.label });
      const proof = createHash("sha256").update(text).digest("hex");
      files.write(`evidence/${proof}.json`, text);
      return { cut: false, proof, ...found };
    },
    checkout: async ({ tree }) => {
      faults.step("before a checkout");
      scratches.set("/verify", trees.get(tree));
      return { dir: "/verify", close: async () => void scratches.delete("/verify") };
    },
    close: async ({ contract, tree }, cut) => {
      if (await run(cut, "the last look")) return { cut: true, red: [], notes: [] };
      const seen = contract.checks.map(({ name }) => looked(tree, name));
      return { cut: false, red: seen.filter(({ how }) => how === "red").map(({ name }) => name), notes: [] };
    },
  };
}

const nothing = { grade: "weak", checks: [], failures: [], missing: [], contradiction: null, notes: [] } as const;
const cutOff: Proved = { cut: true, proof: "", ...nothing };

type Found = Omit<Proved, "cut" | "proof">;

/** The old tests judge the new files; tests that the feature may change are the candidate's own. */
function judge({ feature, decided, hidden }: ProveOrder, base: Tree, candidate: Tree): Found {
  const rewritten = testsOf(base).filter((path) => candidate.get(path) !== base.get(path));
  const mayChange = (path: string): boolean => decided?.how === "allow" || feature.mayChange.includes(path);
  const released = new Set(rewritten.filter(mayChange));
  const oldTests = (path: string): Tree => (released.has(path) ? candidate : base);
  const a = redIn(candidate, testsOf(base), oldTests);
  const b = redLines(candidate);
  const c = redIn(
    base,
    testsOf(candidate).filter((path) => !base.has(path)),
    () => candidate,
  );
  const checks: RunShown[] = [shown("A", a), shown("B", b), shown("C", c)];
  if (isFlaky(candidate)) return { ...nothing, checks, failures: [cause("flaky", "it depends")] };
  if (b.length > 0) return { ...nothing, checks, failures: [cause("check-red", b.join(" "))] };
  const files = rewritten.filter((path) => !released.has(path));
  const isOnlyRewritten =
    redIn(
      candidate,
      testsOf(base).filter((path) => !files.includes(path)),
      oldTests,
    ).length === 0;
  const stillBites = files.every((path) => candidate.has(path)) && c.length > 0;
  if (a.length > 0 && isOnlyRewritten && stillBites)
    return { ...nothing, checks, contradiction: { files, tests: files } };
  if (a.length > 0) return { ...nothing, checks, failures: [cause("tampering", a.join(" "))] };
  const gone = files.filter((path) => !candidate.has(path));
  if (gone.length > 0) return { ...nothing, checks, failures: [cause("tampering", `removed: ${gone.join(" ")}`)] };
  if (c.length === 0) return { ...nothing, checks, missing: ["No new test fails on the code as it was."] };
  const unknown = (hidden ?? []).flatMap(({ path, content }) =>
    redIn(candidate, [path], () => new Map([[path, content]])),
  );
  if (unknown.length > 0) return { ...nothing, checks, missing: [`Hidden tests fail: ${unknown.join(" ")}`] };
  return { ...nothing, grade: "strong", checks };
}

const shown = (run: RunShown["run"], red: readonly string[]): RunShown => ({
  run,
  check: "test",
  how: red.length === 0 ? "green" : "red",
  outcome: red.length === 0 ? "green" : "red",
});

const cause = (kind: Cause["kind"], text: string): Cause => ({ kind, key: `${kind}:${text}`, text });
