// What the configurations of the agents with a command line have in common.
import type { Prices } from "../prices.ts";

export type CliConfig = {
  /** The program; by default its usual name on PATH. */
  path?: string;
  model?: string;
  effort?: string;
  /** Additional arguments. */
  args?: readonly string[];
  /** Names of additional environment variables to pass on. */
  env?: readonly string[];
  prices?: Prices;
};
