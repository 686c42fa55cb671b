// Text operations on source files that the runs of a proof need. Pure functions: broken text gives less, never an error.
export { bodies, emptied } from "./bodies/bodies.ts";
export type { Body } from "./bodies/body.ts";
export { commented } from "./bodies/commented.ts";
export { hunks } from "./diff/hunks.ts";
export { onlyAdds, sameButImports } from "./diff/only-adds.ts";
export { hasInnerTests, splice, withoutInnerTests } from "./inner/splice.ts";
export { differsOnlyInTests } from "./inner/test-lines.ts";
export { testModuleFiles } from "./inner/test-modules.ts";
export { languageOf } from "./language.ts";
export type { Alteration } from "./literals/alteration.ts";
export { altered, alteredSlightly } from "./literals/altered.ts";
export { definedNames } from "./literals/defined-names.ts";
export { inputsAltered, shapesAltered } from "./literals/inputs.ts";
export { moves } from "./moves/moves.ts";
export { repointed } from "./moves/repointed.ts";
export { fairly } from "./mutants/choice.ts";
export { type Mutant, mutants } from "./mutants/mutants.ts";
export { smells } from "./smells/smells.ts";
