// Rewrites installed files that name the workspace's path to name the room's, since nothing is mounted over that path.
import * as fs from "node:fs";
import { join } from "node:path";
import { moved } from "../links.ts";

export type Move = { readonly from: string; readonly to: string };

const bytesMax = 256 << 10;
/** Where installers write absolute paths as text: programs of an environment, and pointers to editable installs. */
const candidates =
  /(?:^|\/)bin\/[^/]+$|(?:^|\/)pyvenv\.cfg$|\.(?:pth|egg-link)$|(?:^|\/)__editable__[^/]*$|(?:^|\/)direct_url\.json$/;

/** Rewrites one copied entry. Returns a note when it still leads back to the workspace. */
export function relocate(dir: string, path: string, move: Move): string | null {
  const at = join(dir, path);
  const stat = fs.lstatSync(at);
  if (stat.isSymbolicLink()) return relocateLink(at, path, move);
  if (!stat.isFile() || stat.size > bytesMax || !candidates.test(path)) return null;
  const text = fs.readFileSync(at);
  if (!text.includes(move.from)) return null;
  if (text.includes(0)) {
    fs.rmSync(at);
    return `${path} is missing in clean checkouts: it names the workspace, and is no text that could be rewritten.`;
  }
  const escaped = move.from.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const rewritten = text.toString("utf8").replaceAll(new RegExp(`${escaped}(?![\\w.-])`, "g"), () => move.to);
  fs.writeFileSync(at, rewritten);
  fs.utimesSync(at, stat.atime, stat.mtime);
  return null;
}

function relocateLink(at: string, path: string, move: Move): string | null {
  const target = fs.readlinkSync(at);
  if (!target.startsWith("/")) return null;
  const to = moved(target, move.from, move.to);
  if (to === null) {
    if (!target.startsWith(`${move.from}/`)) return null;
    fs.rmSync(at);
    return `${path} is missing in clean checkouts: it leads back to the workspace.`;
  }
  fs.rmSync(at);
  fs.symlinkSync(to, at);
  return null;
}
