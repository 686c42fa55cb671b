// How many of the files that a run left in its tree are listed.

/** People do not read more. */
export const leftMax = 100;
