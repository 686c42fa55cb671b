// The results of many random changes, as a table for people.
import type { Finding } from "./compare.ts";

export type Row = {
  readonly seed: number;
  readonly stack: string;
  readonly outcome: "accepted" | "asked" | "refused" | "not-played";
  readonly finding: Finding;
  readonly operations: readonly string[];
  readonly ms: number;
};

export type Totals = {
  readonly played: number;
  readonly violations: readonly Row[];
  /** Good changes that alter nothing protected and no dependencies, with tests that notice every wrong feature. */
  readonly harmless: number;
  readonly harmlessRefused: number;
  readonly harmlessAsked: number;
};

export function totalsOf(rows: readonly Row[]): Totals {
  const played = rows.filter(({ outcome }) => outcome !== "not-played");
  const crashed = rows.filter(({ finding }) => finding.is === "crashed");
  const not = played.filter(({ finding }) => finding.is === "harmless");
  const taken = played.filter(({ finding }) => finding.is === "taken").length;
  return {
    played: played.length,
    violations: [...played.filter(({ finding }) => finding.is === "violation"), ...crashed],
    harmless: taken + not.length,
    harmlessRefused: not.filter(({ outcome }) => outcome === "refused").length,
    harmlessAsked: not.filter(({ outcome }) => outcome === "asked").length,
  };
}

const kinds: readonly { readonly is: Finding["is"]; readonly text: string }[] = [
  { is: "violation", text: "**taken, and not good**" },
  { is: "beyond", text: "taken, and wrong only where no test looks" },
  { is: "taken", text: "taken, and good" },
  { is: "caught", text: "not good, and not taken" },
  { is: "harmless", text: "**good, and not taken**" },
  { is: "protected", text: "good, alters protected files, and not taken" },
  { is: "untested", text: "good, with tests that miss a stub, a constant or a wrong sum, and not taken" },
  { is: "dependencies", text: "good, alters dependency tables, and not taken" },
  { is: "undecided", text: "no commit that git can make" },
  { is: "crashed", text: "**the prover threw**" },
];

export function summaryText(rows: readonly Row[]): string {
  const stacks = [...new Set(rows.map(({ stack }) => stack))].toSorted();
  const { harmless, harmlessRefused, harmlessAsked, violations, played } = totalsOf(rows);
  const count = (is: Finding["is"], stack?: string): number =>
    rows.filter((row) => row.finding.is === is && (stack ?? row.stack) === row.stack).length;
  const share = harmless === 0 ? 0 : Math.round(((harmlessRefused + harmlessAsked) * 1000) / harmless) / 10;
  return [
    `| | all | ${stacks.join(" | ")} |`,
    `| --- | ${["", ...stacks].map(() => "---").join(" | ")} |`,
    ...kinds.map(
      ({ is, text }) => `| ${text} | ${[count(is), ...stacks.map((each) => count(is, each))].join(" | ")} |`,
    ),
    "",
    `${played} random changes: ${violations.length} taken that are not good, or that the prover threw at. Of ${harmless} harmless ones, ${harmlessRefused} were refused and ${harmlessAsked} asked about (${share} %).`,
  ].join("\n");
}

/** Why good changes were not accepted, the most frequent reason first. */
export function reasonsText(rows: readonly Row[]): string {
  return kinds
    .flatMap(({ is }) => {
      const reasons = new Map<string, number[]>();
      for (const { finding, seed } of rows.filter((row) => row.finding.is === is && isRefusal(is))) {
        const reason = finding.why.replace(/\(.*?\)|[\w./-]*\/[\w./-]+|\d+/g, "…").slice(0, 160);
        reasons.set(reason, [...(reasons.get(reason) ?? []), seed]);
      }
      return [...reasons]
        .toSorted((one, other) => other[1].length - one[1].length)
        .map(([reason, seeds]) => `${is} ${seeds.length}: ${reason} (seeds ${seeds.slice(0, 6).join(", ")})`);
    })
    .join("\n");
}
const isRefusal = (is: Finding["is"]): boolean => ["harmless", "protected", "untested", "dependencies"].includes(is);
