// Examples in a feature's text: code, and what the text says about it.

/** `holds`: it is an assertion, or a condition that is true. */
export type Expects =
  | { readonly value: string }
  | { readonly throws: string | null }
  | { readonly holds: "expression" | "statement" };

export type Check = {
  readonly is: "check";
  /** As written, for people. */
  readonly text: string;
  /** An expression or an assertion, in the language of the project. */
  readonly code: string;
  readonly expects: Expects;
  /** The value has no quotes, so it may be a description: it counts where the answer is a text. */
  readonly isBare?: true;
  /** The sentence has a condition ("after two calls"): it says nothing where the code alone gives something else. */
  readonly isConditional?: true;
};

/** A line of a code block that prepares those below it. */
type Setup = { readonly is: "setup"; readonly code: string };

export type ExampleLanguage = "javascript" | "python";

/** What runs one after another, with the same variables. A sentence gives one check, a code block all of its lines. */
export type Example = {
  /** Null: what exports its names decides. */
  readonly language: ExampleLanguage | null;
  readonly steps: readonly (Setup | Check)[];
};

export const checksOf = ({ steps }: Example): readonly Check[] => steps.filter((step) => step.is === "check");
export const codeOf = ({ steps }: Example): string =>
  steps
    .flatMap((step) =>
      step.is === "check" && "value" in step.expects && step.isBare === undefined
        ? [step.code, step.expects.value]
        : [step.code],
    )
    .join("\n");
