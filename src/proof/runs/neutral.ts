// Run N: adds a comment to the changed code. A test that turns red tests the text of the code, not its behaviour.
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { didPass, type Seen } from "../seen.ts";
import { changedCode } from "../sides.ts";
import { commented } from "../source/index.ts";
import type { Witnesses } from "./witness.ts";

export type Readers = {
  /** New tests that fail because of it. */
  readonly readers: readonly string[];
  /** New tests that fail without it as well, where other test files are not run. */
  readonly dependent: readonly string[];
};

export async function readersOfText(
  c: Case,
  tree: TreeId,
  asItIs: ReadonlyMap<string, Seen>,
  { tests, files }: Pick<Witnesses, "tests" | "files">,
): Promise<Readers> {
  const edited = changedCode(c.sides).flatMap(({ path }) => {
    const text = c.sides.candidate.text(path);
    const now = text === null ? null : commented(path, text);
    return now === null ? [] : [{ path, content: now }];
  });
  if (edited.length === 0 || tests.length === 0) return { readers: [], dependent: [] };
  const laid = await c.workspace.compose(tree, edited);
  const [readers, dependent]: [string[], string[]] = [[], []];
  for (const check of c.checks) {
    const before = asItIs.get(check.name);
    const own = tests.filter((key) => before !== undefined && didPass(before, key));
    if (own.length === 0) continue;
    const only: { readonly only?: readonly string[] } = files !== null && c.rooms.selects(check) ? { only: files } : {};
    const seen = await look(c, check, { run: "D", tree: laid, judge: "new", part: "comment", ...only });
    // Without names this shows nothing: a linter or a formatter may object to the comment.
    if (seen.how === "cut" || seen.tests === null) continue;
    const failed = own.filter((key) => seen.tests?.get(key)?.how === "failed");
    if (failed.length === 0) continue;
    const plain =
      only.only === undefined ? null : await look(c, check, { run: "D", tree, judge: "new", part: "alone", ...only });
    const isAlone = (key: string): boolean => plain?.tests?.get(key)?.how === "failed";
    readers.push(...failed.filter((key) => !isAlone(key)));
    dependent.push(...failed.filter(isAlone));
  }
  return { readers, dependent };
}
