// What every kind of rooms must do: call it in a test file.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { link, makeHouse, once, openRoom, type RoomKind, run, terms, treeWith, writePackage } from "./rooms-rig.ts";
import {
  everything,
  exists,
  person,
  readText,
  removeTemporaryFolders,
  temporaryFolder,
  write,
} from "./workspace-rig.ts";

/** `skips` names tests that a kind cannot pass, with the reason. */
export function describeRooms(kind: RoomKind, skips: Readonly<Record<string, string>> = {}): void {
  afterAll(removeTemporaryFolders);
  const behaves = (title: string, body: () => Promise<void>): void => {
    test(title, async ({ skip }) => (skips[title] === undefined ? body() : skip(skips[title])));
  };

  const monorepo = {
    "package.json": JSON.stringify({ name: "top", workspaces: ["packages/*"], scripts: { test: "greet" } }),
    "packages/a/package.json": JSON.stringify({ name: "@s/a", main: "index.js" }),
    "packages/a/index.js": "module.exports = 'a1';\n",
    "packages/b/package.json": JSON.stringify({ name: "@s/b" }),
    "packages/b/main.js": "console.log(require('@s/a'), require('left'), require('deep'));\n",
  };
  const installMonorepo = (root: string): void => {
    writePackage(root, "node_modules/left", { name: "left", main: "i.js" }, { "i.js": "module.exports = 'left1';\n" });
    writePackage(root, "packages/b/node_modules/deep", { name: "deep" }, { "index.js": "module.exports = 'deep1';\n" });
    link(root, "node_modules/@s/a", "../../packages/a");
    link(root, "node_modules/@s/b", "../../packages/b");
    write(root, { "node_modules/.bin/greet": "#!/bin/sh\necho real greeting\n" });
    fs.chmodSync(join(root, "node_modules/.bin/greet"), 0o755);
  };
  const makeMonorepo = () => makeHouse(kind, { files: monorepo, prepare: installMonorepo });

  describe(`rooms of the kind ${kind}`, () => {
    behaves("can be opened while a command runs in another one, and commands take turns", async () => {
      const house = await makeHouse(kind, { files: { a: "1\n" } });
      const started: string[] = [];
      const opened = (name: string) => openRoom(house, { name, onStart: () => started.push(name) });
      const [one, two] = await Promise.all([opened("one"), opened("two")]);
      const times = await Promise.all([
        run(house, one, "date +%s%N; sleep 0.5; date +%s%N"),
        opened("three").then(async (room) => {
          const result = await run(house, room, "date +%s%N");
          await room.close();
          return result;
        }),
        run(house, two, "date +%s%N; sleep 0.1; date +%s%N"),
      ]);
      const [first, , second] = times.map(({ tail }) => tail.trim().split("\n").map(BigInt));
      expect((first?.[1] ?? 0n) < (second?.[0] ?? 0n)).toBe(true);
      expect(started).toEqual(["one", "two", "three"]);
      await Promise.all([one.close(), two.close()]);
    });

    behaves("hold the tree, the installed packages and the links between packages", async () => {
      const house = await makeMonorepo();
      expect([...house.kept.paths].sort()).toEqual(["node_modules", "packages/b/node_modules"]);
      const tree = await treeWith(house, { "packages/a/index.js": "module.exports = 'a2';\n" });
      expect(await once(house, "node packages/b/main.js")).toMatchObject({ how: "passed", tail: "a1 left1 deep1" });
      expect(await once(house, "node packages/b/main.js", { tree })).toMatchObject({ tail: "a2 left1 deep1" });
      expect(await once(house, "node packages/b/main.js")).toMatchObject({ tail: "a1 left1 deep1" });
    });

    behaves("leave workspace and vault untouched, whatever a command does to its tree", async () => {
      const house = await makeMonorepo();
      const before = everything(house.root);
      const kept = () => everything(join(house.vaultDir, "rooms", "kept"));
      const keptBefore = kept();
      const deeds = [
        "echo x > node_modules/left/i.js; echo x > node_modules/@s/a/index.js; rm -rf packages/b/node_modules/deep",
        "find node_modules -type f -exec sh -c 'echo y >> \"$1\"' sh {} \\;",
        "cd node_modules/@s/a && rm -rf * && cd / && true",
        "rm -rf node_modules packages .git",
        "for f in $(find . -type l); do echo z > $f/z 2>/dev/null; done; chmod -R 000 packages",
        "rm -rf node_modules && ln -s / node_modules",
      ];
      for (const deed of deeds) {
        await once(house, deed);
        expect(await once(house, "node packages/b/main.js")).toMatchObject({ tail: "a1 left1 deep1" });
      }
      expect(everything(house.root)).toEqual(before);
      expect(kept()).toEqual(keptBefore);
    });

    behaves("let nothing survive from one to the next", async () => {
      const house = await makeMonorepo();
      const marks = 'mark "$HOME/m" "$TMPDIR/m" ./m node_modules/m .git/m packages/a/m';
      const mark = 'mark() { for p; do echo 1 > "$p" || exit 1; done; }';
      const look = 'mark() { for p; do [ ! -e "$p" ] || echo "left $p"; done; }';
      expect(await once(house, `${mark}; ${marks}; git config user.name Eve`)).toMatchObject({ how: "passed" });
      expect((await once(house, `${look}; ${marks}; git config user.name`)).tail).toBe("Pat Person");
    });

    behaves("keep what one command left for the next one in the same room", async () => {
      const house = await makeMonorepo();
      const room = await openRoom(house);
      await run(house, room, "echo built > dist-file; rm packages/a/index.js");
      expect((await run(house, room, "cat dist-file; ls packages/a")).tail).toBe("built\npackage.json");
      expect(await room.left()).toEqual({ files: ["dist-file", "packages/a/index.js"], ignored: [] });
      await room.close();
    });

    behaves("say what a command left in the tree, and what of it is ignored", async () => {
      const house = await makeMonorepo();
      const room = await openRoom(house);
      expect(await room.left()).toEqual({ files: [], ignored: [] });
      await run(
        house,
        room,
        "echo 1 > new.txt; echo 1 > a.log; mkdir dist; echo 1 > dist/x; echo 2 >> packages/a/index.js; touch package.json; echo 3 > node_modules/left/i.js",
      );
      expect(await room.left()).toEqual({ files: ["new.txt", "packages/a/index.js"], ignored: ["a.log", "dist"] });
      await room.close();
    });

    behaves("have a git folder of one commit, with the person's names", async () => {
      const house = await makeHouse(kind, {
        files: { "a.txt": "1\n", "d/b.txt": "2\n" },
        prepare: (root) => {
          person(root, "tag", "v1.0.0");
          person(root, "remote", "add", "origin", "https://user:secret@example.com/o/r.git");
          person(root, "remote", "add", "near", temporaryFolder());
          person(root, "branch", "other");
          person(root, "pack-refs", "--all");
          person(root, "checkout", "-q", "-b", "work/one");
        },
      });
      const tree = await treeWith(house, { "a.txt": "changed\n", "d/b.txt": null, "e/c.txt": "3\n" });
      const git =
        "git status --porcelain; git log --format=%an; git branch --show-current; git tag; git ls-files; git fsck --no-dangling 2>&1 | grep -v notice; git remote; git remote get-url origin; git show HEAD:a.txt; git rev-parse -q --verify other >/dev/null && echo other";
      const { tail } = await once(house, git, { tree });
      const names = ["Pat Person", "work/one", "v1.0.0", ".gitignore", "a.txt", "e/c.txt", "near", "origin"];
      expect(tail.split("\n")).toEqual([...names, "https://example.com/o/r.git", "changed", "other"]);
      const push = await once(
        house,
        "git push origin HEAD 2>&1; git push near HEAD 2>&1; git commit -qam x --allow-empty && git log --oneline | wc -l",
        { tree },
      );
      expect(push.tail).toContain("nowhere.invalid");
      expect(push.tail.trim().split("\n").at(-1)?.trim()).toBe("2");
      expect(person(house.root, "log", "--oneline").trim().split("\n")).toHaveLength(1);
    });

    behaves("have the listed environment and nothing else", async () => {
      const house = await makeHouse(kind, {
        files: { "a.txt": "1" },
        rooms: {
          env: { PATH: process.env["PATH"], USER: "pat", LANG: "C.UTF-8", SECRET: "s", WANTED: "w", NO_COLOR: "1" },
        },
      });
      const order = { terms: { ...terms, room: { ...terms.room, env: ["WANTED"] } } };
      const { tail } = await once(
        house,
        'env | cut -d= -f1 | sort | grep -v -e "^_$" -e SHLVL -e PWD; ls -A "$HOME"; [ -w "$TMPDIR" ] && tty',
        order,
      );
      expect(tail.split("\n")).toEqual([
        ...["CI", "HOME", "LANG", "LOOP_CHECK", "LOOP_LEASH", "PATH", "TMPDIR", "USER", "WANTED"],
        "not a tty",
      ]);
    });

    behaves("bring the ignored files that the terms name, as they were when they were kept", async () => {
      const home = join(temporaryFolder(), "home");
      write(home, { ".tool/rc": "mine", ".secret": "no" });
      const wanted = { ...terms, room: { files: [".env", "dist"], env: [], home: [".tool"], outside: [] } };
      const house = await makeHouse(kind, {
        files: { "a.txt": "1" },
        prepare: (root) => write(root, { ".env": "KEY=1", "dist/client.js": "generated", "a.log": "no" }),
        terms: wanted,
        rooms: { home },
      });
      write(house.root, { ".env": "KEY=agent" });
      const { tail } = await once(house, 'cat .env dist/client.js "$HOME/.tool/rc"; ls -A "$HOME"', {
        terms: wanted,
      });
      expect(tail).toContain("KEY=1generatedmine.tool");
      await once(house, 'echo x > .env; echo x > "$HOME/.tool/rc"; rm -rf dist', { terms: wanted });
      expect(readText(home, ".tool/rc")).toBe("mine");
      expect((await once(house, "cat .env", { terms: wanted })).tail).toBe("KEY=1");
    });

    behaves("put shims before the programs that a package manager installed", async () => {
      const house = await makeMonorepo();
      const shims = () => [
        { name: "greet", script: '#!/bin/sh\necho shim\nexec "$0.loop-real" "$@"\n' },
        { name: "other", script: "#!/bin/sh\necho other\n" },
      ];
      expect((await once(house, "npm test --silent; other", { shims })).tail).toBe("shim\nreal greeting\nother");
      expect((await once(house, "npm test --silent")).tail).toBe("real greeting");
    });

    behaves("rebuild what was built from the base, whatever time a changed file has", async () => {
      const house = await makeHouse(kind, {
        files: { Makefile: "out: in\n\tcp in out; echo made\n", in: "old\n", out: "old\n" },
      });
      const tree = await treeWith(house, { in: "new\n" });
      expect((await once(house, "make -s; cat out", { tree })).tail).toBe("made\nnew");
      expect((await once(house, "find . -newermt 2020-01-02 -type f -not -path './.git/*'", { tree })).tail).toBe(
        "./in",
      );
      expect((await once(house, "find . -newermt 2020-01-02 -type f -not -path './.git/*'")).tail).toBe("");
    });

    behaves("lay no link that leads out, and say so", async () => {
      const house = await makeHouse(kind, {
        files: { "a.txt": "1" },
        prepare: (root) => {
          link(root, "in", "a.txt");
          link(root, "out", "../../somewhere");
          link(root, "d/abs", root);
          link(root, "d/up", "../a.txt");
          person(root, "add", "-A");
          person(root, "commit", "-q", "-m", "links");
        },
      });
      const room = await openRoom(house);
      expect((await run(house, room, "ls -A d; ls; cat in d/up")).tail.split("\n")).toEqual([
        "up",
        "a.txt",
        "d",
        "in",
        "11",
      ]);
      expect(room.notes.join()).toContain("d/abs, out");
      await room.close();
    });

    behaves("lay no tracked file where dependencies belong", async () => {
      const house = await makeMonorepo();
      const tree = await treeWith(house, { "node_modules/left/i.js": "evil", "node_modules/evil/index.js": "x" });
      const room = await openRoom(house, { tree });
      expect((await run(house, room, "cat node_modules/left/i.js; ls node_modules")).tail).toBe(
        "module.exports = 'left1';\n@s\nleft",
      );
      expect(room.notes.join()).toContain("node_modules/evil/index.js");
      await room.close();
    });

    behaves("take kept folders without links that lead out of the workspace", async () => {
      const outside = temporaryFolder();
      write(outside, { "index.js": "precious" });
      const house = await makeHouse(kind, {
        files: { "package.json": "{}" },
        prepare: (root) => {
          writePackage(root, "node_modules/fine", { name: "fine" });
          link(root, "node_modules/linked", outside);
          link(root, "node_modules/up", "../../elsewhere");
        },
      });
      expect(house.kept.notes.join()).toContain("node_modules/linked");
      expect((await once(house, "ls node_modules; echo x > node_modules/linked/index.js")).tail).toMatch(/^fine\n/);
      expect(readText(outside, "index.js")).toBe("precious");
    });

    behaves("run an editable install and an environment's programs from the room", async () => {
      const python = "/usr/bin/python3";
      const house = await makeHouse(kind, {
        files: { "src/thing.py": "value = 'base'\n", "test.py": "import thing; print(thing.value, thing.__file__)\n" },
        prepare: (root) => {
          const site = `.venv/lib/${fs.readlinkSync(python)}/site-packages`;
          write(root, {
            ".venv/pyvenv.cfg": `home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n`,
            [`${site}/__editable__.thing.pth`]: `${root}/src\n`,
            ".venv/bin/show": `#!${root}/.venv/bin/python\nimport thing, sys; print(thing.value, sys.prefix)\n`,
          });
          fs.chmodSync(join(root, ".venv/bin/show"), 0o755);
          link(root, ".venv/bin/python", python);
        },
      });
      const tree = await treeWith(house, { "src/thing.py": "value = 'candidate'\n" });
      const room = await openRoom(house, { tree });
      const { cwd } = room;
      expect((await run(house, room, "show")).tail).toBe(`candidate ${cwd}/.venv`);
      expect((await run(house, room, "python test.py; .venv/bin/show")).tail).toBe(
        `candidate ${cwd}/src/thing.py\ncandidate ${cwd}/.venv`,
      );
      await room.close();
      expect((await once(house, "show")).tail).toBe(`base ${cwd}/.venv`);
    });

    behaves("hold submodules at their recorded commit", async () => {
      const inner = temporaryFolder();
      person(inner, "init", "-q", "-b", "main");
      write(inner, { "lib.txt": "one\n", "gone.txt": "x\n" });
      person(inner, "add", "-A");
      person(inner, "commit", "-q", "-m", "inner");
      const house = await makeHouse(kind, {
        files: { "a.txt": "1" },
        prepare: (root) => {
          person(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
          person(root, "commit", "-q", "-m", "sub");
        },
      });
      expect((await once(house, "cat sub/lib.txt; ls -A sub")).tail).toBe("one\ngone.txt\nlib.txt");
      await once(house, "echo x > sub/lib.txt");
      expect((await once(house, "cat sub/lib.txt")).tail).toBe("one");
    });

    behaves("build before anything else, and say when that fails", async () => {
      const house = await makeHouse(kind, {
        files: {
          "package.json": JSON.stringify({
            name: "t",
            main: "dist/i.js",
            scripts: { build: "mkdir dist && cp src.js dist/i.js", test: "node t.js" },
          }),
          "src.js": "module.exports = 'built';\n",
          "t.js": "console.log(require('./dist/i.js'));\n",
        },
        prepare: (root) => write(root, { "dist/i.js": "module.exports = 'stale';\n" }),
      });
      const room = await openRoom(house);
      expect(room.failed).toBeNull();
      expect((await run(house, room, "node t.js")).tail).toBe("built");
      await room.close();
      const broken = await openRoom(house, { terms: { ...terms, build: "echo no; exit 3" } });
      expect(broken.failed).toMatchObject({ at: "build", result: { how: "failed", exitCode: 3, tail: "no" } });
      await broken.close();
      expect((await once(house, "ls", { terms: { ...terms, build: "" } })).tail).toBe("package.json\nsrc.js\nt.js");
    });

    behaves("give reports a folder that is empty in every room", async () => {
      const house = await makeMonorepo();
      const room = await openRoom(house);
      await run(house, room, `echo report > "${room.out.inside}/r.xml"`);
      expect(readText(room.out.outside, "r.xml")).toBe("report\n");
      await room.close();
      const next = await openRoom(house);
      expect(fs.readdirSync(next.out.outside)).toEqual([]);
      await next.close();
    });

    behaves("end what a command leaves running, and count it", async () => {
      const house = await makeMonorepo();
      const room = await openRoom(house);
      const stray = `(setsid env -i /bin/sh -c 'sleep 300' >/dev/null 2>&1 &) ; sleep 0.5; echo done`;
      expect(await run(house, room, stray)).toMatchObject({
        how: "passed",
        tail: "done",
        leftBehind: 2,
      });
      expect(await run(house, room, "echo begun; sleep 300", 700)).toMatchObject({ how: "timed-out", tail: "begun" });
      await room.close();
    });

    behaves("hold two rooms at once apart", async () => {
      const house = await makeMonorepo();
      const tree = await treeWith(house, { "packages/a/index.js": "module.exports = 'a2';\n" });
      const [one, other] = [await openRoom(house), await openRoom(house, { tree })];
      const [first, second] = await Promise.all([
        run(house, one, "echo 1 > m; node packages/b/main.js"),
        run(house, other, "ls m; node packages/b/main.js"),
      ]);
      expect([first.tail, second.tail.split("\n").at(-1)]).toEqual(["a1 left1 deep1", "a2 left1 deep1"]);
      await one.close();
      await other.close();
    });

    behaves("leave nothing behind when they are disposed of", async () => {
      const house = await makeMonorepo();
      await once(house, "echo 1 > m");
      await house.rooms.dispose();
      expect(fs.readdirSync(join(house.vaultDir, "rooms", "open"))).toEqual([]);
    });

    behaves("use what an earlier process kept, and not what is installed by now", async () => {
      const house = await makeMonorepo();
      write(house.root, { "node_modules/left/i.js": "module.exports = 'agent';\n" });
      const later = await house.again();
      expect((await once(later, "node packages/b/main.js")).tail).toBe("a1 left1 deep1");
    });

    behaves("say when what is installed changed and no lockfile did", async () => {
      const house = await makeMonorepo();
      write(house.root, { "node_modules/left/i.js": "module.exports = 'edited';\n" });
      const later = await house.again();
      const kept = await later.rooms.keep(house.base, terms, new AbortController().signal);
      expect(kept.notes).toContain("node_modules has changed since an earlier run, and no lockfile has.");
      expect((await once(later, "node packages/b/main.js")).tail).toBe("a1 edited deep1");
    });

    behaves("install by themselves where a lockfile changed, without install scripts", async () => {
      const house = await makeHouse(kind, {
        files: {
          "package.json": JSON.stringify({ name: "t", dependencies: { one: "file:./one" } }),
          "one/package.json": JSON.stringify({ name: "one", version: "1.0.0", main: "i.js" }),
          "one/i.js": "module.exports = 'one1';\n",
          "two/package.json": JSON.stringify({
            name: "two",
            version: "1.0.0",
            main: "i.js",
            scripts: { install: "touch ran" },
          }),
          "two/i.js": "module.exports = 'two1';\n",
        },
        prepare: (root) => {
          writePackage(
            root,
            "node_modules/one",
            { name: "one", version: "1.0.0", main: "i.js" },
            { "i.js": "module.exports = 'kept1';\n" },
          );
        },
      });
      const tree = await treeWith(house, {
        "package.json": JSON.stringify({ name: "t", dependencies: { one: "file:./one", two: "file:./two" } }),
      });
      const command = "node -p \"try { require('two') } catch { 'none' }\"; node -p \"require('one')\"; ls two";
      const of = async (dependencies: Parameters<typeof openRoom>[1]) =>
        (await once(house, command, { tree, ...dependencies })).tail;
      expect(await of({ dependencies: { of: "base" } })).toBe("none\nkept1\ni.js\npackage.json");
      expect(await of({ dependencies: { of: "tree", tree } })).toBe("two1\none1\ni.js\npackage.json");
      expect(await of({ dependencies: { of: "both", base: house.base, tree } })).toBe(
        "two1\nkept1\ni.js\npackage.json",
      );
      expect(exists(house.root, "node_modules/two")).toBe(false);
    });

    behaves("say when an install fails", async () => {
      const house = await makeMonorepo();
      const tree = await treeWith(house, {
        "package.json": JSON.stringify({ name: "top", dependencies: { x: "file:./nowhere" } }),
      });
      const setup = { run: "echo cannot; exit 4", env: [], home: [] };
      const room = await openRoom(house, { tree, dependencies: { of: "tree", tree }, terms: { ...terms, setup } });
      expect(room.failed).toMatchObject({ at: "setup", result: { how: "failed", exitCode: 4, tail: "cannot" } });
      await room.close();
    });
  });
}
