// Who may use the server. A token is a line in a file that only its owner can read; a browser gets a cookie made from it.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { statSync } from "node:fs";
import { UserError } from "../core/errors.ts";
import { readIfExists, writeAtomic } from "../host/disk.ts";

export type May = "read" | "write";
export type Token = { readonly may: May; readonly name: string; readonly secret: string };
/** Who sends a request, by the name of the token. */
export type Person = Pick<Token, "may" | "name">;

const line = /^(read|write) ([A-Za-z0-9][\w.-]{0,63}) ([A-Za-z0-9_-]{32,128})$/;
/** The token that is made with the file, for the person of this machine. */
export const ownerName = "owner";
const cookieMs = 30 * 24 * 3_600_000;

/** The tokens in the file. */
export function readTokens(path: string): readonly Token[] {
  const text = readIfExists(path);
  if (text === null) return [];
  refuseOpen(path);
  return text.split("\n").flatMap((each, at) => {
    if (each.trim() === "" || each.startsWith("#")) return [];
    const [, may, name, secret] = line.exec(each.trim()) ?? [];
    if ((may !== "read" && may !== "write") || name === undefined || secret === undefined)
      throw badTokens(
        path,
        `Line ${at + 1} is not "read NAME TOKEN" or "write NAME TOKEN", with 32 characters or more.`,
      );
    return [{ may, name, secret }];
  });
}

/** The owner's token; made if the file has none. A token that was made for another is theirs alone. */
export function ownToken(path: string): Token {
  const found = readTokens(path).find(({ name, may }) => name === ownerName && may === "write");
  return found ?? addToken(path, ownerName, "write");
}

/** Of a file that the person has written for a team: one that may write. */
export const givenToken = (path: string): Token =>
  readTokens(path).find(({ may }) => may === "write") ?? ownToken(path);

export function addToken(path: string, name: string, may: May): Token {
  const before = readTokens(path);
  const secret = randomBytes(32).toString("base64url");
  if (!line.test(`${may} ${name} ${secret}`)) throw badName(`${JSON.stringify(name)} is not a plain name.`);
  if (before.some((each) => each.name === name)) throw badName(`There is a token ${name} already.`);
  const text = readIfExists(path) ?? "# Who may use loop serve: read or write, a name, and the token.\n";
  writeAtomic(path, `${text.replace(/\n?$/, "\n")}${may} ${name} ${secret}\n`);
  return { may, name, secret };
}

const isSame = (a: string, b: string): boolean => {
  // Of equal length, and without a hint about where they differ.
  const [left, right] = [a, b].map((text) => createHmac("sha256", compareKey).update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
};
const compareKey = randomBytes(32);

export const byToken = (tokens: readonly Token[], given: string): Token | null =>
  tokens.find(({ secret }) => isSame(secret, given)) ?? null;

/** Names the token without revealing it, holds across restarts, and ends with the token. */
export function cookieFor({ name, secret }: Token, now: number): { readonly value: string; readonly maxAgeS: number } {
  const until = now + cookieMs;
  return { value: `${name}:${until}:${signature(secret, name, until)}`, maxAgeS: cookieMs / 1000 };
}

export function byCookie(tokens: readonly Token[], value: string, now: number): Token | null {
  const [, name = "", until = "", given = ""] = /^([\w.-]+):(\d{1,15}):([A-Za-z0-9_-]{43})$/.exec(value) ?? [];
  const token = tokens.find((each) => each.name === name);
  if (token === undefined || Number(until) <= now) return null;
  return isSame(signature(token.secret, name, Number(until)), given) ? token : null;
}

const signature = (secret: string, name: string, until: number): string =>
  createHmac("sha256", secret).update(`cookie\n${name}\n${until}`).digest("base64url");

function refuseOpen(path: string): void {
  const { mode, uid } = statSync(path);
  if ((mode & 0o077) !== 0) throw badTokens(path, "Others can read it.", `chmod 600 ${path}`);
  if (process.getuid !== undefined && uid !== process.getuid()) throw badTokens(path, "It belongs to another user.");
}

const badName = (why: string): UserError =>
  new UserError("bad-tokens", {
    what: "No token was made.",
    why,
    next: "loop serve --new-token NAME, with another name",
  });

const badTokens = (path: string, why: string, next = `Correct ${path}`): UserError =>
  new UserError("bad-tokens", { what: "The token file cannot be used.", why, next });
