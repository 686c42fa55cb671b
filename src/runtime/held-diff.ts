// The diff of held work: a hint for the next builder, and for people who have no git at hand.
export const heldDiff = (feature: string): string => `held/${feature}.diff`;
