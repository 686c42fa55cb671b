// What simulated agents do: honest work, and every kind of dishonest work. A script is chosen once per session.
import type { FailureClass } from "../../core/session.ts";
import { type Choices, pick } from "./random.ts";
import { redLines, testLine } from "./red-lines.ts";
import { branch, type Repository } from "./repository.ts";
import type { Tree } from "./trees.ts";

export type MakerScript = (typeof makers)[number];
export type CheckerScript = (typeof checkers)[number];
export type Script = MakerScript | CheckerScript;

const makers = [
  "honest",
  "honest",
  "honest",
  "honest",
  "untested",
  "lying",
  "wrong",
  "flaky",
  "tampering",
  "deleting",
  "committing",
  "ref-moving",
  "forging",
  "vandal",
  "question",
  "asking",
  "blocked",
  "garbled",
  "crashed",
  "limited",
  "transient",
  "silent",
  "context-full",
  "authentication",
] as const;
const checkers = [
  "judging",
  "judging",
  "judging",
  "judging",
  "meddling",
  "failing",
  "assuming",
  "garbled",
  "crashed",
  "limited",
] as const;

export const chooseMaker = (choose: Choices): MakerScript => pick(choose, makers);
export const chooseChecker = (choose: Choices): CheckerScript => pick(choose, checkers);

/** Sessions that end without a reply, whatever they did before. */
export const failureOf: Partial<Record<Script, FailureClass>> = {
  crashed: "crashed",
  limited: "limited",
  transient: "transient",
  silent: "silent",
  "context-full": "context-full",
  authentication: "authentication",
};

/** One action of an agent on the workspace; it stays done when the loop dies. */
export type Act = (repo: Repository) => void;

const put =
  (path: string, text: string): Act =>
  (repo) =>
    void repo.folder.set(path, text);

const source = (feature: string): string => `src/${feature}.js`;
const writeTest = (feature: string): Act => put(`test/${feature}.test`, testLine(source(feature), `does-${feature}`));

/** Makes every test pass, and repairs the old code as well. */
const writeCode =
  (feature: string): Act =>
  ({ folder }) => {
    folder.set(source(feature), `does-${feature}\n`);
    for (const [path, text] of folder)
      if (path.startsWith("src/") && text.includes("flaky")) folder.set(path, text.replace("flaky", ""));
    if (!folder.get("src/old.js")?.split(/\s+/).includes("good")) folder.set("src/old.js", "good\n");
    for (const line of redLines(folder)) {
      const [path = "", word = ""] = line.split(": ");
      folder.set(path, `${folder.get(path) ?? ""}${word}\n`);
    }
  };

export function actsOf(script: Script, feature: string): readonly Act[] {
  const work = [writeTest(feature), writeCode(feature)];
  switch (script) {
    case "honest":
      return work;
    case "untested":
      return [writeCode(feature)];
    case "wrong":
      return [writeTest(feature), put(source(feature), "nothing of the kind\n")];
    case "flaky":
      return [...work, put(source(feature), `does-${feature} flaky\n`)];
    case "tampering":
      return [
        put("test/old.test", testLine("src/old.js", "bad")),
        put("src/old.js", "bad\n"),
        writeTest(feature),
        put(source(feature), `does-${feature}\n`),
      ];
    case "deleting":
      return [...work, ({ folder }) => void folder.delete("test/old.test")];
    case "committing":
      return [...work, (repo) => void (repo.isWhole && repo.commit("agent", repo.treeNow(), "mine", {}))];
    case "ref-moving":
      return [...work, ({ refs }) => void refs.delete("kept")];
    case "forging":
      return [
        ({ folder }) => {
          const queue = folder.get("docs/FEATURES.json");
          if (queue !== undefined)
            folder.set("docs/FEATURES.json", queue.replaceAll(/not-started|in-progress|needs-rework/g, "complete"));
        },
        put("docs/PROGRESS.md", "All is well.\n"),
      ];
    case "vandal":
      return [destroy];
    // A checker must not change the folder, but could.
    case "meddling":
      return [put("src/old.js", "meddled\n"), put("loop.yaml", "limits: { cost_usd: 9999 }\n")];
    case "crashed":
    case "limited":
    case "transient":
    case "silent":
    case "context-full":
      return [writeTest(feature), put(`src/${feature}.half`, "half\n")];
    default:
      return [() => undefined];
  }
}

function destroy(repo: Repository): void {
  for (const path of [...repo.folder.keys()]) if (/^(?:src|test|docs)\//.test(path)) repo.folder.delete(path);
  // A commit that only the destroyed .git had is lost for good, so leave people's commits alone.
  if (repo.history()[0]?.by === "person" && repo.history().length > 1) return;
  repo.refs.delete(branch);
  repo.refs.delete("kept");
  repo.isWhole = false;
}

export function makerReply(script: Script): unknown {
  if (script === "garbled") return { stat: "dunno" };
  if (script === "question")
    return { status: "question", summary: "", question: { text: "Which one?", best_supposition: "The first." } };
  if (script === "asking")
    return { status: "needs-permission", summary: "", tests: ["test/old.test"], reason: "It says good." };
  if (script === "blocked") return { status: "blocked", summary: "It cannot be done." };
  return { status: "done", summary: "Done." };
}

/** Replies about the whole: an audit, and its verifier's opinion. */
export function wholeReply(script: Script, role: string): unknown {
  if (script === "garbled") return "It looks fine to me.";
  const point = { id: "1", severity: script === "assuming" ? "minor" : "blocking", summary: "A point.", evidence: [] };
  const points = script === "judging" || script === "meddling" ? [] : [point];
  if (role !== "auditor") return { verdict: points.length === 0 ? "pass" : "fail", summary: "s", findings: points };
  // No follow-up work here: a follow-up is another run.
  return { status: "passed", summary: "s", gaps: points.map((each) => ({ ...each, severity: "minor" })) };
}

/** Tests from the contract alone: it only knows the feature's name. */
export function examReply(script: Script, feature: string): unknown {
  if (script === "garbled") return "It looks fine to me.";
  const tests =
    script === "failing"
      ? []
      : [{ path: `test/hidden-${feature}.test`, content: testLine(source(feature), `does-${feature}`) }];
  return { summary: "s", tests };
}

/** A judge that checks: the tests pass, and the feature's word is there. */
export function checkerReply(script: Script, tree: Tree, feature: string): unknown {
  if (script === "garbled") return "It looks fine to me.";
  const met = redLines(tree).length === 0 && (tree.get(source(feature)) ?? "").includes(`does-${feature}`);
  const verification = script === "assuming" ? "assumption" : "execution output";
  const pass = met && script !== "failing";
  const criteria = [{ criterion: "C1", met: pass, verification, evidence: [] }];
  return { verdict: pass ? "pass" : "fail", summary: "Judged.", root_cause: script, criteria };
}
