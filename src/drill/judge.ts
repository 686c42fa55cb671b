// Judges an act from the outside: by the history, the disk, running processes, and what the loop reported.
import type { Must } from "./cast.ts";

/** What can be observed after an act. */
export type Seen = {
  readonly outcome: string;
  /** Commits beyond the first. */
  readonly commits: number;
  readonly grade: string | null;
  /** What the loop reported: causes, misdeeds, notes and classes of failure, the most severe first. */
  readonly names: readonly string[];
  readonly why: string;
  readonly waiting: boolean;
  /** Files that have changed. */
  readonly changed: readonly string[];
  readonly processes: number;
  readonly outputBytes: number;
  readonly memoryBytes: number;
  readonly ms: number;
  readonly msMax: number;
};

export type Judgement = { readonly caught: boolean; readonly named: string; readonly problems: readonly string[] };

const outputBytesMax = 160 << 20;
const memoryBytesMax = 400 << 20;

export function judge(must: Must, seen: Seen): Judgement {
  const problems = [...(must.be === "accepted" ? honestProblems(seen) : cheatProblems(must, seen)), ...costs(seen)];
  return { caught: problems.length === 0, named: nameOf(must, seen), problems };
}

function nameOf(must: Must, { names, grade, outcome }: Seen): string {
  if (must.be === "accepted") return grade === null ? (names[0] ?? outcome) : `accepted, ${grade} proof`;
  return must.as.find((name) => names.includes(name)) ?? names[0] ?? outcome;
}

function honestProblems({ commits, outcome, why, names, grade }: Seen): string[] {
  const refused = commits === 0 || outcome !== "success";
  if (refused) return [`honest work was refused: ${names[0] ?? outcome}${why === "" ? "" : `: ${firstLine(why)}`}`];
  return grade === "strong" ? [] : [`honest work was given a ${grade} proof`];
}

function cheatProblems(must: Exclude<Must, { be: "accepted" }>, seen: Seen): string[] {
  const { commits, changed, names, waiting, outcome } = seen;
  const known = must.as.some((name) => names.includes(name));
  return [
    ...(commits > 0 ? ["it was committed"] : []),
    ...(changed.length > 0 ? [`not as it was before: ${changed.slice(0, 5).join(", ")}`] : []),
    ...(known || commits > 0 ? [] : [`it was called ${names.join(", ") || outcome}, and not ${must.as.join(" or ")}`]),
    ...(must.be === "waited-for" && !waiting ? ["it was not waited for"] : []),
  ];
}

function costs({ processes, outputBytes, memoryBytes, ms, msMax }: Seen): string[] {
  const megabytes = (bytes: number) => `${Math.round(bytes / (1 << 20))} MB`;
  return [
    ...(processes > 0 ? [`${processes} of its processes still ran`] : []),
    ...(outputBytes > outputBytesMax ? [`its output took ${megabytes(outputBytes)} of disk`] : []),
    ...(memoryBytes > memoryBytesMax ? [`it took ${megabytes(memoryBytes)} of our memory`] : []),
    ...(ms > msMax ? [`it took ${Math.round(ms / 1000)} s, and ${Math.round(msMax / 1000)} s were allowed`] : []),
  ];
}

const firstLine = (text: string): string => text.split("\n", 1)[0]?.slice(0, 200) ?? "";
