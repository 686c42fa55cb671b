// Whether a test says what an example says: the same expression, or its value next to a call of the same function.
import type { Sides } from "../sides.ts";
import { type Check, type CommandExample, hasInnerTests, textsIn } from "../source/index.ts";

const linesNear = 3;

export function isTold(sides: Sides, { code, expects }: Check): boolean {
  const called = new Set(Array.from(code.matchAll(/([A-Za-z_]\w*)\(/g), ([, name = ""]) => plain(name)));
  const wanted = "value" in expects ? valueIn(expects.value) : "throws" in expects ? errorIn(expects.throws) : null;
  return testsOf(sides).some((text) => {
    if (squeezed(text).includes(squeezed(code))) return true;
    if (wanted === null) return false;
    const lines = text.split("\n");
    return lines.some(
      (line, at) =>
        Array.from(line.matchAll(/([A-Za-z_]\w*)\(/g)).some(([, name = ""]) => called.has(plain(name))) &&
        wanted.test(lines.slice(Math.max(0, at - linesNear), at + linesNear + 1).join("\n")),
    );
  });
}

export const isToldCommand = (sides: Sides, { gives }: CommandExample): boolean =>
  testsOf(sides).some((text) =>
    "prints" in gives
      ? text.includes(gives.prints)
      : new RegExp(`\\b(?:exit|status|code|return)\\w*\\W[^\\n]*\\b${gives.exits}\\b`, "i").test(text),
  );

/** Without comments. Tests inside of source files count with their file. */
function testsOf({ candidate, classes, changes }: Sides): readonly string[] {
  const changed = new Set(changes.filter(({ isTest }) => isTest).map(({ path }) => path));
  return candidate.paths
    .filter((path) => changed.has(path) || classes.of(path).isTest || hasInnerTests(path, candidate.text(path) ?? ""))
    .map((path) => withoutComments(path, candidate.text(path) ?? ""));
}

/** Lines stay lines. */
const withoutComments = (path: string, text: string): string =>
  textsIn(path, text) === text ? text : text.replace(/^\s*(?:\/\/|#(?!!|\[)|\*|\/\*).*$/gm, "");

/** Languages write one name in several ways. */
const plain = (name: string): string => name.replaceAll("_", "").toLowerCase();
const squeezed = (text: string): string => text.replace(/\s+/g, "").replaceAll("'", '"').replace(/;/g, "");
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function valueIn(value: string): RegExp {
  const quoted = /^(["'])(.*)\1$/s.exec(value)?.[2];
  const loose = escaped(quoted ?? value)
    .replace(/\s+/g, "\\s*")
    .replace(/["']/g, "[\"'`]");
  return new RegExp(`(?<![\\w.])${loose}(?![\\w])`, "i");
}

const errorIn = (name: string | null): RegExp =>
  new RegExp(name === null ? "\\b(?:throw|raise|reject|err|panic)\\w*" : `\\b${name}\\b`, "i");
