// The first line of a feature's commit.
import type { Feature } from "../core/contract.ts";

export const commitSubject = ({ id, name }: Pick<Feature, "id" | "name">): string =>
  `${kindOf(id)}(${id}): ${oneLine(name)}`;

/** The prefix of an id indicates the kind of work. */
function kindOf(id: string): string {
  if (/^R\d/.test(id)) return "refactor";
  return /^B\d/.test(id) ? "fix" : "feat";
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 72);
