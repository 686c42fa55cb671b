// Why a workspace, or a part of it, cannot be read, for people. The others are shown regardless.
import { machineTrouble, UserError } from "../core/errors.ts";

export function problemOf(error: unknown): string {
  if (error instanceof UserError) return `${error.what} ${error.why}`;
  return machineTrouble(error)?.why ?? `It cannot be read. (${error instanceof Error ? error.message : String(error)})`;
}
