// Agents whose work cannot be proved, so that it waits for a person's decision.
import { Project } from "./project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "./sample.ts";

export const done = { do: "reply", reply: { status: "done", summary: "done" } };
export const write = (path: string, text: string) => ({ do: "write", path, text });
/** Code without a test: nothing shows that it meets the criteria. */
export const untested = (id: string) => [
  write(`src/${id}.js`, `export const ${id.toLowerCase()} = () => "${id}";\n`),
  done,
];
export const anyTry = (id: string, steps: object[]) => ({
  role: "builder",
  feature: id,
  steps,
  usage: { cost_usd: 0.01 },
});
/** Played once the person has decided; the marker file is ignored, so it is part of no candidate. */
export const later = (id: string, steps: object[]) => ({ ...anyTry(id, steps), where: "ignored.txt" });
export const two = [feature("F001"), feature("F002", { priority: 2 })];
export const branches = (of: Project): string => of.git("for-each-ref", "--format=%(refname:short)", "refs/heads");
export const untestedFirst = () =>
  new Project(
    sampleFiles(
      [later("F001", right("F001")), anyTry("F001", untested("F001")), builder("F002", 1, right("F002")), evaluator],
      two,
    ),
  );
