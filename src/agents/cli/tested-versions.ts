// The versions of each command line that the suites in tests/agents are run with.

export type VersionRange = { readonly from: string; readonly to: string };

export const testedVersions: Readonly<Record<"claude" | "codex", VersionRange>> = {
  claude: { from: "2.1.197", to: "2.1.325" },
  codex: { from: "0.166.0", to: "0.166.0" },
};

export const versionIn = (version: string, { from, to }: VersionRange): boolean =>
  compared(version, from) >= 0 && compared(version, to) <= 0;

function compared(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  const at = [0, 1, 2].find((index) => (left[index] ?? 0) !== (right[index] ?? 0)) ?? 0;
  return (left[at] ?? 0) - (right[at] ?? 0);
}

const numbersOf = (version: string): number[] => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);
