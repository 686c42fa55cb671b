// Which seeds a test file plays.
// To replay one seed: SEED=123 npx vitest run tests/simulation. For more: SEEDS=10000 npx vitest run tests/simulation
const only = process.env["SEED"];
const count = Number(process.env["SEEDS"] ?? 1000);

export type Batch = { readonly first: number; readonly last: number };

/** Every other batch of seeds, so that two test files can share the work. */
export function batches(part: 0 | 1): Batch[] {
  if (only !== undefined) return part === 0 ? [{ first: Number(only), last: Number(only) }] : [];
  const size = Math.max(100, Math.ceil(count / 200));
  const all = Array.from({ length: Math.ceil(count / size) }, (_, at) => at * size + 1);
  return all.filter((_, at) => at % 2 === part).map((first) => ({ first, last: Math.min(count, first + size - 1) }));
}
