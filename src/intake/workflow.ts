// Build, debug or refactor, and the rule that each adds to the prompts.
import { foreignWorkflow } from "./abroad.ts";
import { outwardVerbs, type Workflow } from "./deeds.ts";
import { type Evidence, findAll } from "./evidence.ts";
import type { Reading } from "./reading.ts";
import { testsPass } from "./wording.ts";

export const rules: Readonly<Record<Workflow, string>> = {
  build:
    "Search for a library first: look in this repository, in the standard library and in the dependencies that are already here for something that does it, and write code of your own only for what is left.",
  debug:
    "Root cause before workaround: make the failure happen, say what causes it, and mend that. A change that only hides the failure does not count.",
  refactor:
    "Delete before you redesign: take away what is not needed, then change what is left. Behaviour that was not mentioned stays as it is.",
};

export type WorkflowFound = {
  readonly workflow: Workflow;
  readonly evidence: readonly Evidence[];
  readonly why: string;
};

/** The first order decides; without one, the symptoms do. */
export function workflowOf(reading: Reading): WorkflowFound {
  const { plain, text, deeds, symptoms, complaints, trace, language } = reading;
  const first = deeds.find(({ workflow }) => workflow !== null);
  const passing = findAll(testsPass, plain, text, 1);
  const failing = [...trace, ...symptoms, ...complaints, ...(deeds[0]?.verb === "make" ? passing : [])].slice(0, 3);
  const abroad = language.isKnown ? null : foreignWorkflow(plain, text);
  if (abroad !== null) return abroad;
  // "want" and "need" introduce an order more often than they are one: symptoms outweigh them.
  const isWish = first !== undefined && ["want", "need", "new"].includes(first.verb);
  const isData = outwardVerbs.split(" ").includes(deeds[0]?.verb ?? "");
  if (first?.workflow && !(isWish && failing.length > 0) && !isData) {
    const evidence = { text: text.slice(first.at, first.at + first.length), at: first.at };
    return { workflow: first.workflow, evidence: [evidence], why: "its first order" };
  }
  if (failing.length > 0) return { workflow: "debug", evidence: failing, why: "it says what goes wrong" };
  return { workflow: "build", evidence: [], why: "nothing in it says otherwise" };
}
