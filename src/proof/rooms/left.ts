// How much is said of what a run left in its tree.

/** More is not read by anyone. */
export const leftMax = 100;
