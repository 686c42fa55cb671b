// A temporary place: isolated from the machine's configuration, and removed afterwards.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const identity = { GIT_AUTHOR_NAME: "Bench", GIT_AUTHOR_EMAIL: "bench@example.org" };

export function makePlace() {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-bench-")));
  const env = {
    PATH: process.env.PATH,
    HOME: join(dir, "home"),
    XDG_STATE_HOME: join(dir, "state"),
    LANG: "C.UTF-8",
    LOOPWRIGHT_SANDBOX: "off",
    GIT_CONFIG_NOSYSTEM: "1",
    ...identity,
    GIT_COMMITTER_NAME: identity.GIT_AUTHOR_NAME,
    GIT_COMMITTER_EMAIL: identity.GIT_AUTHOR_EMAIL,
  };
  // Measured in the folder, where nothing is added by making a worktree and landing.
  write(env.HOME, { ".config/loopwright/loop.yaml": "place: here\n" });
  let count = 0;
  return {
    env,
    folder: (name) => join(dir, `${name}-${++count}`),
    git: (cwd, ...args) => execFileSync("git", args, { cwd, env, encoding: "utf8" }),
    sh: (script) => execFileSync("sh", ["-c", script], { cwd: dir, env }),
    freeBytes: () => {
      const { bavail, bsize } = fs.statfsSync(dir);
      return bavail * bsize;
    },
    // A process of an agent that just ended may still write a last file.
    remove: () => fs.rmSync(dir, { recursive: true, force: true, maxRetries: 10 }),
  };
}

export function write(root, files) {
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), text);
  }
}

/** A repository with one commit. */
export function makeRepository(place, name, files) {
  const root = place.folder(name);
  write(root, files);
  place.git(root, "init", "-q", "-b", "main");
  place.git(root, "config", "user.name", identity.GIT_AUTHOR_NAME);
  place.git(root, "config", "user.email", identity.GIT_AUTHOR_EMAIL);
  place.git(root, "config", "gc.auto", "0"); // A background collection would be measured too.
  place.git(root, "add", "-A");
  place.git(root, "commit", "-q", "-m", "first");
  return root;
}
