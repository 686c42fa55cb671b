// The last question before anything is spent: the person sees what would happen, and starts it, changes it or leaves it.

import { readOnce } from "../project/config/read-once.ts";
import { type PlannedRun, type PlanOrder, planRun } from "../project/plan/plan-run.ts";
import { readProofTime } from "../project/proofs/proof-time.ts";
import { sayWalls } from "../project/walls/walls.ts";
import { featuresPath, recordPath } from "../runtime/records/paths.ts";
import { headName } from "../workspace/head-name.ts";
import { ask, choose, dropTyped, notBegun } from "./ask.ts";
import { planWithAnswers } from "./ask-missing.ts";
import type { Context } from "./context.ts";
import { type PastProof, startScreen } from "./render/start-screen.ts";
import { wrapped } from "./render/wrap.ts";
import { settleTrust } from "./trust.ts";

export type StartOptions = {
  readonly overnight: boolean;
  readonly isForPr: boolean;
  readonly unseen: readonly string[];
  readonly lastProof: () => Promise<PastProof | null>;
};

/** Null: the person said no. */
export async function agreedPlan(
  order: PlanOrder,
  context: Context,
  options: StartOptions,
): Promise<PlannedRun | null> {
  const lastProof = await options.lastProof();
  let words = order.request;
  let [current, planned] = await planWithAnswers(order, context);
  for (;;) {
    const { checks, proof } = planned.contract;
    const screen = startScreen(planned, {
      paint: context.paint,
      root: order.root,
      head: headName(order.root),
      place: planned.place,
      overnight: options.overnight,
      isForPr: options.isForPr,
      unseen: options.unseen,
      walls: await sayWalls(planned.agents, planned.place === "here" ? order.root : null, planned.contract.checks),
      estimateMs: readProofTime(order.root, checks)?.[proof.depth] ?? null,
      lastProof,
      isAgreedHere: true,
    });
    context.comment(`${wrapped(screen, process.stderr.columns)}\n`);
    const said = await askToStart();
    if (said === "n") return null;
    if (said !== "e") return { ...planned, contract: { ...planned.contract, gates: gatesAfter(planned, said) } };
    if (words === null) {
      const files = sourcesOf(planned, order.root).join(" or ");
      await ask([{ text: `Change ${files} now, then press Enter.`, otherwise: "" }], notBegun);
      const disk = readOnce(order.root);
      await settleTrust(context, {}, disk);
      current = { ...current, disk };
      planned = planRun(current);
    } else {
      const begun = words.replace(/\s*\n\s*/g, " ").trim();
      const [request = begun] = await ask([{ text: "The request:", otherwise: begun, begun }], notBegun);
      words = request;
      [current, planned] = await planWithAnswers({ ...current, request }, context);
    }
  }
}

/** The files that say what is built, and how: those that there are. */
function sourcesOf({ contract: { recordsDir } }: PlannedRun, root: string): string[] {
  const disk = readOnce(root);
  const files = [featuresPath(recordsDir), recordPath(recordsDir, "LOOP.md")];
  return [...files.filter((path) => disk.read(path) !== null), "loop.yaml"];
}

type Said = "y" | "a" | "e" | "n";

async function askToStart(): Promise<Said> {
  const choices = ["[y]es", "[a]lways without asking in this run", "[e]dit", "[n]o"];
  await dropTyped();
  return (await choose({ text: "Start?", otherwise: "", choices })) as Said;
}

/** What the person has seen need not be shown again before building. A plan that is still to be made does. */
function gatesAfter({ contract }: PlannedRun, said: "y" | "a"): PlannedRun["contract"]["gates"] {
  if (said === "a") return [];
  return contract.stages.includes("plan") ? contract.gates : contract.gates.filter((name) => name !== "G1");
}
