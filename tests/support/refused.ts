// A command line or a project that is refused: with a clear error and the right exit code, and nothing changes.
import { afterEach, expect, test } from "vitest";
import { ended, type Files, Project } from "./project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "./sample.ts";

export const good = sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]);
export const features = (...list: object[]): string => JSON.stringify({ version: 1, features: list });

export type Refused = {
  title: string;
  /** In place of those of the good project. */
  files?: Files;
  args?: string[];
  env?: Record<string, string>;
  code: number;
  says: RegExp;
};

export function testRefused(cases: readonly Refused[]): void {
  let project: Project | null = null;
  afterEach(() => {
    project?.remove();
    project = null;
  });

  test.each(cases)(
    "$title: exit code $code, and nothing changes",
    { timeout: 30_000 },
    async ({ files = {}, args = ["run"], env = {}, code, says }) => {
      project = new Project({ ...good, ...files });
      const before = state(project);
      const result = await ended(project.start(args, env));
      expect(result.stderr).toMatch(says);
      expect(result.code, result.stderr).toBe(code);
      if (!result.stderr.startsWith("error:")) expect(result.stderr).toMatch(/Next: \S/);
      expect(state(project)).toEqual(before);
    },
  );
}

const state = (of: Project) => ({
  status: of.git("status", "--porcelain", "--ignored"),
  head: of.git("rev-parse", "HEAD"),
  loop: of.exists(".loop"),
  runs: of.runs(),
});
