// Text operations on source files for the runs of a proof. Pure functions: broken text gives less, never an error.
export { bodies, emptied } from "./bodies/bodies.ts";
export type { Body } from "./bodies/body.ts";
export { commented } from "./bodies/commented.ts";
export { givingBack } from "./bodies/given-back.ts";
export { type Call, literalCalls, otherCalls, parametersOf } from "./calls.ts";
export { addedTo, hunks } from "./diff/hunks.ts";
export { onlyAdds, sameButImports } from "./diff/only-adds.ts";
export {
  type Check,
  type CommandExample,
  checksOf,
  codeOf,
  commandsIn,
  type Example,
  type ExampleLanguage,
  examplesIn,
  freeNames,
  pairsIn,
  startedIn,
} from "./examples.ts";
export { hasInnerTests, splice, withoutInnerTests } from "./inner/splice.ts";
export { differsOnlyInTests } from "./inner/test-lines.ts";
export { testModuleFiles } from "./inner/test-modules.ts";
export { languageOf } from "./language.ts";
export type { Alteration } from "./literals/alteration.ts";
export { altered, alteredSlightly } from "./literals/altered.ts";
export { definedNames } from "./literals/defined-names.ts";
export { inputsAltered, shapesAltered } from "./literals/inputs.ts";
export { programInputsAltered } from "./literals/program-inputs.ts";
export { conditionalAssertionsFailing } from "./literals/reached.ts";
export { allExpectationsAltered, testAt } from "./literals/test-at.ts";
export { moves } from "./moves/moves.ts";
export { repointed } from "./moves/repointed.ts";
export { fairly } from "./mutants/choice.ts";
export { type Mutant, mutants } from "./mutants/mutants.ts";
export { isProse } from "./mutants/word-edits.ts";
export { importedNames, neededModules, offeredNames } from "./names/names.ts";
export { signatures } from "./signatures.ts";
export { smells } from "./smells/smells.ts";
export { linesOfTest, numbersIn, numbersOf, textsIn } from "./values.ts";
export { wordsIn } from "./words.ts";
