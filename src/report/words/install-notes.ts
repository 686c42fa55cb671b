// What a person installs once the run's commits are in their folder.
import type { Overview } from "../overview.ts";

/** Each once: a commit that is retried after a crash is noted again. */
export const installNotes = ({ notes }: Pick<Overview, "notes">): string[] => [
  ...new Set(notes.filter(({ about }) => about === "dependencies").map(({ text }) => text)),
];
