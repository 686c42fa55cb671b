// The findings of a run, in parts that are merged: causes for refusal, missing evidence, and what people are shown.

import type { Cause } from "../../core/cause.ts";
import type { Share } from "../../core/proof.ts";
import type { RunRecord } from "../evidence.ts";
import type { RunName } from "../prover.ts";

export type Said = {
  readonly records?: readonly RunRecord[];
  readonly failures?: readonly Cause[];
  readonly missing?: readonly string[];
  /** Missing as well, and nothing that another session does could change it. */
  readonly forPerson?: readonly string[];
  /** For information only, without effect on the grade. */
  readonly remarks?: readonly string[];
};

export const shownMax = 8;

export const listed = (names: readonly string[]): string =>
  `${names.slice(0, shownMax).join("; ")}${names.length > shownMax ? `; and ${names.length - shownMax} more` : ""}`;

export const permissionHint =
  "\nIf the feature cannot be done without changing them, put them back and reply needs-permission with the tests and the reason.";

/** The result of a group of runs. */
export const group = (run: RunName, how: RunRecord["how"], text: string, share?: Share): RunRecord => ({
  run,
  check: "",
  command: "",
  how,
  text,
  output: null,
  ms: 0,
  ...(share === undefined ? {} : { share }),
});
