// How checks are run: commands, and steps in a browser. The only file that knows both.
import { browserChecks } from "../../checks/browser/browser-check.ts";
import type { CheckRunner } from "../../checks/check.ts";
import { commandChecks } from "../../checks/command/command-check.ts";
import { baseEnv } from "../../host/process/environment.ts";

/** Checks in a scratch checkout, with the non-secret part of our environment. */
export const localChecks: CheckRunner = browserChecks({
  run: (order, signal) =>
    commandChecks.run({ ...order, env: { ...baseEnv(), CI: "true", NO_COLOR: "1", ...order.env } }, signal),
});
