// Runs checks that a program has registered: in this process, on a clean checkout.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { Check, CheckAnswer, CheckOrder, CheckResult, CheckRunner } from "../check.ts";
import { cleanTail, signatureOf } from "../signature.ts";

/** Checks that a program has brought, by name. */
export type RegisteredChecks = Readonly<Record<string, Check>>;

/** Orders that name a registered check are run here; all others pass unchanged. */
export function libraryChecks(others: CheckRunner, registered: RegisteredChecks): CheckRunner {
  return {
    run: (order, signal) =>
      order.library === undefined
        ? others.run(order, signal)
        : runHere(registeredCheck(registered, order.library), order, signal),
  };
}

function registeredCheck(registered: RegisteredChecks, name: string): Check {
  const check = Object.hasOwn(registered, name) ? registered[name] : undefined;
  if (check !== undefined) return check;
  throw new UserError("check-not-registered", {
    what: "The check could not be run.",
    why: `The check ${JSON.stringify(name)} is brought by a program, and this one does not have it.`,
    next: "Run the program that registers it: openProject(dir, { checks: { … } }). Or change the check in loop.yaml.",
  });
}

/** Before anything is begun: a check that is not there could judge nothing. */
export function refuseUnregistered(checks: readonly Pick<CheckOrder, "library">[], registered: RegisteredChecks): void {
  for (const { library } of checks) if (library !== undefined) registeredCheck(registered, library);
}

type How = CheckResult["how"];

async function runHere(check: Check, order: CheckOrder, signal: AbortSignal): Promise<CheckResult> {
  const timeout = AbortSignal.timeout(order.timeoutMs);
  const began = performance.now();
  const { how, output } = await answerOf(check, order, signal, timeout);
  mkdirSync(dirname(order.outputFile), { recursive: true });
  writeFileSync(order.outputFile, output);
  return {
    name: order.name,
    how,
    exitCode: null,
    ms: Math.round(performance.now() - began),
    tail: cleanTail(output),
    signature: how === "passed" ? "" : signatureOf(how, output, order.cwd),
    leftBehind: 0,
  };
}

/** A check that ignores its signal is not waited for. */
async function answerOf(
  check: Check,
  { name, cwd, env, timeoutMs }: CheckOrder,
  signal: AbortSignal,
  timeout: AbortSignal,
): Promise<{ how: How; output: string }> {
  const stop = AbortSignal.any([signal, timeout]);
  const stopped = (): { how: How; output: string } => ({
    how: signal.aborted ? "interrupted" : "timed-out",
    output: signal.aborted ? "" : `The check ${name} did not answer within ${timeoutMs / 1000} s.\n`,
  });
  if (stop.aborted) return stopped();
  const aborted = new Promise<null>((resolve) => {
    stop.addEventListener("abort", () => resolve(null), { once: true });
  });
  try {
    const answer = await Promise.race([check.run({ name, dir: cwd, env, timeoutMs }, stop), aborted]);
    if (answer === null || stop.aborted) return stopped();
    return { how: answer.passed === true ? "passed" : "failed", output: outputOf(answer) };
  } catch (error) {
    if (stop.aborted) return stopped();
    return {
      how: "failed",
      output: `The check ${name} threw: ${error instanceof Error ? error.message : String(error)}\n`,
    };
  }
}

/** Programs that are not type-checked may leave it out. */
const outputOf = ({ output }: Partial<CheckAnswer>): string => (typeof output === "string" ? output : "");
