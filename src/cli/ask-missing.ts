// Asks at the terminal for what a request leaves open, in one go: Enter accepts the proposal.
import { UserError } from "../core/errors.ts";
import { unknownUsdPerSecond } from "../core/ledger.ts";
import { requestKind } from "../formats/queue/request-kind.ts";
import { type Dimension, type Intake, missing, withAnswers } from "../intake/intake.ts";
import { keepPrice, type Unpriced } from "../project/agents/agent-prices.ts";
import { suggestCheck } from "../project/checks/detect.ts";
import { type PlannedRun, type PlanOrder, planRun } from "../project/plan/plan-run.ts";
import { ask, notBegun, type Question } from "./ask.ts";
import type { Context } from "./context.ts";

/** Plans with the person's help. Throws if they leave it too vague, or name no check. */
export async function planWithAnswers(order: PlanOrder, context: Context): Promise<[PlanOrder, PlannedRun]> {
  const [full, planned] = await planWithRequest(order, context);
  if (planned.unpriced.length === 0) return [full, planned];
  const said = await ask(planned.unpriced.map(priceQuestion), notBegun);
  planned.unpriced.forEach(({ command }, at) => {
    keepPrice(order.root, command, usd(said[at] ?? ""));
  });
  return [full, planRun(full)];
}

const usd = (text: string): number | null => (text === "" ? null : Number(text.replace(/^\$/, "")));

const priceQuestion = ({ key, command, countedUsd }: Unpriced): Question => ({
  text: `What does one session of ${command.join(" ")} cost, in USD (${key})?`,
  hint: `0 if it costs nothing. Enter alone if you do not know: it then counts as $${unknownUsdPerSecond} a second, at most $${countedUsd}.`,
  otherwise: "",
  wrong: (answer) => (/^(?:\$?\d+(?:\.\d+)?)?$/.test(answer) ? null : "Type a sum in USD, such as 0.10."),
});

async function planWithRequest(order: PlanOrder, context: Context): Promise<[PlanOrder, PlannedRun]> {
  const [checked, draft] = await planWithCheck({ ...order, evenVague: true }, context);
  const { intake } = draft;
  const { request } = checked;
  const isVague = intake?.shape === "intent-needed";
  if (request === null || intake === null) return [checked, draft];
  const answers = await answersTo(askedAbout(request, intake), isVague, context);
  if (answers.length === 0 && !isVague) return [checked, draft];
  const fuller = { ...checked, request: withAnswers(request, answers), evenVague: false };
  return [fuller, planRun(fuller)];
}

/** What a person at a terminal is asked about before the first screen. */
export function askedAbout(request: string, intake: Intake): readonly Dimension[] {
  const isVague = intake.shape === "intent-needed";
  if (!isVague && requestKind(request) === "docs") return [];
  return missing(intake).filter(({ name, proposal }) => (isVague ? name === "outcome" : proposal !== null));
}

async function answersTo(
  open: readonly Dimension[],
  isVague: boolean,
  context: Context,
): Promise<{ name: Dimension["name"]; answer: string }[]> {
  if (open.length === 0) return [];
  context.comment(
    isVague
      ? "Two people could disagree about whether this is done.\n"
      : `The request leaves ${open.length === 1 ? "one thing" : `${open.length} things`} open. Enter accepts the proposal.\n`,
  );
  const said = await ask(open.map(questionOf), notBegun);
  return open.flatMap(({ name, proposal }, at) => {
    const answer = proposal !== null && isYes.test(said[at] ?? "") ? proposal : said[at];
    return answer ? [{ name, answer }] : [];
  });
}

/** Typed out of habit; as a constraint or a place it would mean nothing. */
const isYes = /^(?:y|yes|ok)$/i;

const questionOf = ({ question, example, proposal }: Dimension): Question => ({
  text: question,
  ...(proposal === null ? { hint: `For example: ${example}` } : {}),
  otherwise: proposal ?? "",
});

/** Without a check nothing can be proved: the person names one. */
async function planWithCheck(order: PlanOrder, context: Context): Promise<[PlanOrder, PlannedRun]> {
  try {
    return [order, planRun(order)];
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== "no-checks") throw error;
  }
  context.comment("No check is configured, and none was found. Without one nothing can be proved.\n");
  const wrong = (answer: string): string | null => (answer === "" ? "Type the command that runs the tests." : null);
  const question = { text: "Which command runs the tests?", otherwise: suggestCheck(order.root) ?? "", wrong };
  const [run = ""] = await ask([question], notBegun);
  const checked = { ...order, flags: { ...order.flags, checks: [{ name: "test", run }] } };
  return [checked, planRun(checked)];
}
