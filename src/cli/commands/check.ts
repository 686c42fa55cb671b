// loop check: whether a run could start here, and if not, what a clean checkout lacks. Spends nothing.
import { keepOffline } from "../../project/checks/check-networks.ts";
import { type CheckedProject, type CheckStep, checkProject } from "../../project/checks/check-project.ts";
import { addCheckoutKeys, checkoutKeys } from "../../project/checks/checkout-keys.ts";
import type { CheckedCheck } from "../../project/checks/look-at-checks.ts";
import { keepProofTime } from "../../project/proofs/proof-time.ts";
import { choose } from "../ask.ts";
import { canAnswer } from "../ask-gate.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { checkFacts } from "../json/check-facts.ts";
import { printAnswer } from "../json/print.ts";
import { type CheckAnswer, checkText, named } from "../render/check.ts";
import { settleTrust } from "../trust.ts";

export async function check(flags: GlobalFlags & { write?: boolean }): Promise<number> {
  const context = contextOf(flags);
  await settleTrust(context, flags);
  const cut = new AbortController();
  const stop = () => cut.abort(new Error("interrupted"));
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, stop);
  let project: CheckedProject;
  try {
    project = await checkProject(context.root, {
      onStep: (step) => context.comment(stepText(step)),
      signal: cut.signal,
    });
  } catch (error) {
    if (cut.signal.aborted) return 130;
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
  if (project.estimate !== null)
    keepProofTime(
      context.root,
      project.checks.map(({ spec }) => spec),
      project.estimate,
    );
  const tried = project.checks.filter(({ spec, offline }) => spec.network === undefined && offline !== null);
  const alone = tried.filter(({ offline }) => offline === "green").map(({ spec }) => spec);
  if (tried.length > 0) keepOffline(context.root, alone);
  return tell(context, project, flags.write === true);
}

async function tell(context: Context, project: CheckedProject, write: boolean): Promise<number> {
  const keys = checkoutKeys(context.root, project.additions);
  const helps = keys !== null && project.checks.every((one) => one.isFit || isExplained(one));
  if (write && keys !== null) addCheckoutKeys(context.root, keys);
  const exitCode = project.isFit || (helps && write && project.obstacle === null) ? 0 : 1;
  const next = nextFor(project, write, helps);
  const answer: CheckAnswer = { project, keys, wrote: write && keys !== null, exitCode, next };
  if (context.json) printAnswer(answers.check, checkFacts(answer), exitCode);
  else context.answer(checkText(answer, context.paint));
  if (exitCode === 0 || keys === null || write || !canAnswer(context)) return exitCode;
  return (await offer(context, keys)) && helps && project.obstacle === null ? 0 : 1;
}

async function offer({ root, comment }: Context, keys: NonNullable<ReturnType<typeof checkoutKeys>>): Promise<boolean> {
  const question = { text: "\nAdd this to loop.yaml?", choices: ["[y]es", "[n]o"], otherwise: "n" };
  const said = await choose(question, {
    what: "loop.yaml was not changed.",
    why: "The question was not answered.",
    next: "loop check --write",
  });
  if (said !== "y") return false;
  addCheckoutKeys(root, keys);
  comment('Added to loop.yaml\nNext: loop "what should be done"\n');
  return true;
}

const isExplained = ({ diagnosis }: CheckedCheck): boolean => diagnosis?.is === "found" && diagnosis.smallest;

function nextFor({ isFit, checks, obstacle, lacking }: CheckedProject, write: boolean, helps: boolean): string {
  if (isFit || (helps && write && obstacle === null)) return 'loop "what should be done"';
  if (helps && !write) return "loop check --write adds it to loop.yaml";
  const unfit = checks.filter((one) => !one.isFit && !isExplained(one));
  const green = unfit.find(({ spec, looks }) => spec.must === "turn-green" && looks !== "red");
  if (green !== undefined) return `say must: stay-green for ${green.spec.name} in loop.yaml, then: loop check`;
  const online = unfit.find(({ offline }) => offline === "red");
  if (online !== undefined) return `say network: open for ${online.spec.name} in loop.yaml, then: loop check`;
  const flaky = unfit.find(({ looks }) => looks === "flaky");
  if (flaky !== undefined) return `make ${flaky.spec.name} steady, then: loop check`;
  const half = unfit.find(({ diagnosis }) => diagnosis?.is === "found");
  if (half !== undefined) return `name what ${half.spec.name} needs of this under room: in loop.yaml, then: loop check`;
  const ours = unfit.find(({ diagnosis }) => diagnosis?.is === "asked");
  if (ours !== undefined)
    return `name another command for ${ours.spec.name} under checks: in loop.yaml, then: loop check`;
  if (unfit.length === 0) return obstacle?.next ?? "loop check";
  // Red in the folder as well: a fresh clone is the usual reason.
  if (lacking.length > 0) return `${[...new Set(lacking.map(({ run }) => run))].join(" && ")}, then: loop check`;
  const names = unfit.map(({ spec }) => spec.name).join(", ");
  return `run ${names} in this folder and make it green there, then: loop check. If it has to turn green, say must: turn-green for it in loop.yaml`;
}

function stepText(step: CheckStep): string {
  switch (step.step) {
    case "keep":
      return "Keeping what is installed …\n";
    case "run":
      return `Running ${step.check.name} in a clean checkout …\n`;
    case "offline":
      return `Running ${step.check.name} without the network …\n`;
    case "try":
      return `  ${step.check} is red. Trial ${step.number}: with ${shownAdditions(step.additions.map(named))}\n`;
  }
}

const shownAdditions = (names: readonly string[]): string =>
  names.length > 4 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
