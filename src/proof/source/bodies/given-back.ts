// A function that gives back its first argument, and does nothing else: tests that take that for right show nothing.
import { parametersOf } from "../calls.ts";
import { withoutInnerTests } from "../inner/splice.ts";
import { bodies } from "./bodies.ts";

/** Null: it takes nothing, is a generator, gives it back already, or is no plain function of JavaScript or Python. */
export function givingBack(path: string, text: string, name: string): string | null {
  if (!/\.(?:[cm]?[jt]sx?|py)$/.test(path) || withoutInnerTests(path, text) !== text) return null;
  const [first = ""] = parametersOf(text, name) ?? [];
  const parameter = /^([A-Za-z_$][\w$]*)(?=\s*(?:[:?=]|$))/.exec(first)?.[1];
  const [body, ...others] = bodies(path, text).filter((each) => each.name === name);
  if (parameter === undefined || /^(?:self|cls|this)$/.test(parameter) || body === undefined || others.length > 0)
    return null;
  const inner = text.slice(body.from, body.to);
  if (/\byield\b/.test(inner)) return null;
  const isBlock = path.endsWith(".py") || text.slice(0, body.from).trimEnd().endsWith("{");
  const instead = isBlock ? `return ${parameter}` : parameter;
  return inner.trim().replace(/;$/, "") === instead
    ? null
    : `${text.slice(0, body.from)}${path.endsWith(".py") || !isBlock ? instead : ` ${instead}; `}${text.slice(body.to)}`;
}
