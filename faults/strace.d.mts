// The types of the strace functions that the tests use.
export function straceMissing(): string | null;
