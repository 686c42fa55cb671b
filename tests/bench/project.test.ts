// The project that most sections measure: a run in it begins, and succeeds.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { makePlace } from "../../bench/place.mjs";
import { makeProject, runArgs } from "../../bench/project.mjs";

const loop = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const place = makePlace();
afterEach(() => place.remove());

test("a run in the project that is measured completes its feature", { timeout: 60_000 }, () => {
  const cwd = makeProject(place, 1, 0);
  execFileSync(process.execPath, [loop, ...runArgs], { cwd, env: place.env, stdio: "pipe" });
  expect(place.git(cwd, "log", "--format=%s")).toContain("F001");
});
