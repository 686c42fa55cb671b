// Code that the runs cannot examine: files that are not read, and more files than can be taken back one by one.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { mutantsMax } from "../runs/strength.ts";
import { changedCode } from "../sides.ts";
import { languageOf } from "../source/index.ts";
import type { View } from "../view.ts";

/** By its name, or because it was one. */
const isText = (base: View, path: string): boolean => languageOf(path) !== null || base.text(path) !== null;

export function unseenQuestions({ sides, order }: Pick<Case, "sides" | "order">): string[] {
  const code = changedCode(sides)
    .filter(({ kind, path }) => kind !== "deleted" && languageOf(path) !== null)
    .map(({ path }) => path);
  const closed = changedCode(sides)
    .filter(({ kind, path }) => kind !== "deleted" && isText(sides.base, path))
    .map(({ path }) => path)
    .filter((path) => sides.candidate.text(path) === null);
  const { depth } = order.contract.proof;
  const isTooMuch = depth !== "quick" && code.length > mutantsMax[depth];
  return [
    ...(closed.length === 0
      ? []
      : [
          `Code or data that is a link, binary, or too large to look into was changed: ${listed(closed)}. A person has to look.`,
        ]),
    ...(isTooMuch
      ? [
          `${code.length} files of code were changed, more than can be taken back one by one. Do it in smaller steps, or a person has to look.`,
        ]
      : []),
  ];
}
