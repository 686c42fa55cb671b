// Requests about documents and configuration: no test can show them, so one session builds each, and the checker or a
// person looks at it.
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { evaluator, sampleFiles } from "../support/sample.ts";
import { anyTry, done, write } from "../support/unproved.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const asked = async (request: string, path: string, text: string) => {
  const { "docs/FEATURES.json": _, ...files } = sampleFiles(
    [anyTry("F001", [write(path, text), done]), evaluator],
    [],
    { "README.md": "# sample\n\nYou recieve a name.\n" },
  );
  project = new Project(files);
  const ran = await project.loop("run", "--yes", request);
  const sessions = project.events().filter(({ type }) => type === "session-reserved").length;
  return { ...ran, sessions };
};

test("a typo in a document is corrected in one session, and reviewed by the checker", {
  timeout: 120_000,
}, async () => {
  const readme = "# sample\n\nYou receive a name.\n";
  const { code, stdout, stderr, sessions } = await asked(
    "Typo in README.md: recieve should be receive",
    "README.md",
    readme,
  );
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("reviewed by the checker");
  expect(stderr).toMatch(/kind +docs: /);
  expect(sessions).toBe(2);
});

test.each([
  ["Add a GitHub Actions workflow that runs the tests", ".github/workflows/test.yml", "on: push\n"],
  [
    "Bump the node engine to >=20 in package.json",
    "package.json",
    '{ "type": "module", "engines": { "node": ">=20" } }\n',
  ],
])("%s: held after one session, with the question", { timeout: 120_000 }, async (request, path, text) => {
  const { code, stdout, stderr, sessions } = await asked(request, path, text);
  expect([code, sessions], stderr).toEqual([7, 1]);
  expect(stdout + stderr).toContain("A person has to look.");
  expect(stdout).toContain("loop accept F001");
});
