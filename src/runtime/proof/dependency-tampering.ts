// An agent can edit what the checks are run by, where it is installed: no tree shows that. A fingerprint does.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import type { Cause } from "../../core/run.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { RunFiles } from "../ports.ts";
import { isManifest } from "./dependencies.ts";
import { altered, type Fingerprint } from "./installed.ts";
import { simpleCommands } from "./named-files.ts";
import { sha256 } from "./proof-file.ts";
import type { Proving } from "./proving.ts";

/** Every word of the checks' commands, and of the package scripts behind them: some of these are programs. */
export async function programWords(
  workspace: Pick<Workspace, "read">,
  checks: readonly CheckSpec[],
  origin: TreeId,
): Promise<string[]> {
  const commands = checks.flatMap(({ run, setup }) => [run, setup ?? ""]);
  const manifest = (await workspace.read(origin, "package.json"))?.toString() ?? "";
  const viaScript = commands.some((command) => /\b(?:npm|pnpm|yarn|bun)\b/.test(command));
  const lines = [...commands, ...(viaScript ? scriptsIn(manifest) : [])];
  return [...new Set(lines.flatMap((line) => simpleCommands(line, "").flatMap(({ words }) => words)))];
}

function scriptsIn(manifest: string): string[] {
  try {
    const { scripts = {} } = JSON.parse(manifest) as { scripts?: Record<string, unknown> };
    return Object.values(scripts).filter((line) => typeof line === "string");
  } catch {
    return [];
  }
}

const place = (name: string): string => `installed/${name}.json`;

/** Kept once, however many trees were checked with it. */
export function keepInstalled(files: RunFiles, found: Fingerprint): string {
  const text = JSON.stringify(found);
  const name = sha256(text);
  if (files.read(place(name)) === null) files.write(place(name), text);
  return name;
}

/** Null: nobody has looked, so that there is nothing to compare with. */
export function readInstalled(files: RunFiles, name: string | undefined): Fingerprint | null {
  const text = name === undefined ? null : files.read(place(name));
  return text === null ? null : (JSON.parse(text) as Fingerprint);
}

/** A manifest or a lockfile that changed is a reason to install something else; the scope says who may change those. */
export function installedCauses(
  { changes, rule }: Pick<Proving, "changes" | "rule">,
  before: Fingerprint | null,
  now: Fingerprint,
): Cause[] {
  const paths = before === null ? [] : altered(before, now);
  if (paths.length === 0 || changes.some(({ path }) => isManifest(path) || rule.isLockfile(path))) return [];
  const named = `${paths.slice(0, 5).join(", ")}${paths.length > 5 ? `, and ${paths.length - 5} more` : ""}`;
  const text = `Dependency tampering: what the checks are run by was changed where it is installed, and no manifest asked for that: ${named}\nIgnored files are never rolled back. Install the dependencies anew (npm ci, say), then: loop continue`;
  return [{ kind: "tampering", key: `dependency-tampering:${paths.join(",").slice(0, 200)}`, text }];
}
