// An agent's own files inside walls: a folder per workspace, apart from the person's. The person's settings and login are
// copied in before each session; only refreshed tokens go back. So an agent cannot plant a hook for the person's next
// session, nor for its own next one.
//
// Nothing in a file proves that tokens are a refresh of the same login, so they go back only when a refresh was due: the
// tokens that the session was given have expired, by the person's own file. The file that they replace is kept.
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
    /** The values that say whose login it is, and for what. */
    readonly account: readonly (readonly string[])[];
    /** When its tokens expire, in ms; null if it does not say. */
    expiresAt(file: Json): number | null;
  };
};

/** The person's own files of it that an agent reads. */
export function personsFiles({ persons, copies, login }: PrivateState, env: HostEnv): string[] {
  return [...copies, login.file].map((name) => join(persons(env), name));
}

const fileBytesMax = 1 << 20;

/** Agents refresh a token some minutes before it expires. */
const earlyMs = 10 * 60_000;
const replacedMax = 5;

/** Prepares the folder. Returns what to do once the session is over, which says what became of the login. */
export function furnish(state: PrivateState, dir: string, env: HostEnv): () => string[] {
  const from = state.persons(env);
  const { file } = state.login;
  const login = { persons: join(from, file), own: join(dir, file), given: `${dir}.login`, kept: `${dir}.logins` };
  ensureDir(dir);
  // A process that was killed could not return what it had refreshed, and the old tokens no longer work.
  const earlier = returnTokens(state, login);
  for (const name of readdirSync(dir).filter((each) => !state.keeps.includes(each)))
    rmSync(join(dir, name), { recursive: true, force: true });
  for (const name of state.keeps) dropUnlessFolder(join(dir, name));
  for (const name of state.copies) copy(join(from, name), join(dir, name));
  const given = copy(login.persons, login.own);
  if (given !== null) writeAtomic(login.given, given);
  return () => [...earlier, ...returnTokens(state, login)];
}

/**
 * Where the person's login is, the agent's copy, what the copy was made of, and where logins are kept. The agent can reach
 * its copy alone.
 */
type Login = { readonly persons: string; readonly own: string; readonly given: string; readonly kept: string };

function returnTokens({ login }: PrivateState, { persons, own, given: record, kept }: Login): string[] {
  const given = readIfExists(record);
  if (given === null) return [];
  const now = readWhole(own, fileBytesMax);
  const said = now === null || now === given ? [] : takeBack(login, { persons, kept }, given, now);
  rmSync(record, { force: true });
  return said;
}

function takeBack(
  login: PrivateState["login"],
  { persons, kept }: Pick<Login, "persons" | "kept">,
  given: string,
  now: string,
): string[] {
  const refreshed = withTokens(given, now, login);
  // The same tokens; or the person has logged in again meanwhile, and theirs is newer.
  if (refreshed === JSON.stringify(objectIn(given)) || readIfExists(persons) !== given) return [];
  ensureDir(kept);
  const expiresAt = login.expiresAt(objectIn(given) ?? {});
  if (refreshed === null || expiresAt === null || Date.now() < expiresAt - earlyMs) {
    const at = join(kept, "refused");
    writeAtomic(at, now);
    return [
      `A session left another login than yours, which is kept in ${at}. Yours was not changed: no refresh was due, or it is not the same account (${persons})`,
    ];
  }
  const at = join(kept, `replaced-${Date.now()}`);
  writeAtomic(at, given);
  writeAtomic(persons, refreshed);
  const replaced = readdirSync(kept).filter((name) => name.startsWith("replaced-"));
  for (const name of replaced.sort().slice(0, -replacedMax)) rmSync(join(kept, name), { force: true });
  return [
    `A session refreshed your login, whose tokens had expired. The file of before is ${at}; put it back if ${persons} is not your account any more`,
  ];
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

/** The person's file with the new tokens, and nothing else of the agent's; null if it is not this login any more. */
function withTokens(given: string, now: string, { tokens, account }: PrivateState["login"]): string | null {
  const [before, after] = [objectIn(given), objectIn(now)];
  if (before === null || after === null) return null;
  const isSame = (path: readonly string[]): boolean =>
    JSON.stringify(valueAt(before, path) ?? null) === JSON.stringify(valueAt(after, path) ?? null);
  const there = tokens.filter((path) => valueAt(before, path) !== undefined);
  if (!account.every(isSame) || !there.every((path) => isLike(valueAt(before, path), valueAt(after, path))))
    return null;
  return JSON.stringify(there.reduce<Json>((file, path) => withValue(file, path, valueAt(after, path)), before));
}

const isLike = (before: unknown, after: unknown): boolean =>
  typeof after === typeof before && ((typeof after === "string" && after.length < 20_000) || typeof after === "number");

function valueAt(file: Json, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => object(value)[key], file);
}

function withValue(file: Json, [key = "", ...rest]: readonly string[], value: unknown): Json {
  return { ...file, [key]: rest.length === 0 ? value : withValue(object(file[key]), rest, value) };
}
