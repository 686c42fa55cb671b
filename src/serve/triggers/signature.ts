// Whether a body is signed with the secret.
import { createHmac, timingSafeEqual } from "node:crypto";

/** A shorter secret could be guessed. */
export const secretMin = 32;

/** `header`: as GitHub sends it, `sha256=` and 64 hex digits, over the bytes as they came. */
export function isSigned(body: Buffer, header: string | undefined, secret: string): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(header ?? "")?.[1];
  const given = Buffer.from(hex ?? "", "hex");
  const wanted = Buffer.from(signatureOf(body, secret), "hex");
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** In hex digits. */
export const signatureOf = (text: Buffer | string, secret: string): string =>
  createHmac("sha256", secret).update(text).digest("hex");
