// Which programs of a repository's own configuration a person has agreed to: kept in the vault, by content.
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { parseLoopYaml } from "../../formats/config/loop-yaml.ts";
import { type Named, namedPrograms } from "../../formats/config/named-programs.ts";
import { trustFile } from "../../formats/kept/vault-files.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import { ensureDir, readIfExists, writeAtomic } from "../../host/disk.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { type Reader, readConfiguration, readOnce } from "./read-once.ts";

const keptMax = 100;
const placeOf = (root: string): string => join(vaultDirFor(root), "trust.json");
const hashOf = (named: readonly Named[]): string => sha256(JSON.stringify(named.map(({ key, value }) => [key, value])));

/** What a repository's configuration names, and the name of that file. */
export type Unagreed = { readonly file: string; readonly named: readonly Named[] };

/**
 * What the repository names and the person has not agreed to; null: nothing is in the way. Throws for a bad file.
 * `disk`: what was read already, so that the texts that are agreed to are those that the run is planned from.
 */
export function untrusted(root: string, disk: Reader = readOnce(root)): Unagreed | null {
  const { file, named } = namedIn(root, disk);
  return named.length === 0 || agreedIn(root).includes(hashOf(named)) ? null : { file, named };
}

/** The person agrees to what the configuration names now. */
export function trust(root: string, disk: Reader = readOnce(root)): void {
  const { named } = namedIn(root, disk);
  const agreed = agreedIn(root);
  if (named.length === 0 || agreed.includes(hashOf(named))) return;
  ensureDir(vaultDirFor(root));
  const kept = { version: 1, agreed: [...agreed, hashOf(named)].slice(-keptMax) };
  writeAtomic(placeOf(root), `${JSON.stringify(kept, null, 2)}\n`);
}

/** For callers that cannot ask. `agreed`: the person said so beforehand. */
export function requireTrust(root: string, agreed: boolean, disk: Reader = readOnce(root)): void {
  if (agreed) trust(root, disk);
  const unagreed = untrusted(root, disk);
  if (unagreed !== null) throw notTrusted(root, unagreed);
}

export const notTrusted = (root: string, { file, named }: Unagreed): UserError =>
  new UserError("not-trusted", {
    what: "Nothing was started.",
    why: [`${join(root, file)} names what you have not agreed to yet:`, ...namedLines(named)].join("\n"),
    next: "Read it. If you agree, once: loop doctor --trust, or any other command with --trust; from code, trust: true.",
  });

const shownMax = 40;

export const namedLines = (named: readonly Named[]): string[] => {
  const width = Math.min(32, Math.max(...named.map(({ key }) => key.length)));
  const lines = named.slice(0, shownMax).map(({ key, value }) => `  ${key.padEnd(width)}  ${value}`);
  return named.length > shownMax ? [...lines, `  and ${named.length - shownMax} more`] : lines;
};

function namedIn(root: string, disk: Reader): Unagreed {
  const found = readConfiguration(root, disk);
  if (found === null) return { file: "loop.yaml", named: [] };
  return { file: found.name, named: namedPrograms(parseLoopYaml(found.text, found.name)) };
}

/** A record that cannot be read is no agreement. */
function agreedIn(root: string): readonly string[] {
  const kept = readIfExists(placeOf(root));
  return kept === null ? [] : (trustFile.parseIfPossible(kept)?.agreed ?? []);
}
