// Is a change to a test an addition, or does it take something away? Adding to a sealed file is welcome.

/**
 * Lines came in, none went, and no added piece could switch the old ones off: each closes what it opens, none leaves a
 * test early, none skips. A change that does not pass here may still be right; it is only not taken for an addition.
 */
export function isWelcome(before: string, after: string): boolean {
  return addedChunks(before, after)?.every(isHarmless) ?? false;
}

type Chunk = { readonly lines: readonly string[] /** Nothing of the old text follows it. */; readonly last: boolean };

/** The pieces that were added between old lines; null when an old line is gone. A comma at a line's end is no change. */
function addedChunks(before: string, after: string): Chunk[] | null {
  const old = before.split("\n").map(bare);
  const lines = after.split("\n");
  const chunks: Chunk[] = [];
  let chunk: string[] = [];
  let next = 0;
  for (const line of lines) {
    if (next < old.length && bare(line) === old[next]) {
      next += 1;
      if (chunk.length > 0) chunks.push({ lines: chunk, last: next > old.length || isBlank(old.slice(next - 1)) });
      chunk = [];
    } else chunk.push(line);
  }
  if (next < old.length && !isBlank(old.slice(next))) return null;
  if (chunk.length > 0) chunks.push({ lines: chunk, last: true });
  return chunks;
}

const bare = (line: string): string => line.replace(/[\s,]+$/, "");
const isBlank = (lines: readonly string[]): boolean => lines.every((line) => line === "");

function isHarmless({ lines, last }: Chunk): boolean {
  const text = lines.join("\n");
  if (steers(text)) return false;
  // What comes after everything else can only concern itself.
  if (last) return true;
  if (!isBalanced(text)) return false;
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const top = Math.min(...indents);
  return !lines.some((line) => line.length - line.trimStart().length === top && leaves.test(line));
}

const leaves = /^\s*(?:return|exit|throw|raise|break|continue|die|panic|quit)\b/;

/** Text by which one test file can decide over others, or over the whole run. */
const steering =
  /\b(?:it|test|describe|context|suite|t|this|ctx)\.(?:skip|only|todo|skipIf|runIf|failing|fails)\b|\b(?:x|f)(?:it|describe|test)\s*\(|\bpytest\.(?:mark\.)?(?:skip|skipif|xfail|exit|importorskip)\b|@unittest\.(?:skip|expectedFailure)|\bSkipTest\b|\bt\.Skip|#\[ignore|@(?:Disabled|Ignore)\b|\bpending\b\s*\(|\bmarkTestSkipped\b|\[Ignore|Skip\s*=\s*"|\bprocess\.(?:exit|reallyExit|abort|exitCode|kill)\b|\bos\._exit\b|\bsys\.exit\b|\bos\.Exit\b|\bstd::process::exit\b|\bSystem\.exit\b|\bfunc TestMain\b|\bpytest_[a-z_]+\s*\(|\bcollect_ignore\b|--passWithNoTests|\bexit 0\b|\bjest\.retryTimes\b|\b(?:skip|todo|only):\s*(?:true|["'`])/;

export const steers = (text: string): boolean => steering.test(text);

/** Brackets, block comments and triple quotes come in pairs; what stands in strings is not looked into too closely. */
function isBalanced(text: string): boolean {
  const plain = text
    .replace(/\\./g, "")
    .replace(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g, '""')
    .replace(/(?:\/\/|#).*$/gm, "");
  const count = (pattern: RegExp): number => plain.match(pattern)?.length ?? 0;
  const pairs: readonly (readonly [RegExp, RegExp])[] = [
    [/\{/g, /\}/g],
    [/\(/g, /\)/g],
    [/\[/g, /\]/g],
    [/\/\*/g, /\*\//g],
    [/<!--/g, /-->/g],
  ];
  if (pairs.some(([open, close]) => count(open) !== count(close))) return false;
  return ['"""', "'''", "`"].every((quote) => (text.split(quote).length - 1) % 2 === 0);
}
