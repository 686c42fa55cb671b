// The state that sealed files are laid back to: how the run found them, or how a person left them since.
import { Bug } from "../../core/errors.ts";
import { type TreeId, treeId } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import type { RunFiles } from "../ports.ts";
import { hasRecord } from "./counting.ts";

const place = "seal-origin.json";

/**
 * A head that the loop has never checked is somebody else's commit. What a person did to a test is meant: from then on
 * their version is the sealed one.
 */
export function sealOrigin(run: Run, files: RunFiles): TreeId {
  if (run.origin === null || run.head === null) throw new Bug("a run proves nothing before it was prepared");
  if (!hasRecord(files, run.head.tree)) files.write(place, `${JSON.stringify({ tree: run.head.tree })}\n`);
  const text = files.read(place);
  return text === null ? run.origin.tree : treeId((JSON.parse(text) as { tree: string }).tree);
}
