// Expected values: which spans of a test file are compared with a result, so that changing one has to fail.
import { after, partsIn, type Source, type Span, splitAt, textAt } from "../lex/source.ts";
import { literalsIn } from "./leaves.ts";

/** Matchers after `expect(…)` or `assertThat(…)`: all their arguments are expected values. */
const matcher =
  /^(?:toBe|toEqual|toStrictEqual|toHaveLength|toBeCloseTo|toContain|toContainEqual|toMatchObject|toHaveBeenCalledWith|toHaveBeenLastCalledWith|toHaveBeenCalledTimes|toHaveReturnedWith|toHaveTextContent|toHaveValue|toHaveText|toMatchInlineSnapshot|toThrowErrorMatchingInlineSnapshot|equals?|eq|eql|deepEqual|lengthOf|isEqualTo|hasSize|hasMessage|containsExactly|shouldBe)$/;
/** Assertions that two of their arguments are equal. */
const equality =
  /^(?:XCT|EXPECT_|ASSERT_|Are|[Aa]ssert_?|[Rr]equire_?)?(?:[Ss]trict|[Dd]eep|[Ll]oose|[Ll]ist|[Dd]ict|[Tt]uple|[Ss]et|[Aa]lmost|[Aa]rray|[Cc]ount|[Ss]equence|[Mm]ulti_?[Ll]ine|STR|DOUBLE_|FLOAT_|Assert|_)*(?:[Ee]quals?|[Ss]ame|[Ee]q|EQ|[Ii]s|values?_eq)!?$/;
/** Assertions that a condition holds. */
const truth =
  /^(?:assert|ok|assert_?[Tt]rue|isTrue|EXPECT_TRUE|ASSERT_TRUE|CHECK|REQUIRE|XCTAssert|XCTAssertTrue|assert!|debug_assert!|True)$/;

/** Indices of literals of `code` that are expected values. */
export function expectedLiterals(source: Source): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < source.code.length; at++) {
    for (const span of expectedAt(source, at)) found.push(...literalsIn(source, span));
  }
  return found;
}

/**
 * The same, where the whole result is compared for equality: every other value there has to fail, not just most. Of two
 * sides with literals only the second is taken, or both might be altered alike.
 */
export function equalityLiterals(source: Source): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < source.code.length; at++) {
    const token = source.code[at];
    if (token?.kind !== "word") continue;
    const open = textAt(source, at + 1) === "(" ? at + 1 : -1;
    const isPlainAssert = token.text === "assert" && source.language === "python";
    const isWhole = /^(?:toBe|toEqual|toStrictEqual)$/.test(token.text) && open > 0 && isMatched(source, at);
    const isEqual = wholeEquality.test(token.text) && open > 0 && !isNegated(source, at) && isStatement(source, at);
    const spans = isPlainAssert
      ? comparedIn(source, statementFrom(source, at + 1)).slice(1, 2)
      : isWhole
        ? partsIn(source, open).slice(0, 1)
        : isEqual
          ? compared(source, partsIn(source, open)).slice(1, 2)
          : [];
    for (const span of spans) found.push(...literalsIn(source, span).slice(0, 1));
  }
  return found;
}

/** `assert.equal(…)` as a statement, not part of an expression: `!equal(a, b)`, `throws(() => assert.equal(1, 2))`. */
function isStatement(source: Source, at: number): boolean {
  const isMember = textAt(source, at - 1) === ".";
  const first = isMember ? at - 2 : at;
  if (isMember && !/^(?:assert|self|t|chai|strict)$/.test(textAt(source, first))) return false;
  const before = textAt(source, first - 1);
  if (!isMember && !/^(?:strictEqual|deepStrictEqual|assertEqual|assert_eq!)$/.test(source.code[at]?.text ?? ""))
    return false;
  return before !== "!" && !(before === "=>" && /^(?:throws|rejects|doesNotThrow)$/.test(textAt(source, first - 5)));
}

const wholeEquality = /^(?:strictEqual|deepStrictEqual|deepEqual|equal|assertEqual|assert_eq!)$/;

function expectedAt(source: Source, at: number): readonly Span[] {
  const token = source.code[at];
  if (token?.kind !== "word") return [];
  if (token.text === "assert" && source.language === "python") return comparedIn(source, statementFrom(source, at + 1));
  if (token.text === "if") return refusedBy(source, at);
  const open = textAt(source, at + 1) === "(" ? at + 1 : -1;
  if (open < 0) return keyed(source, at);
  const parts = partsIn(source, open);
  if (matcher.test(token.text) && isMatched(source, at)) return parts;
  if (equality.test(token.text) && parts.length > 1 && !isNegated(source, at)) return compared(source, parts);
  return truth.test(token.text) && parts[0] !== undefined && !isNegated(source, at) ? comparedIn(source, parts[0]) : [];
}

/** Of two compared values and a message, the values. Go's helpers take `t` first. */
function compared(source: Source, parts: readonly Span[]): readonly Span[] {
  const first = parts[0];
  const skips =
    source.language === "go" &&
    first !== undefined &&
    first.to - first.from === 1 &&
    /^[tb]$/.test(textAt(source, first.from));
  return skips ? parts.slice(1, 3) : parts.slice(0, 2);
}

/** Whether the chain before a matcher begins with `expect(…)` and has no `not` in it. */
function isMatched(source: Source, at: number): boolean {
  let index = at;
  for (let links = 0; links < 20; links++) {
    if (textAt(source, index) === "not") return false;
    const dot = textAt(source, index - 1);
    if (dot !== "." && dot !== "?.") return /^(?:expect|assertThat)$/.test(textAt(source, index));
    const close = source.partner[index - 2] ?? -1;
    index = close >= 0 ? close - 1 : index - 2;
  }
  return false;
}

/** `assert.not.equal`, `refute`, `isNot`. */
function isNegated(source: Source, at: number): boolean {
  return textAt(source, at - 1) === "." && /^(?:not|refute)$/i.test(textAt(source, at - 2));
}

/** The rest of a Python statement, without an optional message. */
function statementFrom(source: Source, from: number): Span {
  let to = from;
  for (; to < source.code.length; to = after(source, to)) {
    const [before, token] = [source.code[to - 1], source.code[to]];
    if (before === undefined || token === undefined || token.kind === "close" || token.text === ";") break;
    const between = source.text.slice(before.to, token.from);
    if (between.includes("\n") && !between.includes("\\\n")) break;
  }
  return splitAt(source, { from, to }, (text) => text === ",")[0] ?? { from, to: from };
}

const equals = new Set(["==", "===", "is"]);
const differs = new Set(["!=", "!=="]);

/** The sides of each comparison in a condition that has to hold. With `or` or `not`, a change may have no effect. */
function comparedIn(source: Source, condition: Span): readonly Span[] {
  const texts = source.code.slice(condition.from, condition.to).map((token) => token.text);
  if (["or", "||", "not", "?"].some((word) => texts.includes(word)) || texts[0] === "!") return [];
  return splitAt(source, condition, (text) => text === "and" || text === "&&").flatMap((part) =>
    sidesOf(source, part, equals),
  );
}

function sidesOf(source: Source, part: Span, operators: ReadonlySet<string>): readonly Span[] {
  const sides = splitAt(source, part, (text) => operators.has(text));
  return sides.length === 2 ? sides : [];
}

/** `if err != nil && err.Error() != "too few" {`: what is compared only where another condition holds, in the same `if` or around it. */
export const complaintsUnderConditions = (source: Source, isNested: (at: number) => boolean): readonly Span[] =>
  source.code.flatMap(({ text }, at) => {
    if (text !== "if") return [];
    return [...refusedBy(source, at, "&&"), ...(isNested(at) ? refusedBy(source, at) : [])];
  });

/**
 * `if got != 3 {` and its equivalents in other languages: another value takes the branch that complains. With `and` it may not,
 * depending on the other condition.
 */
function refusedBy(source: Source, at: number, joined: "alone" | "&&" = "alone"): readonly Span[] {
  const open = textAt(source, at + 1) === "(";
  let to = open ? (source.partner[at + 1] ?? at) : at + 1;
  while (!open && to < source.code.length && !/^[{:]$/.test(textAt(source, to)) && to < at + 60) to = after(source, to);
  if (!complains(source, open ? to + 1 : to)) return [];
  const condition = splitAt(source, { from: open ? at + 2 : at + 1, to }, (text) => text === ";").at(-1);
  const isJoined = /&&|\band\b/.test(source.text.slice(source.code[at]?.from, source.code[to]?.from));
  if (condition === undefined || isJoined !== (joined === "&&")) return [];
  const parts = splitAt(source, condition, (text) => /^(?:\|\||or|&&|and)$/.test(text));
  return parts.flatMap((part) => [...sidesOf(source, part, differs), ...deepComparison(source, part)]);
}

const complaint = /^(?:throw|raise|fail|Fatal|Fatalf|Error|Errorf|FailNow|exit|panic|panic!|reject|console|assert)$/;

/** Whether the branch that begins here throws, exits or reports. */
function complains(source: Source, from: number): boolean {
  return source.code.slice(from, from + 12).some((token) => complaint.test(token.text));
}

/** `!reflect.DeepEqual(got, want)`. */
function deepComparison(source: Source, part: Span): readonly Span[] {
  if (textAt(source, part.from) !== "!") return [];
  const open = part.to - 1 >= 0 ? (source.partner[part.to - 1] ?? -1) : -1;
  return open > part.from && /^(?:DeepEqual|Equal|isDeepStrictEqual|equals?)$/.test(textAt(source, open - 1))
    ? partsIn(source, open)
    : [];
}

const wanted = /^(?:want|wanted|expect|expected|exp)(?:_?[A-Za-z]\w*)?$|^(?:output|result)$/;

/** A column of a table: `want: 3`, `expected = 3`. */
function keyed(source: Source, at: number): readonly Span[] {
  if (!wanted.test(textAt(source, at)) || !/^(?::|=|:=)$/.test(textAt(source, at + 1))) return [];
  let to = at + 2;
  while (to < source.code.length && !isEnd(source, to)) to = after(source, to);
  return [{ from: at + 2, to }];
}

function isEnd(source: Source, at: number): boolean {
  const [before, token] = [source.code[at - 1], source.code[at]];
  if (before === undefined || token === undefined || token.kind === "close" || /^[,;]$/.test(token.text)) return true;
  return (
    !/^[:=]/.test(before.text) &&
    before.kind !== "punct" &&
    token.line > before.line + before.text.split("\n").length - 1
  );
}
