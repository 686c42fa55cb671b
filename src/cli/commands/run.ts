// loop run: begins a run and drives it.
import { resolve } from "node:path";
import type { LoopYaml } from "../../formats/loop-yaml.ts";
import { planRun } from "../../project/plan-run.ts";
import { sayWalls } from "../../project/walls.ts";
import { count } from "../../report/words/words.ts";
import { ask } from "../ask.ts";
import { canAnswer } from "../ask-gate.ts";
import { agentFlags, autonomyFlag, pairsFlag, sandboxFlag } from "../choice-flags.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { driveAndReport } from "../drive-run.ts";
import { type LimitFlags, limitFlags } from "../limit-flags.ts";
import { row } from "../render/events.ts";
import { openingText } from "../render/opening.ts";

export type RunFlags = GlobalFlags &
  LimitFlags & {
    git?: boolean;
    wait?: boolean;
    yesReally?: boolean;
    stealLock?: boolean;
    dryRun?: boolean;
    yes?: boolean;
    prd?: string;
    check?: string[];
    agent?: string;
    autonomy?: string;
    pairs?: string;
    sandbox?: string;
  };

export async function run(request: string | null, flags: RunFlags): Promise<number> {
  const context = contextOf(flags);
  const order = {
    root: context.root,
    request,
    flags: yamlOf(flags),
    yesReally: flags.yesReally === true,
    yes: flags.yes === true,
    ...(flags.prd === undefined ? {} : { prd: { file: resolve(flags.prd), shown: flags.prd } }),
  };
  const planned = planRun(order);
  context.comment(openingText(planned, await sayWalls(planned.agents)));
  const isAsked = planned.waiting.length > 0 && flags.dryRun !== true && canAnswer(context);
  const choice = isAsked ? await askScope(planned.waiting.length) : "request";
  if (choice === "cancel") {
    context.answer("Nothing was begun.\n");
    return 0;
  }
  for (const warning of planned.warnings) context.comment(`${row(context.paint.yellow("!"), warning)}\n`);
  if (flags.dryRun === true) {
    context.answer(
      `${JSON.stringify({ ...planned.contract, from: planned.from, notices: planned.notices }, null, 2)}\n`,
    );
    return 0;
  }
  const terms = { wait: flags.wait !== false, attended: canAnswer(context) };
  const begun = await context.engine.begin(
    {
      plan: planned,
      kind: flags.git === false ? "plain" : "git",
      ...(flags.task === undefined ? {} : { task: flags.task }),
      stealLock: flags.stealLock === true,
    },
    terms,
  );
  if (flags.git === false)
    context.comment(
      "  Without git there are no commits and no branch to return to: checkpoints and roll-backs are kept in the vault alone.\n",
    );
  const code = await driveAndReport(begun, context, terms);
  // The features are a separate run: each run has one request, one contract and one report.
  return choice === "then-queue" && code === 0 ? run(null, flags) : code;
}

type Scope = "request" | "then-queue" | "cancel";

/** Open features must not swallow a request, and a request need not leave them waiting: the person decides. */
async function askScope(open: number): Promise<Scope> {
  const features = count(open, "open feature");
  const text = `There ${open === 1 ? "is" : "are"} ${features} beside your request.
  1  only this request
  2  this request, then a run over the ${features}
  3  cancel`;
  const wrong = (answer: string): string | null => (/^[123]$/.test(answer) ? null : "Type 1, 2 or 3.");
  const [answer] = await ask([{ text, otherwise: "1", wrong }], {
    what: "Nothing was begun.",
    why: "The question was not answered.",
    next: "loop run works on the open features; with a request it is about the request alone.",
  });
  return answer === "2" ? "then-queue" : answer === "3" ? "cancel" : "request";
}

function yamlOf(flags: RunFlags): LoopYaml {
  const checks = flags.check?.map((command, index) => ({
    name: index === 0 ? "check" : `check-${index + 1}`,
    run: command,
  }));
  return {
    ...agentFlags(flags.agent),
    ...(checks === undefined ? {} : { checks }),
    ...autonomyFlag(flags.autonomy),
    ...pairsFlag(flags.pairs),
    ...sandboxFlag(flags.sandbox),
    limits: limitFlags(flags),
  };
}
