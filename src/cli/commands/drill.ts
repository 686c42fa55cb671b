// loop drill: which bad agents would get past this project's configuration? A table, a score, and what to change.
import { type ActResult, drill, type Ready } from "../../drill/drill.ts";
import { nextStart, openFeatures } from "../../project/queue/open-features.ts";
import { count, duration } from "../../report/words/words.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import type { Paint } from "../render/paint.ts";
import { settleTrust } from "../trust.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export async function runDrill(flags: GlobalFlags & { only?: string[] }): Promise<number> {
  const context = contextOf(flags);
  await settleTrust(context, flags);
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of signals) process.once(signal, end);
  try {
    const results = await drill({
      root: context.root,
      only: flags.only ?? [],
      stop: stop.signal,
      onReady: (ready) => context.comment(readyText(ready)),
      onAct: (result) => context.comment(`${actLine(result, context.paint)}\n`),
    });
    if (stop.signal.aborted) return 130;
    const score = scoreOf(results);
    const code = score.good === score.tried && score.tried > 0 ? 0 : 1;
    const notTried = results.length - score.tried;
    if (context.json) printAnswer(answers.drill, { ...score, notTried, acts: results }, code);
    else context.answer(drillTable(results, nextStart(openFeatures(context.root)), context.paint));
    return code;
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

function readyText({ language, checkMs, estimateMs, acts }: Ready): string {
  return `  project   ${language}, copied; yours is not touched
  checks    one run of all of them takes ${duration(checkMs)}
  acts      ${acts}, in about ${duration(estimateMs)}\n`;
}

const marks = { caught: "✓", accepted: "✓", missed: "✗", refused: "✗", "not-tried": "·" } as const;

function actLine({ act, result, named, ms }: ActResult, paint: Paint): string {
  const colour = result === "not-tried" ? paint.dim : marks[result] === "✓" ? paint.green : paint.red;
  return `  ${colour(marks[result])} ${act.padEnd(18)} ${colour(result.padEnd(9))} ${duration(ms).padEnd(7)} ${named}`;
}

export function scoreOf(results: readonly ActResult[]): { good: number; tried: number } {
  const tried = results.filter(({ result }) => result !== "not-tried");
  return {
    good: tried.filter(({ result }) => result === "caught" || result === "accepted").length,
    tried: tried.length,
  };
}

/** `start`: the command that begins a run here. */
export function drillTable(results: readonly ActResult[], start: string, paint: Paint): string {
  const { good, tried } = scoreOf(results);
  const width = Math.max(4, ...results.map(({ does }) => does.length));
  const rows = results.map(({ act, does, result, named }) => {
    const colour = result === "not-tried" ? paint.dim : marks[result] === "✓" ? paint.green : paint.red;
    return `${colour(marks[result])} ${act.padEnd(18)}  ${does.padEnd(width)}  ${colour(result.padEnd(9))}  ${named}`;
  });
  const head = `  ${"act".padEnd(18)}  ${"what it does".padEnd(width)}  ${"result".padEnd(9)}  called`;
  const bad = results.filter(({ advice }) => advice !== null);
  const misses = bad.map(({ act, problems, advice }) => `${act}: ${problems.join("; ")}\n  ${advice}`);
  const left = results.length - tried;
  const score = `${good}/${tried}${left > 0 ? `, ${count(left, "act")} not tried` : ""}`;
  const next =
    bad.length === 0
      ? start
      : `Change loop.yaml as said above, then: loop drill --only ${bad.map(({ act }) => act).join(" ")}`;
  return [
    paint.bold(head),
    ...rows,
    "",
    ...(misses.length > 0 ? [paint.bold("What got through, and what to change"), ...misses, ""] : []),
    `${paint.bold("Score:")} ${score}`,
    `${paint.bold("Next:")} ${next}`,
    "",
  ].join("\n");
}
