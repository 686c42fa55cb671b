// An agent's own files inside walls: a folder per workspace, apart from the person's. The person's settings and login are
// copied in before each session; only refreshed tokens go back. So an agent cannot plant a hook for the person's next
// session, nor for its own next one.
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureDir, readIfExists, writeAtomic } from "../../host/disk.ts";
import { readWhole } from "../../host/process/follow.ts";
import type { HostEnv } from "../cli/cli-env.ts";
import { type Json, object, objectIn } from "../cli/json.ts";

export type PrivateState = {
  /** The variable that tells the agent where its folder is. */
  readonly variable: string;
  /** Where the person's own is. */
  persons(env: HostEnv): string;
  /** What stays from session to session: conversations. Everything else is removed. */
  readonly keeps: readonly string[];
  /** Files of the person's that come in. */
  readonly copies: readonly string[];
  readonly login: {
    readonly file: string;
    /** The values that a refresh changes, as paths into the file. */
    readonly tokens: readonly (readonly string[])[];
  };
};

/** The person's own files of it that an agent reads. */
export function personsFiles({ persons, copies, login }: PrivateState, env: HostEnv): string[] {
  return [...copies, login.file].map((name) => join(persons(env), name));
}

const fileBytesMax = 1 << 20;

/** Prepares the folder. Returns what to do once the session is over. */
export function furnish(state: PrivateState, dir: string, env: HostEnv): () => void {
  const from = state.persons(env);
  const { file } = state.login;
  const login = { persons: join(from, file), own: join(dir, file), given: `${dir}.login` };
  ensureDir(dir);
  // A process that was killed could not return what it had refreshed, and the old tokens no longer work.
  returnTokens(state, login);
  for (const name of readdirSync(dir).filter((each) => !state.keeps.includes(each)))
    rmSync(join(dir, name), { recursive: true, force: true });
  for (const name of state.keeps) dropUnlessFolder(join(dir, name));
  for (const name of state.copies) copy(join(from, name), join(dir, name));
  const given = copy(login.persons, login.own);
  if (given !== null) writeAtomic(login.given, given);
  return () => returnTokens(state, login);
}

/** Where the person's login is, the agent's copy, and what the copy was made of, which the agent cannot reach. */
type Login = { readonly persons: string; readonly own: string; readonly given: string };

function returnTokens({ login: { tokens } }: PrivateState, { persons, own, given: kept }: Login): void {
  const given = readIfExists(kept);
  if (given === null) return;
  const now = readWhole(own, fileBytesMax);
  const refreshed = now === null || now === given ? null : withTokens(given, now, tokens);
  // The person may have logged in again meanwhile: theirs is newer.
  if (refreshed !== null && refreshed !== given && readIfExists(persons) === given) writeAtomic(persons, refreshed);
  rmSync(kept, { force: true });
}

/** A link in its place would lead our own reading elsewhere. */
function dropUnlessFolder(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isDirectory()) rmSync(path, { force: true });
}

function copy(from: string, to: string): string | null {
  const text = readIfExists(from);
  if (text !== null) writeAtomic(to, text, { durable: false });
  return text;
}

/** The person's file with the new tokens, and nothing else of the agent's; null if it is not a login any more. */
function withTokens(given: string, now: string, tokens: PrivateState["login"]["tokens"]): string | null {
  const [before, after] = [objectIn(given), objectIn(now)];
  if (before === null || after === null) return null;
  return JSON.stringify(tokens.reduce<Json>((file, path) => withValue(file, path, valueAt(after, path)), before));
}

function valueAt(file: Json, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => object(value)[key], file);
}

function withValue(file: Json, [key = "", ...rest]: readonly string[], value: unknown): Json {
  const isToken = (typeof value === "string" && value.length < 20_000) || typeof value === "number";
  if (!isToken || !Object.hasOwn(file, key)) return file;
  return { ...file, [key]: rest.length === 0 ? value : withValue(object(file[key]), rest, value) };
}
