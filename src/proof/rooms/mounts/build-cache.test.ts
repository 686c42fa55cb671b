// A cache of the base's build is used where nothing changed, and never stands in for a changed file.
import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { afterAll, expect, test } from "vitest";
import { makeHouse, once, treeWith } from "../../../testing/rooms-rig.ts";
import { removeTemporaryFolders } from "../../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);
const hasCargo = spawnSync("cargo", ["--version"]).status === 0;

test("cargo compiles only what differs from the base", { timeout: 240_000 }, async ({ skip }) => {
  if (!hasCargo) skip("cargo is not installed.");
  const house = await makeHouse("mounts", {
    files: {
      ".gitignore": "/target\n",
      "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
      "a/Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
      "a/src/lib.rs": "pub fn value() -> u32 { 1 }\n",
      "b/Cargo.toml":
        '[package]\nname = "b"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\na = { path = "../a" }\n',
      "b/src/main.rs": 'fn main() { println!("value {}", a::value()); }\n',
    },
    rooms: { home: homedir() },
  });
  const command = "cargo run --offline --quiet -p b; cargo run --offline -p b 2>&1 | grep -c Compiling";
  const compiling = "cargo run --offline -p b 2>&1 | grep -e Compiling -e value";
  expect((await once(house, compiling)).tail).toMatch(/Compiling a[\s\S]*Compiling b[\s\S]*value 1/);
  expect((await once(house, compiling)).tail).toBe("value 1");
  const changed = await treeWith(house, { "b/src/main.rs": 'fn main() { println!("value {}", a::value() + 1); }\n' });
  const { tail } = await once(house, compiling, { tree: changed });
  expect(tail).toMatch(/Compiling b[\s\S]*value 2/);
  expect(tail).not.toContain("Compiling a");
  const broken = await treeWith(house, { "a/src/lib.rs": "pub fn value() -> u32 { broken }\n" });
  expect((await once(house, "cargo build --offline 2>&1", { tree: broken })).how).toBe("failed");
  expect((await once(house, command)).tail).toBe("value 1\n0");
});
