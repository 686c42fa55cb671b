// loop run: begins a run and drives it.
import { resolve } from "node:path";
import { beginRun, planRun } from "../../engines/local/begin.ts";
import type { LoopYaml } from "../../formats/loop-yaml.ts";
import { count } from "../../runtime/records/words.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { driveAndReport } from "../drive-run.ts";
import { type LimitFlags, limitFlags } from "../limit-flags.ts";

export type RunFlags = GlobalFlags &
  LimitFlags & {
    git?: boolean;
    wait?: boolean;
    yesReally?: boolean;
    stealLock?: boolean;
    dryRun?: boolean;
    prd?: string;
    check?: string[];
    agent?: string;
    autonomy?: "L1" | "L2" | "L3";
  };

export async function run(request: string | null, flags: RunFlags): Promise<number> {
  const context = contextOf(flags);
  const order = {
    root: context.root,
    request,
    flags: yamlOf(flags),
    yesReally: flags.yesReally === true,
    ...(flags.prd === undefined ? {} : { prd: { file: resolve(flags.prd), shown: flags.prd } }),
  };
  const planned = planRun(order);
  context.comment(summary(planned.contract, planned.agents));
  for (const warning of planned.warnings) context.comment(`  ${context.paint.yellow("!")}         ${warning}\n`);
  if (flags.dryRun === true) {
    context.answer(`${JSON.stringify(planned.contract, null, 2)}\n`);
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
  const agent = flags.agent as "claude" | undefined;
  return {
    ...(agent === undefined ? {} : { agents: { maker: agent, checker: agent } }),
    ...(checks === undefined ? {} : { checks }),
    ...(flags.autonomy === undefined ? {} : { autonomy: flags.autonomy }),
    limits: limitFlags(flags),
  };
}

function summary(
  { features, checks, limits }: ReturnType<typeof planRun>["contract"],
  agents: ReturnType<typeof planRun>["agents"],
): string {
  const open = features.filter(({ status }) => status !== "complete" && status !== "existing");
  const lines = [
    `  work      ${count(open.length, "feature")}`,
    `  agents    ${agents.maker?.kind} makes, ${agents.checker?.kind} checks`,
    ...checks.map(({ name, run: command, must }) => `  check     ${name}: ${command} (${must})`),
    `  limits    $${limits.costUsdMax ?? "∞"}, ${limits.iterationsMax ?? "∞"} iterations, ${Math.round((limits.activeMsMax ?? 0) / 60_000)} min`,
  ];
  return `${lines.join("\n")}\n`;
}
