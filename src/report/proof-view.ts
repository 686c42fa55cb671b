// What a report shows of a proof. The file is the loop's own, in the vault; an unreadable one is reported as such.
import type { JudgedCriterion } from "../core/event.ts";
import type { Contradiction, Decided, RunShown } from "../core/proof.ts";
import { proofFile as kept, type ProofShape } from "../formats/kept/proof-files.ts";
import { sha256 } from "../formats/text/sha256.ts";
import type { Chronicle, Iteration } from "./chronicle.ts";

/** Reads the files of a run. */
type Files = { read(name: string): string | null };

/** Keyed by file name: `F001-i3.json`. */
export type Proofs = Readonly<Record<string, ProofView>>;
export type ProofView =
  | { readonly is: "read"; readonly file: string; readonly hash: string; readonly proof: Proof }
  | { readonly is: "unreadable"; readonly file: string };
/** A check as the first version recorded it. */
export type OldCheck = {
  readonly name: string;
  readonly command: string;
  readonly on: "candidate" | "sealed" | "before";
  readonly how: string;
};
/** Fields of the first version are optional, and so are those that only later versions have. */
export type Proof = {
  readonly checks?: readonly OldCheck[];
  readonly witness?: { readonly seen: boolean; readonly why: string };
  readonly weakness?: readonly string[];
  readonly remarks?: readonly string[];
  readonly touched?: readonly string[];
  readonly shown?: readonly RunShown[];
  readonly notes?: readonly string[];
  readonly decided?: Decided;
  readonly contradiction?: Contradiction | null;
  readonly verdict: { readonly reply: { readonly summary?: string; readonly criteria?: readonly JudgedCriterion[] } };
};

export const proofFile = ({ feature, number }: Pick<Iteration, "feature" | "number">): string =>
  `${feature}-i${number}.json`;

const committed = ({ iterations }: Chronicle): Iteration[] => iterations.filter(({ commit }) => commit !== null);
const placeOf = (file: string): string => `proofs/${file}`;

/** The files of the run that `readProofs` reads. */
export const proofFiles = (chronicle: Chronicle): string[] => committed(chronicle).map((it) => placeOf(proofFile(it)));

/** The proofs of this run's commits. */
export function readProofs(chronicle: Chronicle, files: Files): Proofs {
  return Object.fromEntries(committed(chronicle).map((it) => [proofFile(it), readProof(proofFile(it), files)]));
}

function readProof(file: string, files: Files): ProofView {
  const text = files.read(placeOf(file));
  const proof = text === null ? null : kept.parseIfPossible<Proof & ProofShape>(text);
  return text === null || proof === null ? { is: "unreadable", file } : { is: "read", file, hash: sha256(text), proof };
}
