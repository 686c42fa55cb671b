// The literals that make up a value: itself, or the elements of an array, object, tuple or wrapper such as `Some(3)`.
import { partsIn, type Source, type Span, splitAt, textAt } from "../lex/source.ts";
import { otherValue } from "./literal.ts";

/** Calls that only wrap their arguments, so that another argument gives another value. */
const wrappers = new Set(
  "Some Ok Err vec! Box::new String::from Rc::new Arc::new approx pytest.approx Decimal Fraction set frozenset list tuple dict Set Map BigInt List.of Arrays.asList Map.of Set.of listOf setOf mapOf arrayOf bytes bytearray".split(
    " ",
  ),
);
const endings = /^(?:\.(?:to_string|to_owned|into|to_vec|as_str|clone)\(\)|as\w+)*$/;
const depthMax = 20;

/** Indices of `code`, in order. Empty where part of the value is computed: changing that may have no effect. */
export function literalsIn(source: Source, span: Span, depth = 0): readonly number[] {
  const { from, to } = withoutSigns(source, span);
  const first = source.code[from];
  if (first === undefined || from >= to || depth > depthMax) return [];
  const close = source.partner[from] ?? -1;
  if (first.kind === "open" && close === to - 1)
    return partsIn(source, from).flatMap((part) => elementIn(source, part, depth));
  if (otherValue(source, first) !== null && endings.test(joined(source, { from: from + 1, to }))) return [from];
  return wrapped(source, { from, to }, depth);
}

/** `-3`, `&[1]`, `new Set(…)`. */
function withoutSigns(source: Source, { from, to }: Span): Span {
  let at = from;
  while (at < to && /^(?:[-+&*]|new|await)$/.test(textAt(source, at))) at++;
  return { from: at, to };
}

export const joined = (source: Source, { from, to }: Span): string =>
  source.code
    .slice(from, to)
    .map((token) => token.text)
    .join("");

/** The value of `key: value`, `key => value`, `key=value`, or the element itself. */
function elementIn(source: Source, part: Span, depth: number): readonly number[] {
  const marks = splitAt(source, part, (text) => text === ":" || text === "=>" || text === "=");
  return literalsIn(source, marks.at(-1) ?? part, depth + 1);
}

/** The content of a wrapper or, in Go, of a composite literal. */
function wrapped(source: Source, { from, to }: Span, depth: number): readonly number[] {
  const last = source.code[to - 1];
  const open = last?.kind === "close" ? (source.partner[to - 1] ?? -1) : -1;
  if (open <= from) return [];
  const isComposite = source.language === "go" && textAt(source, open) === "{" && textAt(source, from) !== "func";
  if (!isComposite && !wrappers.has(joined(source, { from, to: open }))) return [];
  return partsIn(source, open).flatMap((part) => elementIn(source, part, depth));
}
