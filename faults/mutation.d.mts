// The types of the figures that the tests use.
export type Figures = {
  module: string;
  mutants: number;
  killed: number;
  timedOut: number;
  survived: number;
  noCoverage: number;
  score: number;
  sampled: string;
};
export type Report = { files: Readonly<Record<string, { mutants: readonly { status: string }[] }>> };
export function decidedAgain(report: Report, again: Report): Report;
export function figures(module: string, report: Report, sampled?: string): Figures;
export function readMutation(): Figures[];
