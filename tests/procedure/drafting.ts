// A project without a queue, for which the loop drafts the feature from a request.
import { Project } from "../support/project.ts";
import { evaluator, sampleFiles } from "../support/sample.ts";

export const clear = "Add f001() to src/F001.js, which returns its own name, with a test in test/F001.test.js";

export function drafting(...scenes: object[]): Project {
  const { "docs/FEATURES.json": _, ...files } = sampleFiles([...scenes, evaluator], []);
  return new Project(files);
}
