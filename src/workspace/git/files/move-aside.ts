// Moves a file or folder out of the way, also to another disk, without following links.
import * as fs from "node:fs";
import { dirname } from "node:path";
import { lstatIfExists } from "../../../host/disk.ts";
import { moveAcross } from "../../../host/move-across.ts";

export function moveAside(from: string, to: string): void {
  if (lstatIfExists(from) === undefined) return;
  fs.mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  fs.rmSync(to, { recursive: true, force: true }); // Left by an earlier attempt that stopped before the removal.
  moveAcross(Buffer.from(from), to);
}
