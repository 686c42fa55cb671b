// The id of a new run. It begins with the time, so that names sort by age.
import { randomBytes } from "node:crypto";

export function newRunId(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 19);
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}
