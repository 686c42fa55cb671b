// How checks are run: commands, and steps in a browser. The one place that knows both.
import { browserChecks } from "../../checks/browser/browser-check.ts";
import type { CheckRunner } from "../../checks/check.ts";
import { commandChecks } from "../../checks/command/command-check.ts";

export const localChecks: CheckRunner = browserChecks(commandChecks);
