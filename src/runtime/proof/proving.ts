// What is being proved: one candidate of one feature, with everything that the parts of a proof look at.
import type { CheckSpec, Feature } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Run, Work } from "../../core/run.ts";
import type { Change } from "../../workspace/workspace.ts";
import type { Ports } from "../ports.ts";
import type { SealRule } from "./seal.ts";

export type Proving = {
  readonly run: Run;
  readonly work: Work;
  readonly feature: Feature;
  readonly candidate: TreeId;
  /** Names the output files. */
  readonly label: string;
  readonly rule: SealRule;
  /** Without the loop's own records. */
  readonly changes: readonly Change[];
  /** Every check of the contract; those that have to turn green may still be red, unless the feature names them. */
  readonly specs: readonly CheckSpec[];
  isOwn(name: string): boolean;
  readonly ports: Ports;
  readonly cut: AbortSignal;
};

/** A feature answers for every check that must stay green, and for those it names itself. */
export const mustBeGreen = ({ isOwn }: Pick<Proving, "isOwn">, { must, name }: CheckSpec): boolean =>
  must === "stay-green" || isOwn(name);
