// Code that patches other modules, the language or the test runner, or that relies on chance.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { changedCode } from "../sides.ts";
import { addedTo } from "../source/index.ts";

type Subject = Pick<Case, "sides" | "feature">;

export function steeringQuestions(c: Subject): string[] {
  const [patches, chances, hooks] = [patchedBy(c), leftToChance(c), hookedBy(c)];
  return [
    ...asked(
      patches,
      (all) =>
        `These lines change another module or the language itself: ${all}. Do it without, or a person has to look.`,
    ),
    ...asked(
      chances,
      (all) => `Code that was there before depends on chance now: ${all}. Nothing that a test says once holds then.`,
    ),
    ...asked(hooks, (all) => `${all} steers the test runner (pytest_ hooks). A person has to look.`),
  ];
}

const asked = (found: readonly string[], question: (all: string) => string): string[] =>
  found.length === 0 ? [] : [question(listed(found))];

const addedLines = ({ base, candidate }: Case["sides"], path: string) =>
  addedTo(base.text(path) ?? "", candidate.text(path) ?? "");

const changedFiles = ({ sides }: Subject) => changedCode(sides).filter(({ kind }) => kind !== "deleted");

function patchedBy(c: Subject): string[] {
  return changedFiles(c).flatMap(({ path }) => {
    const isPatch = patchIn(path, c.sides.candidate.text(path) ?? "");
    return addedLines(c.sides, path)
      .filter(({ text }) => isPatch(text))
      .map(({ line, text }) => `${path}:${line} ${text.trim().slice(0, 60)}`);
  });
}

/** A feature that is about chance may use it. */
function leftToChance(c: Subject): string[] {
  const { name, description, criteria } = c.feature;
  if (aboutChance.test([name, description, ...criteria].join("\n"))) return [];
  const old = changedFiles(c).filter(({ isNew }) => !isNew);
  return old.flatMap(({ path }) =>
    addedLines(c.sides, path)
      .filter(({ text }) => chance.test(text))
      .map(({ line }) => `${path}:${line}`),
  );
}

function hookedBy({ sides }: Subject): string[] {
  const helpers = sides.changes.filter(({ path, kind }) => /(?:^|\/)conftest\.py$/.test(path) && kind !== "deleted");
  return helpers
    .map(({ path }) => path)
    .filter((path) => addedLines(sides, path).some(({ text }) => /^\s*def pytest_\w+/.test(text)));
}

const aboutChance = /random|chance|jitter|shuffl|sampl|uuid|token|nonce|salt|\bid\b|password|generat/i;
const chance = /\bMath\.random\b|\brandom\.\w+\(|\brand\.\w+\(|\brandomInt\(|\$RANDOM\b/;
const globals =
  "Array|Object|String|Number|Boolean|Function|Date|RegExp|Map|Set|Promise|Error|JSON|Math|Symbol|globalThis|global|window|builtins";

/** Whether a line sets a member of an imported module, or of the language. */
function patchIn(path: string, text: string): (line: string) => boolean {
  const isPython = path.endsWith(".py");
  if (!isPython && !/\.[cm]?[jt]sx?$/.test(path)) return () => false;
  const names = isPython
    ? [...text.matchAll(/^\s*(?:import\s+(\w+)(?:\s+as\s+(\w+))?|from\s+[\w.]+\s+import\s+([\w, ]+))/gm)]
    : [
        ...text.matchAll(
          /\bimport\s+(?:\*\s+as\s+)?(\w+)\s*(?:,\s*\{[^}]*\})?\s*from|\b(?:const|let|var)\s+(\w+)\s*=\s*require\(|\bimport\s*\{([^}]*)\}\s*from/g,
        ),
      ];
  const imported = names
    .flatMap((groups) => groups.slice(1))
    .flatMap((group) => (group ?? "").split(","))
    .map(
      (name) =>
        name
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? "",
    );
  const known = [globals, ...imported.filter((name) => /^\w+$/.test(name) && name !== "process")].join("|");
  const sets = new RegExp(`^\\s*(?:${known})(?:\\.prototype)?(?:\\.\\w+|\\[[^\\]]+\\])\\s*=[^=]`);
  const calls = new RegExp(`\\b(?:setattr|Object\\.(?:defineProperty|assign)|Reflect\\.set)\\(\\s*(?:${known})\\b`);
  return (line) => sets.test(line) || calls.test(line);
}
