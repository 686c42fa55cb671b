// The look at an agent's version and login starts its program, which could be anything: inside walls, too.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ended, Project } from "../support/project.ts";
import { walls } from "./rig.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

/** Says what it sees, and leaves a trace where it can. */
const program = `#!/bin/sh
: > "$HOME/planted"
case "$1" in
  --version) if [ -e "$HOME/mine" ]; then echo 1.2.3-open; else echo 1.2.3-walled; fi ;;
  *) if [ -e "$HOME/.claude/.credentials.json" ]; then echo '{"loggedIn": true}'; else echo '{"loggedIn": false}'; fi ;;
esac
`;

function open(): { opened: Project; env: Record<string, string> } {
  const opened = new Project({ "a.txt": "" });
  project = opened;
  const bin = join(opened.dir, "bin");
  for (const folder of [bin, join(opened.home, ".claude")]) fs.mkdirSync(folder);
  fs.writeFileSync(join(bin, "claude"), program, { mode: 0o755 });
  fs.writeFileSync(join(opened.home, "mine"), "");
  fs.writeFileSync(join(opened.home, ".claude", ".credentials.json"), "{}");
  return { opened, env: { PATH: `${bin}:${opened.env["PATH"]}` } };
}

describe.skipIf(!walls.works)("loop doctor", () => {
  test.each([
    { sandbox: "auto", version: "1.2.3-walled", planted: false },
    { sandbox: "off", version: "1.2.3-open", planted: true },
  ])("with walls $sandbox finds version and login", async ({ sandbox, version, planted }) => {
    const { opened, env } = open();
    const { stdout } = await ended(opened.start(["doctor"], { ...env, LOOPWRIGHT_SANDBOX: sandbox }));
    expect(stdout).toContain(`claude ${version}`);
    expect(stdout).toContain(", logged in (says claude auth status)");
    expect(fs.existsSync(join(opened.home, "planted"))).toBe(planted);
  });
});

describe.skipIf(!walls.works)("loop init", () => {
  test.each([
    { sandbox: "auto", version: "1.2.3-walled", planted: false },
    { sandbox: "off", version: "1.2.3-open", planted: true },
  ])("with walls $sandbox looks at the agents that it finds", async ({ sandbox, version, planted }) => {
    const { opened, env } = open();
    const { stdout, stderr } = await ended(opened.start(["init", "--yes"], { ...env, LOOPWRIGHT_SANDBOX: sandbox }));
    expect(stdout + stderr).toContain(`claude ${version}, logged in`);
    expect(fs.existsSync(join(opened.home, "planted"))).toBe(planted);
  });
});
