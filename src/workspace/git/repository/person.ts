// The current person, by the name that git knows, or by their login.
import { tmpdir, userInfo } from "node:os";
import { GitFailed, makeGit } from "../git.ts";
import { locate } from "./repo.ts";
import { readSettings } from "./settings.ts";

/** `Pat Person <pat@example.org>`, on one line: used in a trailer. */
export async function personHere(root: string): Promise<string> {
  const name = (await identity(root)) ?? userInfo().username;
  return name.replace(/[\s\u0000-\u001f\u007f]+/g, " ").trim() || "unknown";
}

async function identity(root: string): Promise<string | null> {
  try {
    const { identity: known } = await readSettings(makeGit(tmpdir()), root, locate(root));
    return known === null ? null : `${known.name} <${known.email}>`;
  } catch (error) {
    if (error instanceof GitFailed) return null;
    throw error;
  }
}
