// Run V: lines that no test notices when they are taken back may still change the answers of old functions. Runs old
// tests with other inputs, over the old product and over the new one, and compares their failures.
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { importsOf } from "../classify/index.ts";
import { isGreen, isRunBy, type Seen } from "../seen.ts";
import { type Alteration, definedNames, inputsAltered } from "../source/index.ts";
import type { Strength } from "./strength.ts";

const filesMax = 3;
const perFileMax = 8;

/** Files whose pieces can be taken back without any test noticing. */
export function silentFiles({ tried }: Strength): readonly string[] {
  const pieces = tried.filter(({ kind }) => kind === "hunk");
  const known = new Set(pieces.filter(({ noticed }) => noticed).map(({ path }) => path));
  return [...new Set(pieces.map(({ path }) => path))].filter((path) => !known.has(path));
}

/** Inputs, in words for people, for which a function of these files answers differently than before. */
export async function otherAnswers(
  c: Case,
  old: TreeId,
  underOld: ReadonlyMap<string, Seen>,
  paths: readonly string[],
): Promise<readonly string[]> {
  const files = paths.filter((path) => c.sides.base.has(path)).slice(0, filesMax);
  const found: string[] = [];
  for (const path of files)
    for (const alteration of alterationsFor(c, path)) {
      if (c.cut.aborted) return found;
      if (await isAnsweredOtherwise(c, old, underOld, alteration)) {
        found.push(`${path}: ${alteration.what}`);
        break;
      }
    }
  return found;
}

/** For existing functions: other numbers in the calls of old tests. */
function alterationsFor({ sides, release }: Case, path: string): readonly Alteration[] {
  const { base, candidate, classes } = sides;
  const before = new Set(definedNames(path, null, base.text(path)));
  const names = definedNames(path, base.text(path), candidate.text(path)).filter((name) => before.has(name));
  const tests = base.paths.filter(
    (test) => classes.of(test).isTest && !release(test) && importsOf(test, base).includes(path),
  );
  const made = tests.map((test) => {
    const text = base.text(test) ?? "";
    return [inputsAltered(test, text, names, perFileMax), inputsAltered(test, text, names, perFileMax, "below-zero")];
  });
  // Half of each kind: other numbers, and numbers below zero.
  const [others, negatives] = [0, 1].map((kind) => made.flatMap((one) => one[kind] ?? []).slice(0, perFileMax / 2));
  return [...(others ?? []), ...(negatives ?? [])];
}

async function isAnsweredOtherwise(
  c: Case,
  old: TreeId,
  underOld: ReadonlyMap<string, Seen>,
  { path, text }: Alteration,
): Promise<boolean> {
  for (const check of c.checks) {
    const seen = underOld.get(check.name);
    if (seen === undefined || !isGreen(seen) || !isRunBy(seen, path) || !c.rooms.selects(check)) continue;
    const complaints = async (tree: TreeId, run: "base" | "D", again: number): Promise<Complaint> => {
      const laid = await c.workspace.compose(tree, [{ path, content: text }]);
      const at = { run, tree: laid, judge: "old", part: "inputs", only: [path], again } as const;
      const seen = await look(c, check, at);
      return { how: seen.how, text: complaintsIn(seen).join("\n") };
    };
    const before = await complaints(c.sides.base.id, "base", 0);
    const now = await complaints(old, "D", 0);
    if (!differ(before, now)) continue;
    // A test that differs between two runs on the base cannot be compared.
    const again = await complaints(c.sides.base.id, "base", 1);
    if (again.how === before.how && again.text === before.text) return true;
  }
  return false;
}

type Complaint = { readonly how: Seen["how"]; readonly text: string };

/** One passes and the other fails, or both fail with different messages. */
function differ(a: Complaint, b: Complaint): boolean {
  const isTold = ({ how }: Complaint): boolean => how === "green" || how === "red";
  if (!isTold(a) || !isTold(b)) return false;
  return a.how !== b.how || (a.text !== "" && b.text !== "" && a.text !== b.text);
}

/** Lines in which a runner shows actual and expected values, without times, places and addresses. */
function complaintsIn({ tail, how }: Seen): readonly string[] {
  if (how !== "red") return [];
  const all = tail.split("\n");
  // Code in a traceback differs where the code does: pytest marks what it complains about.
  const marked = all.filter((line) => /^E\s/.test(line));
  const told = all.filter((_, at) => !/^\s*File ".*", line \d+/.test(all[at - 1] ?? ""));
  const lines = (marked.length > 0 ? marked : told)
    .map((line) => line.replace(/0x[0-9a-f]+|\b\d+(?:\.\d+)? ?m?s\b|:\d+(?::\d+)?/g, "").trim())
    .filter((line) => shows.test(line) && !/^at /.test(line));
  return [...new Set(lines)].sort();
}

const shows =
  /!==|!=|==|\w*Error\b|\bassert|^E\s|^[+-] |\bleft:|\bright:|\b(?:expected|actual|received|got|want(?:ed)?)\b/i;
