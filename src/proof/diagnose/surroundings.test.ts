// What a clean checkout is offered from a folder, a shell and a home.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultProofTerms } from "../../core/contract.ts";
import { lookAround, type Place } from "./surroundings.ts";

let dir: string;
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-around-"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

function make(...paths: string[]): void {
  for (const path of paths) {
    fs.mkdirSync(dirname(join(dir, path)), { recursive: true });
    fs.writeFileSync(join(dir, path), "x");
  }
}
const look = (given: Partial<Place>) =>
  lookAround({
    root: join(dir, "root"),
    ignored: [],
    env: {},
    home: join(dir, "home"),
    terms: defaultProofTerms,
    ...given,
  });

test("offers ignored files and folders, but no caches and none of the loop's files", () => {
  make("root/.env", "root/generated/a.js", "root/coverage/x", "root/.loop/x", "root/a/__pycache__/b.pyc", "root/x.log");
  const ignored = [".env", "generated/", "coverage/", ".loop/", "a/__pycache__/", "x.log", "gone.txt"];
  expect(look({ ignored }).files).toEqual([".env", "generated/"]);
});

test("does not offer what the settings already provide", () => {
  make("root/.env", "root/generated/a.js");
  const terms = { ...defaultProofTerms, room: { files: ["generated"], env: ["HOST"], home: [], outside: [] } };
  const { files, env } = look({ ignored: [".env", "generated/"], env: { HOST: "h", PORT: "1" }, terms });
  expect({ files, env }).toEqual({ files: [".env"], env: ["PORT"] });
});

test("does not follow links", () => {
  make("root/real");
  fs.symlinkSync("/etc/passwd", join(dir, "root/link"));
  expect(look({ ignored: ["real", "link"] }).files).toEqual(["real"]);
});

test("lists a file that is too large instead of offering it", () => {
  make("root/.env");
  fs.truncateSync(join(dir, "root/.env"), 201 << 20);
  expect(look({ ignored: [".env"] })).toMatchObject({ files: [], tooLarge: [".env"] });
});

test("offers the person's variables, but neither the shell's own nor an agent's keys", () => {
  const env = {
    ...{ PATH: "/bin", HOME: "/h", CI: "1", PWD: "/", SHLVL: "1", LANG: "C", LOOP_X: "1", npm_lifecycle_event: "test" },
    ...{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", "odd name": "x", DATABASE_URL: "d", REGION: "eu" },
  };
  expect(look({ env }).env).toEqual(["DATABASE_URL", "REGION"]);
});

test("offers settings of tools in the home, but no keys, histories or caches", () => {
  make("home/.toolrc", "home/.config/git/config", "home/.ssh/id_ed25519", "home/.bash_history", "home/.cache/x");
  make("home/.claude.json", "home/Documents/x", "home/.config/loopwright/loop.yaml", "home/.aws/credentials");
  expect(look({}).home).toEqual([".aws/", ".toolrc", ".config/git/"]);
});
