// The loop's own words for a run without a request: its request is the file.

export const queueRequest = (path: string): string => `Complete the features in ${path}.`;

/** A path may have spaces. */
export const isQueueRequest = (request: string): boolean => /^Complete the features in [^\n]+\.$/.test(request);
