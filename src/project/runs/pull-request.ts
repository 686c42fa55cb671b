// A pull request, prepared: title, body with the proofs, and a script. The person looks at it and runs it; the loop
// itself never pushes.
import { chmodSync } from "node:fs";
import { pullRequestBody, pullRequestScript, pullRequestTitle } from "../../report/markdown/pull-request.ts";
import type { Overview } from "../../report/overview.ts";
import { headName } from "../../workspace/head-name.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { runDir, runFiles } from "./home.ts";

/** Returns the path of the script. */
export function writePullRequest(root: string, run: Overview): string {
  const files = runFiles(runDir(vaultDirFor(root), run.run));
  const [title, body, script] = ["title.txt", "body.md", "open.sh"].map((name) => `pull-request/${name}`);
  if (title === undefined || body === undefined || script === undefined) return "";
  files.write(title, `${pullRequestTitle(run)}\n`, "derived");
  files.write(body, pullRequestBody(run), "derived");
  const paths = { root, title: files.path(title), body: files.path(body) };
  files.write(script, pullRequestScript(run, headName(root), paths), "derived");
  chmodSync(files.path(script), 0o700);
  return files.path(script);
}
