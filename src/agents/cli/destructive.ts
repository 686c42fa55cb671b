// The words with which a session is refused a command; `refusals.mjs` says which ones.

/** By the name that `refusals.mjs` has for each. */
export const whyRefused = {
  pushed: "Pushing is left to the person who runs the loop.",
  rewritten: "History is not rewritten in a run.",
  amended: "A commit is not amended in a run: the loop makes the commits.",
  thrownAway: "Work is not thrown away in a run.",
  erased: "Disks and databases are not erased in a run.",
  branches: "Branches and tags are not deleted in a run.",
  published: "Nothing is published in a run.",
  /** The path follows. */
  outside: "Nothing outside the workspace is deleted or overwritten in a run: ",
} as const;

/** Agents do these out of habit, on their own work, which the loop keeps anyway. */
export const isMild = (why: string): boolean => why === whyRefused.amended || why === whyRefused.thrownAway;

/** Whether this message is ours. A person's own hooks refuse things too, and those are theirs to judge. */
export const isRefusal = (said: string): boolean =>
  said.startsWith(whyRefused.outside) || Object.values(whyRefused).some((why) => why === said);
