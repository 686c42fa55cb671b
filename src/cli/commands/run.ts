// loop run: begins a run and drives it.
import { resolve } from "node:path";
import { beginRun } from "../../engines/local/begin.ts";
import { planRun } from "../../engines/local/plan-run.ts";
import type { LoopYaml } from "../../formats/loop-yaml.ts";
import { agentFlags, autonomyFlag } from "../choice-flags.ts";
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
  context.comment(openingText(planned));
  for (const warning of planned.warnings) context.comment(`${row(context.paint.yellow("!"), warning)}\n`);
  if (flags.dryRun === true) {
    context.answer(
      `${JSON.stringify({ ...planned.contract, from: planned.from, notices: planned.notices }, null, 2)}\n`,
    );
    return 0;
  }
  const held = await beginRun({
    ...order,
    kind: flags.git === false ? "plain" : "git",
    ...(flags.task === undefined ? {} : { task: flags.task }),
    stealLock: flags.stealLock === true,
  });
  if (flags.git === false)
    context.comment(
      "  Without git there are no commits and no branch to return to: checkpoints and roll-backs are kept in the vault alone.\n",
    );
  return driveAndReport(held, context, { wait: flags.wait !== false });
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
    limits: limitFlags(flags),
  };
}
