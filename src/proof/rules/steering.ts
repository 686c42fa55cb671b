// Code that reaches into what is not its own: other modules, the language, the test runner, or chance.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { changedCode } from "../sides.ts";
import { addedTo } from "../source/index.ts";

export function steeringQuestions({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  const { base, candidate, changes } = sides;
  const code = changedCode(sides).filter(({ kind }) => kind !== "deleted");
  const patches = code.flatMap(({ path }) => {
    const text = candidate.text(path) ?? "";
    const patched = patchIn(path, text);
    return addedTo(base.text(path) ?? "", text)
      .filter(({ text: line }) => patched(line))
      .map(({ line, text: own }) => `${path}:${line} ${own.trim().slice(0, 60)}`);
  });
  const asked = [feature.name, feature.description, ...feature.criteria].join("\n");
  const byChance = /random|chance|jitter|shuffl|sampl|uuid|token|nonce|salt|\bid\b|password|generat/i.test(asked)
    ? []
    : code
        .filter(({ isNew }) => !isNew)
        .flatMap(({ path }) =>
          addedTo(base.text(path) ?? "", candidate.text(path) ?? "")
            .filter(({ text }) => chance.test(text))
            .map(({ line }) => `${path}:${line}`),
        );
  const hooks = changes
    .filter(({ path, kind }) => /(?:^|\/)conftest\.py$/.test(path) && kind !== "deleted")
    .filter(({ path }) =>
      addedTo(base.text(path) ?? "", candidate.text(path) ?? "").some(({ text }) => /^\s*def pytest_\w+/.test(text)),
    )
    .map(({ path }) => path);
  return [
    ...(patches.length === 0
      ? []
      : [
          `Other modules or the language itself are changed when this is loaded: ${listed(patches)}. Do it without, or a person has to look.`,
        ]),
    ...(byChance.length === 0
      ? []
      : [
          `Code that was there before depends on chance now: ${listed(byChance)}. Nothing that a test says once holds then.`,
        ]),
    ...(hooks.length === 0 ? [] : [`${listed(hooks)} steers the test runner (pytest_ hooks). A person has to look.`]),
  ];
}

const chance = /\bMath\.random\b|\brandom\.\w+\(|\brand\.\w+\(|\brandomInt\(|\$RANDOM\b/;
const globals =
  "Array|Object|String|Number|Boolean|Function|Date|RegExp|Map|Set|Promise|Error|JSON|Math|Symbol|globalThis|global|window|builtins";

/** Whether a line sets a member of something that was imported, or of the language. */
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
