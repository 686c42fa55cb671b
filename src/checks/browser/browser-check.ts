// Runs acceptance steps in a real browser: in a separate program, under the same process control as every other check.
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CheckOrder, CheckResult, CheckRunner } from "../check.ts";

const program = fileURLToPath(new URL("./browser-main.mjs", import.meta.url));

/** Where a check's screenshots, console errors and server output are stored: next to its log. */
export const evidenceFolder = (outputFile: string): string => `${outputFile.replace(/\.log$/, "")}.files`;

/**
 * Orders with browser steps become a command that plays them; all others pass unchanged. So the command runner also
 * ends anything that a browser or a server leaves running or hanging.
 */
export function browserChecks(commands: CheckRunner): CheckRunner {
  return {
    run: (order, signal) =>
      order.browser === undefined ? commands.run(order, signal) : runSteps(commands, order, order.browser, signal),
  };
}

async function runSteps(
  commands: CheckRunner,
  order: CheckOrder,
  browser: NonNullable<CheckOrder["browser"]>,
  signal: AbortSignal,
): Promise<CheckResult> {
  const folder = evidenceFolder(order.outputFile);
  const profile = join(folder, "profile");
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(profile, { recursive: true, mode: 0o700 });
  const steps = join(folder, "steps.json");
  fs.writeFileSync(steps, JSON.stringify({ ...browser, folder, profile, cwd: order.cwd }, null, 2));
  const command = ["exec", ...[process.execPath, program, steps].map(quoted)].join(" ");
  const { browser: _, ...plain } = order;
  try {
    return await commands.run({ ...plain, command }, signal);
  } finally {
    // A killed browser could not clean up; its profile is not evidence.
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
