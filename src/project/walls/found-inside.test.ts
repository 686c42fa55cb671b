import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeGit } from "../../workspace/git/git.ts";
import { findInside, withoutCredentials } from "./found-inside.ts";

let root = "";
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-inside-")));
  git("init", "--quiet");
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const git = (...args: string[]): string => execFileSync("git", ["-C", root, ...args], { encoding: "utf8" });
const write = (path: string, text: string): void => {
  fs.mkdirSync(join(root, path, ".."), { recursive: true });
  fs.writeFileSync(join(root, path), text);
};

async function shown(): Promise<Record<string, string>> {
  const covers = await withoutCredentials(makeGit(root), [root], join(root, "clean"));
  return Object.fromEntries(
    covers.map(({ from, at }) => [at.slice(root.length + 1), fs.readFileSync(from, "utf8")] as const),
  );
}

describe("git's configuration for a session", () => {
  test("has no credentials, and everything else as it was", async () => {
    git("config", "remote.origin.url", "https://person:SECRET@example.invalid/x/y.git");
    git("config", "remote.origin.pushurl", "https://SECRET@example.invalid/x/y.git");
    git("config", "remote.ssh.url", "ssh://git@example.invalid/x");
    git("config", "url.https://SECRET@example.invalid/.insteadOf", "gh:");
    git("config", "http.extraheader", "AUTHORIZATION: basic SECRET");
    git("config", "http.https://example.invalid/.extraheader", "AUTHORIZATION: basic SECRET");
    git("config", "credential.helper", "!echo password=SECRET");
    git("config", "gitlab.api-token", "SECRET");
    git("config", "azure.pat", "SECRET");
    git("config", "lfs.https://example.invalid/.access", "SECRET");
    git("config", "github.user", "person");
    git("config", "core.pathology", "kept");
    git("config", "alias.odd", 'a "b" \\ # ; c\nd');
    const before = git("config", "--local", "--list", "--null").split("\0");
    fs.appendFileSync(
      join(root, ".git", "config"),
      "# https://person:SECRET@example.invalid/old\n[core]\n\tignoreCase\n",
    );
    const { ".git/config": text = "" } = await shown();
    expect(text).not.toContain("SECRET");
    write("shown", text);
    const after = git("config", "--file", join(root, "shown"), "--list", "--null").split("\0");
    const kept = before.filter((setting) => !setting.includes("SECRET"));
    expect(after).toEqual(expect.arrayContaining(kept));
    expect(after).toEqual(
      expect.arrayContaining([
        "remote.origin.url\nhttps://example.invalid/x/y.git",
        "remote.origin.pushurl\nhttps://example.invalid/x/y.git",
        "url.https://example.invalid/.insteadof\ngh:",
        "core.ignorecase",
      ]),
    );
  });

  test.each([
    ["remote.q.url", "https://example.invalid/x?access_token=SECRET"],
    ["http.https://example.invalid/?private_token=SECRET.sslVerify", "true"],
    ["core.sshCommand", "sshpass -p SECRET ssh"],
    ["core.gitProxy", "proxy --pw SECRET"],
    ["filter.vault.smudge", "open --key=SECRET"],
    ["lfs.customtransfer.x.args", "--token SECRET"],
    ["sendemail.x.smtpserver", "SECRET"],
    ["gitlab.accessKey", "SECRET"],
    ["any-program.anything", "SECRET"],
  ])("has no %s that holds one", async (key, value) => {
    git("config", "diff.noprefix", "true");
    git("config", key, value);
    const { ".git/config": text = "SECRET" } = await shown();
    expect(text).not.toContain("SECRET");
    expect(text).toContain("noprefix");
  });

  test("keeps what a checkout with lfs needs", async () => {
    git("config", "filter.lfs.clean", "git-lfs clean -- %f");
    git("config", "lfs.repositoryformatversion", "0");
    expect(await shown()).toEqual({});
  });

  test("is also that of copies of it", async () => {
    const text = "[http]\n\textraheader = SECRET\n";
    for (const name of ["config~", "config.bak", ".lfsconfig"]) write(`.git/${name}`, text);
    write(".git/.netrc", "machine x login y password SECRET\n");
    const found = await shown();
    expect(Object.keys(found).sort()).toEqual([".git/.lfsconfig", ".git/.netrc", ".git/config.bak", ".git/config~"]);
    expect(Object.values(found).join("")).not.toContain("SECRET");
  });

  test("is also that of submodules, of included files of the repository, and of logs", async () => {
    git("config", "include.path", "../tools/git.config");
    write("tools/git.config", "[credential]\n\thelper = store --file SECRET\n");
    write(".git/modules/sub/config", '[remote "origin"]\n\turl = https://SECRET@example.invalid/\n');
    write(".git/logs/HEAD", "0 1 P <p@example.invalid> 1 +0000\tclone: from https://p:SECRET@example.invalid/\n");
    const found = await shown();
    expect(Object.keys(found).sort()).toEqual([".git/logs/HEAD", ".git/modules/sub/config", "tools/git.config"]);
    expect(Object.values(found).join("")).not.toContain("SECRET");
  });

  test("comes without a file of credentials, but with the log of a branch that is called so", async () => {
    write(".git/credentials", "https://p:SECRET@example.invalid\n");
    write(".git/modules/sub/.git-credentials", "https://p:SECRET@example.invalid\n");
    write(".git/logs/refs/heads/credentials", "0 1 P <p@example.invalid> 1 +0000\tcommit: x\n");
    expect(await shown()).toEqual({ ".git/credentials": "", ".git/modules/sub/.git-credentials": "" });
  });

  test("is the person's own file where there is nothing to leave out", async () => {
    git("config", "remote.origin.url", "git@example.invalid:x/y.git");
    expect(await shown()).toEqual({});
  });

  test("shows nothing of a file that git cannot read", async () => {
    write(".git/config", "[remote\nurl = https://SECRET@example.invalid\n");
    expect(await shown()).toEqual({ ".git/config": "" });
  });
});

test("repositories and sockets inside a folder are found, except in folders with a layer", async () => {
  write("sub/.git", "gitdir: ../.git/modules/sub\n");
  write("deep/inner/.git/HEAD", "ref: refs/heads/main\n");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(root, "deep", "s.sock"), resolve));
  const [all, without] = [findInside(root, []), findInside(root, [join(root, "deep")])];
  server.close();
  expect([...all.repositories].sort()).toEqual([join(root, "deep/inner/.git"), join(root, "sub/.git")]);
  expect(all.sockets).toEqual([join(root, "deep", "s.sock")]);
  expect(without).toEqual({ repositories: [join(root, "sub/.git")], sockets: [] });
});
