// What a mount namespace promises beyond a plain folder: a command reaches nothing outside, whatever path it names.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { keyCalls } from "../../../host/confine/no-keys.ts";
import { compiled, removeCompiled } from "../../../testing/compiled.ts";
import { makeHouse, once, openRoom, run, terms } from "../../../testing/rooms-rig.ts";
import { everything, removeTemporaryFolders, temporaryFolder, write } from "../../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);
afterAll(removeCompiled);

/** Rooms cover folders for temporary files with empty ones. */
const isKept = (dir: string): boolean => !/^\/(?:tmp|var\/tmp|dev\/shm)\//.test(dir);
function isWritable(dir: string): boolean {
  try {
    fs.accessSync(dir, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

test.each([
  {
    what: "names the vault",
    command: 'echo x > "$VAULT/rooms/kept/current.json"; echo x > "$VAULT/x"; rm -rf "$VAULT"/*',
  },
  { what: "names the folder above the workspace", command: 'echo x > "$ABOVE/x"; mv "$ABOVE" "$ABOVE-2"' },
  { what: "takes the room's mount away", command: 'umount "$ROOT"; umount -l "$ROOT"; cd "$ROOT" && echo x > x' },
  {
    what: "makes a namespace of its own",
    command:
      'unshare --user --map-root-user --mount sh -c \'umount "$ROOT"; mount -o remount,rw,bind /; cd "$ROOT"; echo x > x\'',
  },
  {
    what: "goes by way of another process",
    command: 'for p in /proc/[0-9]*; do echo x > "$p/root$ROOT/../x"; echo x > "$p/cwd/../x"; done',
  },
  {
    what: "follows the file that its output goes to",
    command: 'd=$(dirname "$(readlink /proc/self/fd/1)"); echo x > "$d/x"',
  },
  {
    what: "leads a link to the workspace",
    command: 'ln -s "$ABOVE" up; echo x > up/x; ln -s "$VAULT" v; echo x > v/x',
  },
  { what: "writes into the home", command: 'echo x > "$REAL_HOME/x"; echo x > "$REAL_HOME/.cargo/x"' },
])("a command that $what changes nothing outside", async ({ command }) => {
  const home = join(temporaryFolder(), "home");
  write(home, { ".cargo/config.toml": "kept" });
  const house = await makeHouse("mounts", { files: { "a.txt": "1" }, rooms: { home } });
  const above = join(house.root, "..");
  const before = { workspace: everything(above), home: everything(home), vault: fs.readdirSync(house.vaultDir).sort() };
  const places = { VAULT: house.vaultDir, ROOT: house.root, ABOVE: above, REAL_HOME: home };
  const room = await openRoom(house);
  const outputFile = join(temporaryFolder(), "log");
  await room.run({ name: "deed", command, timeoutMs: 20_000, outputFile, env: places }, new AbortController().signal);
  await room.close();
  expect({
    workspace: everything(above),
    home: everything(home),
    vault: fs.readdirSync(house.vaultDir).sort(),
  }).toEqual(before);
  expect(fs.readdirSync(join(outputFile, ".."))).toEqual(["log"]);
  expect((await once(house, "cat a.txt")).tail).toBe("1");
});

test("a command does not see the vault, other processes or others' temporary files", async () => {
  const house = await makeHouse("mounts", { files: { "a.txt": "1" } });
  const mark = fs.mkdtempSync("/tmp/loop-mark-");
  try {
    const look = `ls -A ${house.vaultDir} 2>/dev/null; ls -d ${mark} 2>/dev/null; kill -0 ${process.pid} 2>/dev/null && echo alive; ls -d /proc/[0-9]* | wc -l; echo x > /tmp/mine`;
    expect(Number((await once(house, look)).tail)).toBeLessThan(8);
    expect(fs.existsSync("/tmp/mine")).toBe(false);
  } finally {
    fs.rmSync(mark, { recursive: true });
  }
});

test("a command sees nothing around the workspace or in the home, unless the terms name it", async ({ skip }) => {
  // Not below a folder for temporary files, which every room replaces.
  const [outside] = [homedir(), process.cwd(), "/srv"].filter((dir) => isKept(dir) && isWritable(dir));
  if (outside === undefined) return skip("every folder that this user may write to is for temporary files");
  const place = fs.mkdtempSync(join(outside, ".loop-around-"));
  try {
    const [root, home] = [join(place, "dev/project"), join(place, "person")];
    write(place, { "node_modules/planted/index.js": "1", "dev/shared/code.js": "2", "person/.hidden": "3" });
    write(home, { ".cargo/config.toml": "kept" });
    const house = await makeHouse("mounts", { files: { "a.txt": "1" }, root, rooms: { home } });
    const look = `ls ${place}/node_modules ../shared ${home}/.hidden 2>/dev/null; cat a.txt; cat "$CARGO_HOME/config.toml"`;
    expect((await once(house, look)).tail).toBe("1kept");
    const wanted = { ...terms, room: { ...terms.room, outside: ["../shared"] } };
    expect((await once(house, "ls ../shared; ls ..", { terms: wanted })).tail).toBe("code.js\nproject\nshared");
    const above = { ...terms, room: { ...terms.room, outside: [".."] } };
    const { tail } = await once(house, "ls ..; cat a.txt; echo x > ../x; echo y > y; ls", { terms: above });
    expect(tail).toContain("project\nshared\n1");
    expect(fs.existsSync(join(place, "dev/x"))).toBe(false);
  } finally {
    fs.rmSync(place, { recursive: true, force: true });
  }
});

test("a tool in the home may write into its own folder, and the room discards it", async () => {
  const home = join(temporaryFolder(), "home");
  write(home, { ".cargo/registry/index": "kept" });
  const env = { PATH: process.env["PATH"] };
  const house = await makeHouse("mounts", { files: { "a.txt": "1" }, rooms: { home, env } });
  const write_ =
    'echo new > "$CARGO_HOME/registry/lock" && echo x > "$CARGO_HOME/registry/index" && cat "$CARGO_HOME/registry/index"';
  if (isKept(home)) expect(await once(house, write_)).toMatchObject({ how: "passed", tail: "x" });
  else await once(house, write_);
  expect(everything(home)).toEqual({ ".cargo/registry/index": `- ${Buffer.from("kept").toString("base64")}` });
});

test("a command has no more rights than the person, and can open a terminal", async () => {
  const house = await makeHouse("mounts", { files: { "a.txt": "1" } });
  const { tail } = await once(
    house,
    "id -u; stat -c %u a.txt; grep CapEff /proc/self/status; echo ok > /dev/null && echo written; ls /dev | grep -c '^[hsv]d[a-z]'",
  );
  const [uid, owner, rights, written, disks] = tail.split("\n");
  expect([Number(uid), Number(owner)]).toEqual([process.getuid?.(), process.getuid?.()]);
  // No system administration, tracing or devices.
  expect(Number.parseInt(rights?.split("\t")[1] ?? "", 16) & ((1 << 21) | (1 << 19) | (1 << 27))).toBe(0);
  expect(written).toBe("written");
  if (process.getuid?.() === 0) expect(disks).toBe("0");
});

test("a command has shared memory and message queues of its own", async ({ skip }) => {
  const made = spawnSync("ipcmk", ["--shmem", "64"], { encoding: "utf8" });
  const id = /\d+$/.exec(made.stdout?.trim() ?? "")?.[0];
  if (made.status !== 0 || id === undefined) return skip("ipcmk cannot make shared memory here");
  try {
    const house = await makeHouse("mounts", { files: { "a.txt": "1" } });
    const look = "readlink /proc/self/ns/ipc; ipcs --shmems --human | grep -c ' 64B '; ls -A /dev/mqueue 2>/dev/null";
    const [namespace, ...seen] = (await once(house, look)).tail.split("\n");
    expect(namespace).not.toBe(fs.readlinkSync("/proc/self/ns/ipc"));
    expect(seen).toEqual(["0"]);
  } finally {
    spawnSync("ipcrm", ["--shmem-id", id]);
  }
});

test("a command reaches no keys of the kernel's", async ({ skip }) => {
  const calls = keyCalls[process.arch === "arm64" ? "arm64" : "x64"];
  const bubblewrap = spawnSync("bwrap", ["--version"]).status === 0;
  const perl = spawnSync("perl", ["-e", `exit(syscall(${calls[2]}, 0, -3, 1) < 0 ? 1 : 0)`]);
  if (!bubblewrap || perl.status !== 0) return skip("this machine has no bubblewrap, no perl, or no keys");
  const house = await makeHouse("mounts", { files: { "a.txt": "1" } });
  const look = calls.map((call) => `syscall(${call}, 0, -3, 1); print $!{ENOSYS} ? "no" : "yes", "\\n";`).join(" ");
  expect((await once(house, `perl -MErrno -e '${look}'; id -u; id -g; pwd; umask`)).tail).toBe(
    ["no", "no", "no", process.getuid?.(), process.getgid?.(), house.root, "0022"].join("\n"),
  );
});

test("a room that cannot be entered is a machine problem, not a red check", async () => {
  const house = await makeHouse("mounts", { files: { "a.txt": "1" } });
  const room = await openRoom(house);
  fs.rmSync(join(room.out.outside, "..", "upper"), { recursive: true });
  await expect(run(house, room, "true")).rejects.toMatchObject({ name: "UserError" });
  await room.close();
});

const driver = fileURLToPath(new URL("../../../testing/ordinary-user.mjs", import.meta.url));

test("an ordinary user has mounts too", { timeout: 240_000 }, ({ skip }) => {
  if (process.getuid?.() !== 0) skip("This test becomes somebody else, which only the administrator may.");
  const tmp = fs.mkdtempSync("/tmp/loop-user-");
  fs.chownSync(tmp, 65534, 65534);
  fs.chmodSync(dirname(compiled()), 0o755);
  try {
    const as = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath, driver, compiled()];
    const ran = spawnSync("setpriv", as, {
      encoding: "utf8",
      cwd: "/",
      env: { PATH: process.env["PATH"], TMPDIR: tmp },
    });
    expect(ran.stderr).toBe("");
    expect(JSON.parse(ran.stdout)).toEqual({
      kind: "mounts",
      first: "65534\na2 left1\ngone",
      second: "a1 left1",
      left: { files: ["added.txt"], ignored: [] },
      outside: [],
    });
  } finally {
    fs.rmSync(tmp, { recursive: true, force: true });
  }
});
