// What the tests use of strace.
export function straceMissing(): string | null;
