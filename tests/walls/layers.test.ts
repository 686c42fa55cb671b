// Layers over folders that a confined process changes only for itself.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bubblewrap, type Layering } from "../../src/host/confine/bubblewrap.ts";
import { tryLayers } from "../../src/host/confine/layer-trial.ts";
import { prepareLayer } from "../../src/host/confine/layers.ts";
import { output } from "../../src/host/confine/trial.ts";
import { baseEnv } from "../../src/host/process/environment.ts";
import { walls } from "./rig.ts";

let dir = "";
beforeEach(() => {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-layers-")));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const program = walls.works ? walls.program : "";
const trial = walls.works ? await tryLayers(program, tmpdir(), fs.mkdtempSync(join(tmpdir(), "loop-store-"))) : null;

/** Runs a shell command in a workspace whose `modules` has a layer. */
async function inside(command: string, layering: Layering = "around", name = "modules"): Promise<string> {
  const [root, store] = [join(dir, "root"), join(dir, "store")];
  const layer = prepareLayer(store, "a", join(root, name));
  const { file, args, env, feeds } = bubblewrap(program, layering).confine(
    { file: "/bin/sh", args: ["-c", command], cwd: root, env: baseEnv() },
    { writes: [root], reads: [], hides: [], layers: { store, folders: [layer] }, network: "none" },
  );
  return output(file, args, env, feeds);
}

function workspace(name = "modules"): string {
  const at = join(dir, "root", name);
  fs.mkdirSync(join(at, "deep"), { recursive: true });
  fs.writeFileSync(join(at, "one"), "1");
  fs.writeFileSync(join(at, "deep", "two"), "2");
  return at;
}

const content = (at: string): string[] =>
  fs
    .readdirSync(at, { recursive: true, encoding: "utf8" })
    .filter((path) => fs.statSync(join(at, path)).isFile())
    .map((path) => `${path}=${fs.readFileSync(join(at, path), "utf8")}`)
    .sort();

describe.skipIf(trial?.works !== true)("a folder with a layer", () => {
  test("is changed for the process, and stays as it is", async () => {
    const at = workspace();
    const said = await inside("rm -rf modules/*; echo 3 > modules/three; ls modules; touch work");
    expect(said).toBe("three\n");
    expect(content(at)).toEqual(["deep/two=2", "one=1"]);
    expect(fs.existsSync(join(dir, "root", "work"))).toBe(true);
  });

  test("shows what was written before to the next process", async () => {
    const at = workspace();
    await inside("echo 3 > modules/three; rm modules/one");
    expect(await inside("cat modules/three; ls modules")).toBe("3\ndeep\nthree\n");
    expect(content(at)).toEqual(["deep/two=2", "one=1"]);
  });

  test("can have a name with characters that mean something to mount and to a shell", async () => {
    const name = "a b,c:d'e\\f";
    const at = workspace(name);
    expect(await inside("rm ./*/one && echo gone", "around", name)).toBe("gone\n");
    expect(content(at)).toEqual(["deep/two=2", "one=1"]);
  });

  test("is owned by the person inside, too", async () => {
    workspace();
    const said = await inside("stat -c %u:%g . modules/one; id -u; touch modules/new; stat -c %u modules/new");
    const [uid, gid] = [process.getuid?.(), process.getgid?.()];
    expect(said).toBe(`${uid}:${gid}\n${uid}:${gid}\n${uid}\n${uid}\n`);
  });

  test("has the walls around it: no capabilities, no namespaces, no mounts", async () => {
    workspace();
    const said = await inside(
      "grep CapEff /proc/self/status; unshare -Ur true 2>/dev/null && echo namespace; umount modules 2>/dev/null && echo uncovered; :",
    );
    expect(said).toBe("CapEff:\t0000000000000000\n");
  });
});

test.skipIf(!walls.works)("where no program can lay layers, the trial says why", async () => {
  const bin = join(dir, "bwrap");
  fs.writeFileSync(bin, "#!/bin/sh\necho 'bwrap: no overlays here' >&2\nexit 1\n", { mode: 0o755 });
  fs.mkdirSync(join(dir, "root"));
  expect(await tryLayers(bin, join(dir, "root"), join(dir, "store"))).toEqual({
    works: false,
    why: "bwrap: no overlays here",
  });
  expect(fs.readdirSync(join(dir, "store"))).toEqual([]);
});
