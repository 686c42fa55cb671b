// Examples in a feature's text that can be run: `slug("A b") is "a-b"`, `divide(1, 0) throws a RangeError`, code blocks.
import { exampleIn } from "./examples/blocks.ts";
import { checksOf, type Example } from "./examples/example.ts";
import { checksIn } from "./examples/prose.ts";
import { blocksIn, sentencesIn } from "./examples/sentences.ts";

export { type CommandExample, commandsIn, startedIn } from "./examples/commands.ts";
export { type Check, checksOf, codeOf, type Example, type ExampleLanguage } from "./examples/example.ts";
export { freeNames } from "./examples/names.ts";
export { pairsIn } from "./examples/pairs.ts";

export function examplesIn(texts: readonly string[]): readonly Example[] {
  const found: Example[] = [
    ...sentencesIn(texts)
      .flatMap(checksIn)
      .map((check) => ({ language: null, steps: [check] })),
    ...blocksIn(texts).flatMap((block) => exampleIn(block) ?? []),
  ];
  const told = (example: Example): string =>
    checksOf(example)
      .map(({ text }) => text)
      .join("\n");
  return [...new Map(found.map((example) => [told(example), example])).values()];
}
