// New tests that pass in the company of others only.
import { listed, type Said } from "./said.ts";

export function saidOfDependent(tests: readonly string[]): Said {
  if (tests.length === 0) return {};
  const why = `These tests fail when only the new test files are run, and pass when all are: ${listed(tests)}. Another test file changes what they see, perhaps the function itself. Make the code pass them without it.`;
  return { missing: [why] };
}
