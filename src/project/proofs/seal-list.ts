// What a run that began now could and could not change, and why. Uses a separate vault, so that a run in progress is
// not disturbed.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../formats/config/settings.ts";
import { classify, describeSplit, type Split } from "../../proof/classify/index.ts";
import { loadTree } from "../../proof/trees.ts";
import type { View } from "../../proof/view.ts";
import { notWork } from "../../runtime/records/paths.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { loadSettings } from "../config/settings.ts";

export type SealList = Split & { readonly released: readonly string[] };

export async function listSeal(root: string): Promise<SealList> {
  const settings = loadSettings(root, {}, true);
  const vaultDir = fs.mkdtempSync(join(tmpdir(), "loop-seal-"));
  try {
    const kind = fs.existsSync(join(root, ".git")) ? "git" : "plain";
    const workspace = await openWorkspace({ root, vaultDir, kind });
    const tree = await loadTree(workspace, await workspace.tree());
    return { ...splitOf(tree, settings), released: settings.scope.mayChange };
  } finally {
    fs.rmSync(vaultDir, { recursive: true, force: true });
  }
}

/** Detected checks name no tests, so only configured ones count. */
export function splitOf(tree: View, { proof, checks, recordsDir }: Settings): Split {
  const ours = notWork(recordsDir);
  const classes = classify(tree, {
    product: proof.product,
    tests: (checks ?? []).flatMap(({ tests }) => tests),
    ours: (path) => ours.has(path),
  });
  return describeSplit(classes, tree);
}
