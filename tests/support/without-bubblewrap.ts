// A PATH without bubblewrap, for real agents without walls: codex-acp cannot start its own sandbox where
// bubblewrap is on PATH.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const name = "bwrap";
let made: string | null = null;

export function pathWithoutBubblewrap(path = process.env["PATH"] ?? "/usr/bin:/bin"): string {
  made ??= path.split(":").map(without).join(":");
  return made;
}

/** A folder of links to everything else in it. */
function without(folder: string): string {
  if (!fs.existsSync(join(folder, name))) return folder;
  const links = fs.mkdtempSync(join(tmpdir(), "loop-path-"));
  process.on("exit", () => fs.rmSync(links, { recursive: true, force: true }));
  for (const entry of fs.readdirSync(folder))
    if (entry !== name) fs.symlinkSync(join(folder, entry), join(links, entry));
  return links;
}
