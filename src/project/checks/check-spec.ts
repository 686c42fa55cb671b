// Converts a configured check to the contract's form.
import type { CheckSpec } from "../../core/contract.ts";
import type { CheckSettings } from "../../formats/config/settings.ts";

/** Field by field, so that no key can lose its reader unnoticed. */
export const checkSpec = (check: CheckSettings): CheckSpec => ({
  name: check.name,
  run: check.run,
  must: check.must,
  timeoutMs: check.timeoutS * 1000,
  tests: check.tests,
  before: check.before,
  after: check.after,
  ...(check.report === undefined ? {} : { report: check.report }),
  ...(check.browser === undefined ? {} : { browser: check.browser }),
  ...(check.library === undefined ? {} : { library: check.library }),
  ...(check.network === undefined ? {} : { network: check.network }),
});
