// The message of a commit by the loop, and how such a commit is recognized later.
import type { CommitOrder } from "../../workspace.ts";

/** Subject, body, and trailers in git's format, so that `git interpret-trailers` can parse them. */
export function messageOf({
  subject,
  body,
  trailers,
}: Pick<CommitOrder, "subject" | "body" | "trailers"> & Partial<CommitOrder>): string {
  const lines = Object.entries(trailers).map(([name, value]) => `${name}: ${oneLine(value)}`);
  const parts = [oneLine(subject), body.trim(), lines.join("\n")].filter((part) => part !== "");
  return `${parts.join("\n\n")}\n`;
}

/** Whether a message ends with all of these trailers. False without trailers: commits could not be told apart. */
export function hasTrailers(message: string, trailers: CommitOrder["trailers"]): boolean {
  const last = message.trimEnd().split("\n\n").at(-1)?.split("\n") ?? [];
  const asked = Object.entries(trailers);
  return asked.length > 0 && asked.every(([name, value]) => last.includes(`${name}: ${oneLine(value)}`));
}

const oneLine = (text: string): string => text.replace(/[\s\0]+/g, " ").trim();
