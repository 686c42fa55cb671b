// Run H: tests that were written from the contract alone, by a session that has not seen the change.
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import type { HiddenTest } from "../prover.ts";
import { isGreen, type Seen } from "../seen.ts";

export type Hidden =
  | { readonly is: "passed"; readonly tests: number }
  /** Failing tests, by file and name; only the file where the check gives no names. */
  | { readonly is: "failed"; readonly tests: readonly string[] }
  | { readonly is: "not-shown"; readonly why: string };

export async function hiddenTests(c: Case, tree: TreeId, tests: readonly HiddenTest[]): Promise<Hidden> {
  // A hidden test must not overwrite a file of the change, which is what is being judged.
  const own = tests.filter(({ path }) => !c.sides.candidate.has(path));
  if (own.length === 0) return { is: "not-shown", why: "there are none that could be laid next to the change" };
  const laid = await c.workspace.compose(tree, own);
  const files = own.map(({ path }) => path);
  let passed = 0;
  for (const check of c.checks.filter((one) => one.must === "stay-green")) {
    const only = c.rooms.selects(check) ? { only: files } : {};
    const seen = await look(c, check, { run: "H", tree: laid, judge: "new", ...only });
    if (seen.how === "cut") return { is: "not-shown", why: "it was cut short" };
    const failed = failedIn(seen, files);
    if (failed.length > 0) return { is: "failed", tests: failed };
    passed += passedIn(seen, files);
  }
  return passed > 0 ? { is: "passed", tests: passed } : { is: "not-shown", why: "no check ran any of them" };
}

function failedIn(seen: Seen, files: readonly string[]): readonly string[] {
  if (seen.tests === null) return isGreen(seen) ? [] : files;
  return [...seen.tests].filter(([, { how, file }]) => how === "failed" && isOf(file, files)).map(([key]) => key);
}

const passedIn = ({ tests }: Seen, files: readonly string[]): number =>
  tests === null
    ? files.length
    : [...tests.values()].filter(({ how, file }) => how === "passed" && isOf(file, files)).length;

const isOf = (file: string | null, files: readonly string[]): boolean => file !== null && files.includes(file);
