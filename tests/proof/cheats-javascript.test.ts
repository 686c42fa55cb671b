// Further cheats in a JavaScript project: not accepted, named for what they are, undone. Honest work between them: accepted.
import { afterEach, expect, test } from "vitest";
import { Stage, write } from "./cast.ts";
import { cheats, checks, command, files, made } from "./javascript.ts";

let stage: Stage | null = null;
afterEach(() => {
  stage?.project.remove();
  stage = null;
});

// Whether a cheat was committed makes no difference to any of these: cast/ plays the others both ways.
test("further cheats on a check of the run come to nothing", { timeout: 600_000 }, async () => {
  stage = new Stage({ files, parts: cheats, checks, command, commits: false });
  const { code } = await stage.play();
  expect(code).toBe(7);
  for (const [path, text] of Object.entries(files)) expect(stage.project.read(path)).toBe(text);
  // One new test file and an untouched seal: the check is run twice, on the change and over the code before.
  expect(stage.evidence("F003")?.checks.map(({ on }) => on)).toEqual(["candidate", "before"]);
});

test("a must-not that a rule can see stops the run at once", { timeout: 120_000 }, async () => {
  const adds = {
    who: "adder",
    caught: /A must-not became true: no new dependency/,
    steps: (id: string) => [
      ...made(id),
      write(
        "package.json",
        (files["package.json"] ?? "").replace('"scripts"', '"dependencies": { "left-pad": "1" },\n  "scripts"'),
      ),
    ],
  };
  stage = new Stage({
    files,
    parts: [adds],
    checks,
    command,
    commits: true,
    more: 'scope: { must_not: ["no new dependency"] }\n',
  });
  const { code } = await stage.play();
  expect(code).toBe(4);
});
