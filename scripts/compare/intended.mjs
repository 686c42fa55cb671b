// Intended differences between builds: which fact of which scenario, and why. Emptied with every release.

/** @type {readonly { scenario: string, fact: string, reason: string }[]} */
export const intended = [];
