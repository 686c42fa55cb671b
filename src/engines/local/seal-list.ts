// What would be sealed if a run began now, and why. Looks through a vault of its own: a run that is under way is not disturbed.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSeal } from "../../runtime/proof/seal.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { detectChecks } from "./detect.ts";
import { loadSettings } from "./settings.ts";

export type SealedFile = { readonly path: string; readonly why: string };
export type SealList = { readonly sealed: readonly SealedFile[]; readonly released: readonly string[] };

export async function listSeal(root: string): Promise<SealList> {
  const settings = loadSettings(root, {}, true);
  const checks = (settings.checks ?? detectChecks(root)).map(({ timeoutS, ...check }) => ({
    ...check,
    timeoutMs: timeoutS * 1000,
  }));
  const scope = { mayTouch: [], mustNot: [], mayChange: settings.scope.mayChange, include: null, exclude: [] };
  const vaultDir = fs.mkdtempSync(join(tmpdir(), "loop-seal-"));
  try {
    const kind = fs.existsSync(join(root, ".git")) ? "git" : "plain";
    const workspace = await openWorkspace({ root, vaultDir, kind });
    const tree = await workspace.tree();
    const paths = await workspace.list(tree);
    const rule = await openSeal(workspace, { checks, scope }, tree);
    const sealed = paths.flatMap((path) => {
      const why = rule.reason(path);
      return why === null ? [] : [{ path, why }];
    });
    return { sealed, released: paths.filter((path) => rule.isReleased(path)) };
  } finally {
    fs.rmSync(vaultDir, { recursive: true, force: true });
  }
}
