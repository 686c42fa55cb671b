// A way to tell a person something.
import type { Notice } from "../report/notices.ts";

/** Contract: `send` rejects if the message did not get through, and settles when the signal aborts. */
export interface Channel {
  /** Its key in loop.yaml, under `notify`. */
  readonly name: string;
  send(message: Message, signal: AbortSignal): Promise<void>;
}

export type Message = Pick<Notice, "kind" | "title" | "text" | "next"> & {
  /** The workspace's folder name. */
  readonly project: string;
  readonly run: string;
  readonly buttons: readonly Button[];
};
/** Posting `body` to `url` is the answer. */
export type Button = { readonly label: string; readonly url: string; readonly body: string };

export const headline = ({ project, title }: Message): string => `${project}: ${title}`;
export const body = ({ text, next }: Message): string => (next === "" ? text : `${text}\nNext: ${next}`);
