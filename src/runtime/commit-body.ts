// The body of a feature's commit: why it was made, and what its proof rests on.
import type { Feature } from "../core/contract.ts";
import type { Candidate, Work } from "../core/run.ts";
import { ownWords } from "../formats/contract/others-words.ts";
import { visibleText } from "../formats/text/visible-text.ts";
import { restsOn } from "../report/words/shown.ts";
import type { ProvedRecord } from "./proof-record.ts";

const widthMax = 72;
const reasonMax = 1500;

export function commitBody(
  feature: Pick<Feature, "name" | "description">,
  { decided }: Pick<Work, "decided">,
  { grade }: Pick<Candidate, "grade">,
  { checks }: Pick<ProvedRecord, "checks">,
): string {
  const basis = restsOn(checks).replace(/ [█░]+/g, "");
  const by =
    decided !== undefined ? `Reviewed by ${decided.by}` : grade === "reviewed" ? "Reviewed by the checker" : "Proof";
  return [...reasonOf(feature), folded(`${basis === "" ? by : `${by}: ${basis}`}.`)].join("\n\n");
}

/** What a message with such a body says about the feature: all but the last paragraph. */
export function withoutBasis(message: string): string {
  const parts = message.trim().split("\n\n");
  return (/^(?:Proof[.:]|Reviewed by )/.test(parts.at(-1) ?? "") ? parts.slice(0, -1) : parts).join("\n\n");
}

/** What was asked for, unless the subject says all of it. */
function reasonOf({ name, description }: Pick<Feature, "name" | "description">): string[] {
  // Folded lines would no longer show what is quoted.
  const text = visibleText(ownWords(description)).trim();
  if (text === "" || oneLine(text) === oneLine(name)) return [];
  const short = text.length > reasonMax ? `${text.slice(0, reasonMax).replace(/\s+\S*$/, "")} …` : text;
  return [short.split("\n").map(folded).join("\n")];
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Lines of at most 72 characters; what a person indented stays as it is. */
function folded(line: string): string {
  if (line.length <= widthMax || /^\s/.test(line)) return line.trimEnd();
  const rows: string[] = [];
  for (const word of line.split(/ +/)) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= widthMax) rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(word);
  }
  return rows.join("\n");
}
